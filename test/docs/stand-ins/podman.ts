/**
 * Stands for podman: `run` starts the program that the Containerfile starts, with the folders that are mounted; `build` and `push` check
 * what they are given. `npm run test:image` builds and runs the image with the real one.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check, refuse } from "./check.ts";

const [command, ...args] = process.argv.slice(2);
const text = { type: "string" } as const;
const image = /^[\w.-]+(?:\/[\w.-]+)+:[\w.-]+$/;

if (command === "build") {
  const { values, positionals } = parseArgs({ args, options: { tag: text }, allowPositionals: true });
  check(image.test(values.tag ?? ""), "invalid reference format");
  check(
    positionals.length === 1 && existsSync(join(positionals[0] ?? "", "Containerfile")),
    "no Containerfile",
  );
} else if (command === "push") {
  check(args.length === 1 && image.test(args[0] ?? ""), "invalid reference format");
} else if (command === "run") run();
else refuse(`podman has no such command: ${command}`);

function run(): void {
  const options = {
    "read-only": { type: "boolean" },
    publish: text,
    volume: { ...text, multiple: true },
  } as const;
  const index = args.findIndex((word) => image.test(word));
  const { values } = parseArgs({ args: args.slice(0, index), options });
  check(/^(?:[\d.]+:)?\d+:4870$/.test(values.publish ?? ""), "the server's port is not published");
  const mounted = new Map((values.volume ?? []).map(mount));
  const containerfile = readFileSync(join(process.env["REPOSITORY"] ?? "", "Containerfile"), "utf8");
  const [, entry = "[]"] = /^ENTRYPOINT (.+)$/m.exec(containerfile) ?? [];
  const [, ...program] = (JSON.parse(entry) as string[]).map((word) =>
    word.replace(/^\/app\//, `${process.env["REPOSITORY"]}/`),
  );
  const inside = args.slice(index + 1).map((word) => mounted.get(word) ?? word);
  const server = spawn(process.execPath, [...program, ...inside], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  server.once("exit", (code) => process.exit(code ?? 1));
}

/** A folder of the container, and the one that stands for it. */
function mount(volume: string): [string, string] {
  const [source = "", target = "", options = ""] = volume.split(":");
  check(/^(?:|ro)$/.test(options), "unknown option of a volume");
  if (/^[./]/.test(source)) {
    check(existsSync(source), `statfs ${source}: no such file or directory`);
    return [target, source];
  }
  const folder = join(homedir(), ".volumes", source);
  mkdirSync(folder, { recursive: true });
  return [target, folder];
}
