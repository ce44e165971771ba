/**
 * Rehearses a release: cuts and builds it in a clone of the committed state, and runs release.yml's own lines there. A stand-in
 * answers for GitHub, so nothing leaves this machine.
 *
 *   npm run release:rehearse -- VERSION [--checks] [--to FOLDER]
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants, cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";

interface WorkflowStep {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly WorkflowStep[] }>>;
}

const repository = "docs-automation/docs-automation-action";

const usage = "npm run release:rehearse -- VERSION [--checks] [--to FOLDER]";

async function rehearse(
  root: string,
  version: string,
  checks: boolean,
  to: string | undefined,
): Promise<void> {
  const tag = `v${version}`;
  const folder = await mkdtemp(join(tmpdir(), "release-rehearsal-"));
  try {
    const clone = join(folder, "clone");
    execFileSync("git", ["clone", "--quiet", root, clone]);
    await copyPackages(join(root, "node_modules"), join(clone, "node_modules"));
    const git = createGit(clone);
    console.log(
      `Rehearsing ${tag} of ${git("rev-parse", "--short", "HEAD")} in a clone; what is not committed is left out.`,
    );

    for (const script of [["release.ts", "cut", version], ["build.ts"], ["generate.ts"]])
      await run(process.execPath, [`scripts/${script[0]}`, ...script.slice(1)], clone);
    git("add", "--all");
    const person = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@localhost"];
    git(...person, "commit", "--quiet", "--message", `release: ${version}`);
    console.log(git("show", "--shortstat", "--format=", "HEAD").trim());
    git("tag", tag);

    const github = await startReferences(clone, createGit(root));
    const left: string[] = [];
    try {
      const environment = {
        GITHUB_REF_NAME: tag,
        GITHUB_REF: `refs/tags/${tag}`,
        GITHUB_SHA: git("rev-parse", "HEAD"),
        GITHUB_REPOSITORY: repository,
        GITHUB_API_URL: github.url,
        GH_TOKEN: "rehearsal",
      };
      for (const [job, { name, line, isRun }] of await readSteps(clone, checks)) {
        if (!isRun) left.push(`  ${job}: ${name}`);
        else {
          console.log(`\n${job}: ${line}`);
          await run("bash", ["--norc", "-e", "-c", line], clone, environment);
        }
      }
    } finally {
      github.close();
    }
    console.log(`\nWould be released as ${tag}:`);
    const release = join(clone, "release");
    for (const name of (await readdir(release)).sort()) {
      const bytes = await readFile(join(release, name));
      console.log(`  ${createHash("sha256").update(bytes).digest("hex")}  ${bytes.length} bytes  ${name}`);
    }
    console.log(`\nNotes:\n\n${await readFile(join(release, "notes.md"), "utf8")}`);
    console.log(`Not run here:\n${left.join("\n")}`);
    if (to === undefined) return;
    await cp(release, resolve(to), { recursive: true });
    console.log(`\nThe files are in ${resolve(to)}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A link would not do: the numbers of `dist`'s files come from the modules' places. */
async function copyPackages(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  const cache = join(from, ".cache");
  const options = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE };
  await cp(from, to, { ...options, filter: (path) => path !== cache });
}

/** The steps of release.yml in their order: its own lines run, and actions and `gh` do not. */
async function readSteps(clone: string, checks: boolean) {
  const workflow = parse(await readFile(join(clone, ".github/workflows/release.yml"), "utf8")) as Workflow;
  return Object.entries(workflow.jobs).flatMap(([job, { steps }]) =>
    steps.map(({ name, uses, run: line = "" }) => {
      const isRun =
        line.startsWith("node scripts/release.ts ") || (checks && line.startsWith("bash .ci/run"));
      return [job, { name: name ?? uses ?? line, line: line.trim(), isRun }] as const;
    }),
  );
}

/**
 * GitHub's references, as far as moving the major tag asks for them: the clone's tags, and the branches that are known of `origin`.
 * What it would write is only said.
 */
async function startReferences(clone: string, gitAtHome: (...args: readonly string[]) => string) {
  const git = createGit(clone);
  const branches = gitAtHome("for-each-ref", "--format=%(refname:lstrip=3)", "refs/remotes/origin").split(
    "\n",
  );
  const answer = (path: string): unknown => {
    const [, kind, prefix = ""] = /\/git\/matching-refs\/(heads|tags)\/(.+)$/.exec(path) ?? [];
    const names = kind === "tags" ? git("tag", "--list").split("\n") : branches;
    if (kind)
      return names.filter((name) => name.startsWith(prefix)).map((name) => ({ ref: `refs/${kind}/${name}` }));
    const [, tag] = /\/commits\/tags\/(.+)$/.exec(path) ?? [];
    return tag && { sha: git("rev-parse", `refs/tags/${tag}^{commit}`) };
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const content = request.method === "GET" ? answer(path) : { rehearsed: true };
    sendJson(response, content === undefined ? 404 : 200, content ?? { message: `${path} is not rehearsed` });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function sendJson(response: ServerResponse, status: number, content: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
}

function createGit(folder: string): (...args: readonly string[]) => string {
  return (...args) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
}

/** @throws unless the program ends well. */
async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: "inherit", env: { ...process.env, ...environment } });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${[program, ...args].join(" ")} failed: nothing of this may be released.`);
}

if (import.meta.main) {
  const options = { checks: { type: "boolean" }, to: { type: "string" } } as const;
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const [version] = positionals;
  if (version === undefined || positionals.length > 1) throw new Error(`Usage: ${usage}`);
  await rehearse(process.cwd(), version, values.checks === true, values.to);
}
