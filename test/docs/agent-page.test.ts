/** Keeps `docs/agent.md` true: its tables list every outcome and reason to skip, and what each event costs. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { covered } from "../../src/base/claim-record.ts";
import { outcomesByCommand } from "../../src/commands/outputs.ts";
import { countedRuns } from "../support/counted-runs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/agent.md"), "utf8");

/** What the first column of a table names; `head` is the column's name. */
function namesOf(head: string): string[] {
  const [, table = ""] = page.split(`\n| \`${head}\` |`);
  const rows = (table.split("\n\n", 1)[0] ?? "").split("\n").slice(2);
  return rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
}

/** The reasons that the agent's sources name, or those of the assistant. */
function reasonsInSource(command: "agent" | "assistant"): string[] {
  const sources = globSync(["src/commands/*.ts", "src/github/gate.ts", "src/action/run-command.ts"], {
    cwd: root,
  });
  const texts = sources
    .filter((path) => (command === "agent" ? !/assistant|export/.test(path) : /assistant/.test(path)))
    .map((path) => readFileSync(join(root, path), "utf8"));
  const named = /(?:\b(?:reason|skipReason): |\b(?:skip|refuse)\(\s*)"([a-z]+(?:-[a-z]+)*)"/g;
  return [...new Set(texts.flatMap((text) => [...text.matchAll(named)].map(([, name = ""]) => name)))];
}

describe("the page on the agent", () => {
  test("lists every outcome once", () => {
    expect(namesOf("outcome").sort()).toEqual([...outcomesByCommand.agent, "error"].sort());
  });

  test("lists every reason to skip a request once", () => {
    const composed = [covered, "text-edited", "text-deleted", "limit-per-user"];
    expect(namesOf("skip-reason").sort()).toEqual([...reasonsInSource("agent"), ...composed].sort());
  });

  test("is completed by the page on the assistant, which names the reasons of its own", () => {
    const assistantPage = readFileSync(join(root, "docs/assistant.md"), "utf8");
    const paragraph = /^The output `skip-reason` has .*$/m.exec(assistantPage)?.[0] ?? "";
    const own = reasonsInSource("assistant").map((reason) => `\`${reason}\``);
    expect(own).toHaveLength(2);
    for (const reason of own) expect(paragraph).toContain(reason);
  });

  test.each(countedRuns.agent)(
    "names the requests that are counted: $event",
    ({ event, counts: [count] }) => {
      expect(page).toContain(`\n| ${event} | ${count} |\n`);
    },
  );
});
