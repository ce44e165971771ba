import { isDeepStrictEqual } from "node:util";
import { parentKey, planSplices, type WantedValue } from "./values/plan-splices.ts";
import { parseValues, refuseValues, type YamlVersion } from "./values/read-values.ts";
import { applySplices } from "./values/splice.ts";

/** Options of {@link updateValuesFile}. */
export interface UpdateValuesOptions {
  /** The whole file. */
  readonly text: string;
  readonly bundleUrl: string;
  /** Left as it is unless given. */
  readonly version?: string | undefined;
}

const versions: readonly YamlVersion[] = ["1.1", "1.2"];

/**
 * Sets `staticExport.enabled`, `.bundleUrl` and `.version` in a Helm values file (specification §4.8). Every other
 * byte of the file stays what it was; a file that already says all of it is returned as it is.
 *
 * @throws {BundleError} `invalid-input` for files that cannot be changed so: templates, invalid YAML, values that
 *   come from or go to somewhere else by an alias
 */
export function updateValuesFile({ text, bundleUrl, version }: UpdateValuesOptions): {
  readonly text: string;
  readonly changed: boolean;
} {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const wanted = new Map<string, string | true>([
    ["enabled", true],
    ["bundleUrl", bundleUrl],
    ...(version === undefined ? [] : [["version", version] as const]),
  ]);
  const trees = new Map(versions.map((yaml) => [yaml, parseValues(body, yaml).tree]));
  const items = [...wanted].map(
    ([key, value]): WantedValue => ({ key, value, isPresent: isPresentIn(trees, key, value) }),
  );
  const changed = applySplices(body, planSplices(body, parseValues(body, "1.2"), items));
  for (const yaml of versions) requireOnlyChange(trees.get(yaml), parseValues(changed, yaml).tree, wanted);
  return { text: mark + changed, changed: changed !== body };
}

/**
 * Whether no reader would see a difference. `yes` and `on` are true for Helm, whose file it is: they stay what they are.
 */
function isPresentIn(trees: ReadonlyMap<YamlVersion, unknown>, key: string, value: string | true): boolean {
  const actual = versions.map((yaml) => childOf(trees.get(yaml), key));
  if (actual.every((one) => one === value)) return true;
  return value === true && actual[0] === true && isOldTrue(actual[1]);
}

/** What YAML 1.1 reads as true and YAML 1.2 as a text; `y`, on which even 1.1's readers disagree, is not left alone. */
function isOldTrue(value: unknown): boolean {
  return typeof value === "string" && /^(yes|on)$/i.test(value);
}

/** Reads both files again and compares: whatever the splices did, this is what counts. */
function requireOnlyChange(
  before: unknown,
  after: unknown,
  wanted: ReadonlyMap<string, string | true>,
): void {
  for (const [key, value] of wanted) {
    const actual = childOf(after, key);
    const isSet = actual === value || (value === true && isOldTrue(actual));
    if (!isSet) throw refuseValues(`\`${parentKey}.${key}\` cannot be set where it stands`);
  }
  if (!isDeepStrictEqual(without(before, wanted), without(after, wanted))) {
    throw refuseValues(
      "the change would reach other values, through an anchor or the way the file is written",
    );
  }
}

function childOf(tree: unknown, key: string): unknown {
  const parent = tree instanceof Map ? tree.get(parentKey) : undefined;
  return parent instanceof Map ? parent.get(key) : undefined;
}

/** The tree but for the wanted values; an empty or missing `staticExport` is the same as none. */
function without(tree: unknown, wanted: ReadonlyMap<string, unknown>): unknown {
  const rest = new Map(tree instanceof Map ? tree : []);
  const parent: unknown = rest.get(parentKey);
  const kept = parent instanceof Map ? [...parent].filter(([key]) => !wanted.has(key)) : [];
  rest.delete(parentKey);
  return kept.length === 0 ? rest : new Map([...rest, [parentKey, new Map(kept)]]);
}
