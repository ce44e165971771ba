/** Stands for kubectl: records the objects that it is to create in `~/objects.json`. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { check, refuse, startsWith } from "./check.ts";

interface Objects {
  namespaces: string[];
  /** Keys of each secret. */
  secrets: Record<string, string[]>;
}

const file = join(homedir(), "objects.json");
const objects: Objects = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { namespaces: [], secrets: {} };
const text = { type: "string" } as const;
const { values, positionals } = parseArgs({
  options: {
    namespace: text,
    cascade: text,
    "from-literal": { ...text, multiple: true },
    "from-file": { ...text, multiple: true },
  },
  allowPositionals: true,
});
const { namespace } = values;

if (startsWith(positionals, "create", "namespace")) {
  check(positionals.length === 3 && namespace === undefined, "exactly one NAME is required");
  objects.namespaces.push(...positionals.slice(2));
} else if (startsWith(positionals, "create", "secret", "generic")) {
  check(positionals.length === 4, "exactly one NAME is required");
  check(objects.namespaces.includes(namespace ?? "default"), `namespaces "${namespace}" not found`);
  const literals = (values["from-literal"] ?? []).map((pair) => {
    check(/^[\w.-]+=./s.test(pair), "invalid literal source, expected key=value");
    return pair.split("=", 1)[0] ?? "";
  });
  const files = (values["from-file"] ?? []).map((path) => {
    check(existsSync(path), "error reading the file");
    return basename(path);
  });
  objects.secrets[positionals[3] ?? ""] = [...literals, ...files];
} else if (startsWith(positionals, "delete", "deployment")) {
  check(
    positionals.length > 2 && values.cascade === "foreground" && namespace === "docs",
    "pods may still run",
  );
} else refuse(`error: unknown command: ${positionals.join(" ")}`);
writeFileSync(file, JSON.stringify(objects));
