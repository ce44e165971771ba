/** Keeps the tables of the chart's values true: each value of `values.yaml` has a row, and each row the value's default. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

type Values = Readonly<Record<string, unknown>>;

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const { platform, ...site } = parse(read("deploy/chart/values.yaml")) as Values & {
  readonly platform: Values;
};

/** The codes of a cell. */
const codesOf = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** The rows of the page's table of values: the names, with `.from` completed to `networkPolicy.from`, and the defaults. */
function readRows(page: string) {
  const [, table = ""] = read(page).split("\n| value | default | effect |\n");
  return (table.split("\n\n", 1)[0] ?? "").split("\n").map((row) => {
    const [, names, defaults, effect] = row.split(/(?<!\\)\|/);
    const [first = "", ...others] = codesOf(names);
    const parent = first.split(".", 1)[0];
    return {
      names: [first, ...others.map((name) => (name.startsWith(".") ? `${parent}${name}` : name))],
      defaults: codesOf(defaults),
      effect: codesOf(effect),
    };
  });
}

const valueAt = (values: Values, path: string) =>
  path.split(".").reduce<unknown>((value, key) => (value as Values | undefined)?.[key], values);

/** The values and, of groups, their members: `image.tag`. */
function listPaths(values: Values): string[] {
  const isGroup = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  return Object.entries(values).flatMap(([key, value]) =>
    isGroup(value) && Object.keys(value as Values).length > 0
      ? Object.keys(value as Values).map((member) => `${key}.${member}`)
      : key,
  );
}

describe.each([
  ["docs/self-hosting.md", site],
  ["docs/platform-cluster.md", platform],
] as const)("the chart's values in %s", (page, values: Values) => {
  const rows = readRows(page);

  test("are all of values.yaml", () => {
    const named = rows.flatMap(({ names, effect }) => [...names, ...effect]);
    const isNamed = (path: string) =>
      named.some((name) => path === name || path.startsWith(`${name.replace(/\.\*$/, "")}.`));
    expect(listPaths(values).filter((path) => !isNamed(path))).toEqual([]);
  });

  test("have their defaults", () => {
    const shown = rows.flatMap(({ names, defaults }) =>
      names.flatMap((name, index) => {
        const value = defaults[index] ?? defaults[0];
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
    expect(shown.length).toBeGreaterThan(4);
    const actual = shown.map(([name]) => {
      const value = valueAt(values, name);
      return [name, typeof value === "string" ? value : JSON.stringify(value)];
    });
    expect(shown).toEqual(actual);
  });
});

test("docs/platform-cluster.md counts with the default size of a web replica's volume", () => {
  const [, gibibytes] =
    /`\/data`: (\d+) GiB, the default of a web replica/.exec(read("docs/platform-cluster.md")) ?? [];
  expect(valueAt(platform, "web.dataSize")).toBe(`${gibibytes}Gi`);
});
