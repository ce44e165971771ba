/** Stands for GitHub's command line: checks what it is asked for against the workflows, and writes what a release would have. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { check, refuse, startsWith } from "./check.ts";

const repository = "docs-automation/docs-automation-action";
const workflows = `${process.env["REPOSITORY"]}/.github/workflows`;
const args = process.argv.slice(2);
const text = { type: "string" } as const;

if (startsWith(args, "release", "download")) {
  const { values, positionals } = parseArgs({
    args: args.slice(2),
    options: { repo: text },
    allowPositionals: true,
  });
  check(positionals.length === 1 && /^v\d+\.\d+\.\d+$/.test(positionals[0] ?? ""), "No such release");
  check(values.repo === repository, "No such repository");
  for (const name of publishedFiles()) writeFileSync(name, "");
} else if (startsWith(args, "attestation", "verify")) {
  const { values, positionals } = parseArgs({
    args: args.slice(2),
    options: {
      ...{ repo: text, "signer-workflow": text, "source-ref": text },
      "deny-self-hosted-runners": { type: "boolean" },
    },
    allowPositionals: true,
  });
  const [file = ""] = positionals;
  check(positionals.length === 1 && existsSync(file), "There is no file to verify");
  check(publishedFiles().includes(file), "This file is not attested");
  check(values.repo === repository, "No such repository");
  const [, workflow = ""] =
    /^[^/]+\/[^/]+\/\.github\/workflows\/(.+)$/.exec(values["signer-workflow"] ?? "") ?? [];
  check(values["signer-workflow"]?.startsWith(`${repository}/`) === true, "Another repository's workflow");
  check(readFileSync(`${workflows}/${workflow}`, "utf8").includes("actions/attest"), "It attests nothing");
  check(/^refs\/tags\/v\d+\.\d+\.\d+$/.test(values["source-ref"] ?? ""), "Releases are made from tags");
  process.stdout.write("Verification succeeded!\n");
} else if (startsWith(args, "workflow", "run")) {
  const { values, positionals } = parseArgs({
    args: args.slice(2),
    options: { field: { ...text, multiple: true } },
    allowPositionals: true,
  });
  const { on } = parse(readFileSync(`${workflows}/${positionals[0]}`, "utf8"));
  const inputs: Record<string, { required?: boolean }> = on.workflow_dispatch.inputs;
  const given = (values.field ?? []).map((field) => field.split("=", 1)[0] ?? "");
  for (const name of given) check(Object.hasOwn(inputs, name), `Unexpected input ${name}`);
  for (const [name, { required }] of Object.entries(inputs))
    check(required !== true || given.includes(name), `Required input ${name} not provided`);
} else refuse(`gh has no such command: ${args.join(" ")}`);

/** The files of a release that the workflow attests by name. */
function publishedFiles(): string[] {
  const text = readFileSync(`${workflows}/release.yml`, "utf8");
  return [
    ...new Set(
      [...text.matchAll(/release\/(docs-automation-action\.t[\w.]+)/g)].map(([, name = ""]) => name),
    ),
  ];
}
