/**
 * Stands for npm where it would fetch this repository's packages, which takes a minute: `npm ci` takes those that are installed. With
 * `CHECK_SCRIPTS=1` a script is not run, because it takes minutes too; what it is given must be what its program reads. Everything else
 * is done by the real npm.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { check } from "./check.ts";

const args = process.argv.slice(2);
const { REAL_PATH, REPOSITORY, CHECK_SCRIPTS } = process.env;
const [command] = args;

if (command === "ci") {
  check(
    args.slice(1).every((flag) => flag === "--omit=dev"),
    "npm ci does not take this",
  );
  check(
    existsSync("package-lock.json"),
    "The `npm ci` command can only install with an existing package-lock.json",
  );
  if (!existsSync("node_modules")) symlinkSync(`${REPOSITORY}/node_modules`, "node_modules");
} else if (CHECK_SCRIPTS === "1") checkScript(args);
else {
  const npm = spawn("npm", args, { stdio: "inherit", env: { ...process.env, PATH: REAL_PATH } });
  // The terminal tells both.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  npm.once("exit", (code) => process.exit(code ?? 1));
}

/** `npm test`, `npm run NAME` and what stands after `--`. */
function checkScript([first = "", ...rest]: readonly string[]): void {
  const [name = "", separator, ...given] = first === "run" ? rest : [first, ...rest];
  check(first === "run" || first === "test" || first === "start", "npm has no such command");
  check(separator === undefined || separator === "--", "npm would take this for itself");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const script: unknown = scripts[name];
  check(typeof script === "string", `package.json has no script ${name}`);
  const [, program] = /^node (?:--\S+ )*(\S+\.ts)$/.exec(script) ?? [];
  check(program === undefined || existsSync(program), `${script} starts a file that does not exist`);
  // The first word may name another program beside it, which reads the rest.
  const named = program && join(dirname(program), `${given[0]}.ts`);
  const programs = [program, named].filter((path) => path !== undefined && existsSync(path));
  const source = programs.map((path) => readFileSync(path ?? "", "utf8")).join("\n");
  for (const flag of given.filter((word) => word.startsWith("--")))
    check(new RegExp(`\\b${flag.slice(2)}: \\{ type: `).test(source), `${program} has no ${flag}`);
  check(given.length === 0 || /allowPositionals|process\.argv/.test(source), `${script} takes nothing`);
  process.stdout.write(`npm would run: ${script} ${given.join(" ")}\n`);
}
