/**
 * The commands of the pages, run in a shell as a reader would paste them. They run for real, against the embedded platform, but for the
 * programs in `stand-ins/`: `gh`, `podman`, Claude Code, and those scripts of npm that install packages or take minutes. Hosts such as
 * `api.example.com` are servers of the tests, behind a proxy. What a page leaves to its reader to fill in (`svc_…`) is filled in.
 */
import { readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentJob } from "../../src/client/contract.ts";
import { git } from "../server/agents/agent-platform.ts";
import { startPlatformProcess } from "../server/platform-process.ts";
import { until } from "../server/test-platform.ts";
import { buildTarGz } from "../support/archives.ts";
import { startGitRemote } from "../support/git-http.ts";
import { startHttpServer } from "../support/http-server.ts";
import { listPages, takeBlock } from "../support/page-blocks.ts";
import type { WatchedProcess } from "../support/watched-process.ts";
import { createReader, type Reader } from "./reader.ts";

const keys = { admin: `svc_${"a".repeat(48)}`, assistant: `svc_dsc_${"b".repeat(48)}` };
const keyVariables = { DOCS_PLATFORM_ADMIN_KEY: keys.admin, DOCS_PLATFORM_ASSISTANT_KEY: keys.assistant };

const documents = {
  "docs/index.md": "# Widgets\n\nStart with [keys](keys.md).\n",
  "docs/keys.md": "# Keys\n\n## Rotate a key\n\nPress Rotate; the old key works for a day.\n",
};

/** Puts in what a page leaves to its reader. @throws {Error} if the page does not have it. */
function fillIn(block: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [placeholder, value]) => {
    if (!text.includes(placeholder)) throw new Error(`The block has no ${placeholder}:\n${block}`);
    return text.replace(placeholder, () => value);
  }, block);
}

/** The address that a server prints, once it listens. */
async function addressOf(server: WatchedProcess): Promise<string> {
  const printed = /^Documentation site: (\S+)$|^Listens on: +(\S+)$|^Documentation platform: (\S+)\nDomain/m;
  const [, site, behindProxy, platform = ""] = await server.waitFor(printed);
  return (site ?? behindProxy ?? platform).replace("//0.0.0.0:", "//127.0.0.1:");
}

/** Starts a server with a block's commands, inspects it, and stops it with Ctrl+C. */
async function serve<Result>(
  reader: Reader,
  commands: string,
  look: (url: string, server: WatchedProcess) => Promise<Result>,
): Promise<Result> {
  const server = reader.start(commands);
  const url = await addressOf(server);
  expect(await (await fetch(`${url}/readyz`)).text(), server.output()).toBe("ok");
  const result = await look(url, server);
  // The shell or npm may end by the signal itself; the server has ended when its output has.
  expect([0, 130, "SIGINT"], server.output()).toContain(await server.end("SIGINT"));
  return result;
}

/** Gives the agent a prompt; the job once it has ended. */
async function askAgent(url: string, prompt: string): Promise<AgentJob> {
  const headers = { authorization: `Bearer ${keys.admin}`, "content-type": "application/json" };
  const jobs = `${url}/v2/agent/local/job`;
  const created = await fetch(jobs, { method: "POST", headers, body: JSON.stringify({ prompt }) });
  const { id } = AgentJob.parse(await created.json());
  return await until(
    async () => AgentJob.parse(await (await fetch(`${jobs}/${id}`, { headers })).json()),
    ({ status }) => status !== "active",
  );
}

/** What the pages show as code within a sentence. */
function listInlineCode(): { readonly page: string; readonly code: string }[] {
  return listPages().flatMap((page) => {
    const sentences = readFileSync(page, "utf8").replaceAll(/^( *)```[\s\S]*?^\1```/gm, "");
    return [...sentences.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = ""]) => ({ page, code }));
  });
}

/** Makes the reader's folder a repository with one commit. */
async function commitAll(reader: Reader): Promise<void> {
  await reader.run("git init --quiet; git add --all; git commit --quiet --message Begin");
}

/** A registry with one package for a system, whose program does what an agent does: reads the task, and changes a page. */
async function startRegistry(name: string, version: string, program: string, os = process.platform) {
  const script = `#!/bin/sh\n{ echo "$0 $*"; env; cat; } >> docs/task.md\n`;
  const tarball = buildTarGz([
    { name: "package/package.json", body: JSON.stringify({ name, version, bin: { [program]: "agent.sh" } }) },
    { name: "package/agent.sh", body: script },
  ]);
  const registry = await startHttpServer((request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname.endsWith(".tgz")) return new Response(new Uint8Array(tarball));
    if (decodeURIComponent(pathname) !== `/${name}`) return new Response("{}", { status: 404 });
    const dist = { tarball: `${origin}/package.tgz` };
    const versions = { [version]: { name, version, os: [os], bin: { [program]: "agent.sh" }, dist } };
    return Response.json({ name, versions, "dist-tags": { latest: version } });
  });
  return registry;
}

describe.concurrent("the commands of", () => {
  test("README.md export this project's documents", async () => {
    await using reader = await createReader({ standIns: ["npm"] });
    await reader.enterClone();
    const output = await reader.run(takeBlock("README.md#quick-start-without-an-account/3"));
    await reader.write({ "DIR/index.md": "# Mine\n" });
    const other = await reader.run("npm start -- DIR");
    expect(listInlineCode()).toContainEqual({ page: "README.md", code: "npm start -- DIR" });
    expect(other).toMatch(/^Site: +file:/m);
    const [, site = ""] = /^Site: +(file:\S+)$/m.exec(output) ?? [];
    expect(await readFile(new URL(site), "utf8"), output).toContain("<title>");
  });

  test("README.md and docs/quick-start.md print the SHA that stands for a version", async () => {
    await using reader = await createReader();
    const block = takeBlock("README.md#quick-start-without-an-account/2");
    expect(takeBlock("docs/quick-start.md")).toBe(block);
    expect(await reader.run(block)).toMatch(/^[\da-f]{40}\tHEAD\n$/);
  });

  test("CONTRIBUTING.md, docs/benchmarks.md are scripts of package.json, which read what they are given", async () => {
    await using reader = await createReader({ standIns: ["npm", "gh"], variables: { CHECK_SCRIPTS: "1" } });
    await reader.enterClone();
    for (const block of [
      takeBlock("CONTRIBUTING.md#contributing"),
      takeBlock("CONTRIBUTING.md#releases"),
      takeBlock("docs/benchmarks.md"),
    ])
      await reader.run(block);
    // And so is every one that stands in a sentence.
    const inline = listInlineCode().map(({ code }) => code.replace(" …", ""));
    const named = new Set(inline.filter((code) => /^npm (?:run|test|start)\b(?! platform)/.test(code)));
    await reader.run([...named].join("\n"));
    expect(named.size).toBeGreaterThan(15);
    await expect(reader.run("npm run mutate -- --counts 50")).rejects.toThrow("has no --counts");
    await expect(reader.run("npm run tests")).rejects.toThrow("no script tests");
  });

  test("docs/command-line.md export, ask, and reach a hosted platform", async () => {
    const hosts = new Map<string, string>();
    await using reader = await createReader({ hosts });
    await reader.write(documents);
    await using platform = startPlatformProcess(
      [
        "--docs",
        join(reader.home, "docs"),
        "--domain=docs.example.com",
        "--public-url=https://api.example.com",
      ],
      keyVariables,
    );
    // What `docs-automation` stands for on this page, in a clone.
    const page = await readFile("docs/command-line.md", "utf8");
    const [, command = ""] = /^\| a clone \| `([^`]+)` \|$/m.exec(page) ?? [];
    const named = `docs-automation() { ${command} "$@"; }\n`;
    const inline = listInlineCode().filter(({ code }) => /^docs-automation(?: [a-z-]+)+$/.test(code));
    const helped = inline.map(({ code }) => `${code.replace(/ --help$/, "")} --help`);

    await reader.run(takeBlock("docs/command-line.md"));
    await reader.run(named + helped.join("\n"));
    const site = await readFile(join(reader.home, "docs-export/site/index.html"), "utf8");
    hosts.set("api.example.com", await addressOf(platform));
    const keyed = fillIn(takeBlock("docs/command-line.md#the-key"), { "svc_…": keys.admin });
    const exported = await reader.run(named + keyed);
    const answer = await reader.run(named + takeBlock("docs/command-line.md#what-it-prints"));

    expect(inline.length).toBeGreaterThan(4);
    expect(site).toContain("Start with");
    expect(exported).toContain("- Bundle: `docs-export/docs-export.zip`");
    expect(answer).toContain("the old key works for a day");
  });

  test("docs/command-line.md make a package that npx runs", async () => {
    await using reader = await createReader();
    await reader.enterClone();
    await reader.write({ "DIR/index.md": "# Mine\n" });
    const page = await readFile("docs/command-line.md", "utf8");
    const row = /^\| a package that you make in a clone with `([^`]+)` \| `([^`]+)` \|$/m;
    const [, pack = "", command = ""] = row.exec(page) ?? [];
    const output = await reader.run(`${pack}\n${command} export --base-url local --docs-dir DIR`);
    expect(output).toContain("### Documentation export: DIR");
  });

  test("docs/local-platform.md start a platform, which prints what the page shows", async () => {
    await using reader = await createReader();
    await reader.enterClone();
    expect(await reader.run("npm run platform -- --help")).toContain("--docs DIR");
    await serve(reader, takeBlock("docs/local-platform.md/1"), async (url, server) => {
      await server.waitFor(/^Assistant API key: .*\n/m);
      const printed = server
        .output()
        .replace(/^[\s\S]*?(?=^Documentation)/m, "")
        .replaceAll(url, "http://127.0.0.1:4870")
        .replaceAll(/[\da-f]{48}$/gm, "…");
      expect(printed).toBe(takeBlock("docs/local-platform.md/2"));
    });
  });

  test("docs/local-platform.md start the image", async () => {
    await using reader = await createReader({ standIns: ["podman"], variables: keyVariables });
    await reader.write(documents);
    await serve(reader, takeBlock("docs/local-platform.md/3"), async (url) => {
      expect((await fetch(`${url}/status`)).status).toBe(401);
    });
  });

  test("docs/local-platform.md make a key, and a file of keys that the platform reads", async () => {
    await using reader = await createReader();
    await reader.enterClone();
    await serve(reader, takeBlock("docs/local-platform.md#a-file-of-keys"), async (url, server) => {
      const [, key = ""] = await server.waitFor(/^(svc_[\da-f]{48})$/m);
      expect(await readFile(join(reader.folder, "keys.yaml"), "utf8")).not.toContain(key);
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = JSON.stringify({ domain: "docs.example.com" });
      const response = await fetch(`${url}/v1/static-export/jobs`, { method: "POST", headers, body });
      expect(await response.json()).toHaveProperty("jobId");
    });
  });

  test("docs/local-platform.md serve a site from a git repository", async () => {
    await using reader = await createReader();
    await using remote = await startGitRemote({ repository: "example/docs" });
    await remote.commit({ files: documents });
    await reader.enterClone();
    await reader.run("ln -s $REPOSITORY/node_modules");
    const yaml = takeBlock("docs/local-platform.md#sites-from-git-repositories/2");
    const repository = remote.url;
    await reader.write({ "sites.yaml": fillIn(yaml, { "https://github.com/example/docs.git": repository }) });
    Object.assign(reader.variables, {
      ...keyVariables,
      DOCS_GIT_TOKEN: remote.token,
      DOCS_WEBHOOK_SECRET: "a secret of the webhook",
    });
    const commands = takeBlock("docs/local-platform.md#sites-from-git-repositories/1");
    await serve(reader, commands, async (url) => {
      const headers = { authorization: `Bearer ${keys.assistant}`, "content-type": "application/json" };
      const parts = [{ type: "text", text: "How do I rotate a key?" }];
      const body = JSON.stringify({ fp: "anonymous", messages: [{ id: "1", role: "user", parts }] });
      const path = "/discovery/v2/assistant/docs.example.com/message";
      const answer = await (await fetch(`${url}${path}`, { method: "POST", headers, body })).text();
      expect(answer).toContain("Rotate");
    });
  });

  test.each([
    ["docs/local-platform.md", takeBlock("docs/local-platform.md#agent-jobs"), "Explain keys."],
    ["examples/agents/README.md", takeBlock("examples/agents/README.md#caretaker"), "Repair the links."],
  ])("%s start a platform with an agent", async (_page, commands, prompt) => {
    await using reader = await createReader({ variables: keyVariables });
    await reader.enterClone();
    await reader.write({
      "docs/broken.md": "[Keys](keys-and-more.md)\n\n[Doctor](guides/doctor.md)\n",
      "tools/agent.mjs": `import fs from "node:fs";
        if (process.argv[2] === "--fast") fs.writeFileSync("docs/new.md", fs.readFileSync(0));`,
    });
    await commitAll(reader);
    await serve(reader, commands, async (url, server) => {
      const job = await askAgent(url, prompt);
      expect(job.status, server.output()).toBe("completed");
      const changed = await git(reader.folder, "diff", "--stat", "main", `docs-agent/${job.id}`);
      expect(changed).toMatch(/docs\/(new|broken)\.md/);
    });
  });

  test("docs/local-platform.md push the agent's branch to any git host", async () => {
    await using reader = await createReader({ variables: keyVariables });
    await using remote = await startGitRemote();
    await reader.enterClone();
    const agent = `import fs from "node:fs"; fs.writeFileSync("docs/new.md", "# New\\n");`;
    await remote.commit({ files: { ...documents, "tools/agent.mjs": agent } });
    await reader.run(`git remote set-url origin ${remote.url}`);
    await reader.run(
      `git fetch --quiet ${remote.authenticatedUrl} main; git checkout --quiet FETCH_HEAD tools`,
    );
    const block = takeBlock("docs/local-platform.md#pull-requests");
    await serve(reader, fillIn(block, { "…": remote.token }), async (url, server) => {
      const job = await askAgent(url, "Add a page.");
      expect(job, server.output()).toMatchObject({
        status: "completed",
        source: { ref: `docs-agent/${job.id}` },
      });
      expect(await remote.git("show", `docs-agent/${job.id}:docs/new.md`)).toBe("# New");
    });
  });

  test("docs/local-platform.md add the documents to a coding agent", async () => {
    await using reader = await createReader({ standIns: ["claude"] });
    await reader.write(documents);
    await using platform = startPlatformProcess(["--docs", join(reader.home, "docs")], keyVariables);
    Object.assign(reader.variables, { PLATFORM: await platform.url, ASSISTANT_KEY: keys.assistant });
    const output = await reader.run(takeBlock("docs/local-platform.md#the-documents-over-mcp"));
    expect(output).toBe("docs: search_docs, get_page\n");
  });

  test("docs/agent-commands.md install each agent, and start a platform with it", async () => {
    await using reader = await createReader({ variables: keyVariables });
    await reader.enterClone();
    for (const block of [
      takeBlock("docs/agent-commands.md#claude-code"),
      takeBlock("docs/agent-commands.md#codex"),
      takeBlock("docs/agent-commands.md#gemini-cli/1"),
      takeBlock("docs/agent-commands.md#opencode"),
    ]) {
      const [, name = "", version = ""] = /^npm install --global (\S+)@([\d.]+)$/m.exec(block) ?? [];
      const [, command = ""] = /--agent-command "([^"]+)"/.exec(block) ?? [];
      await using registry = await startRegistry(name, version, command.split(" ", 1)[0] ?? "");
      reader.variables["npm_config_registry"] = registry.url;
      await serve(reader, fillIn(block, { "_KEY=…": "_KEY=a-key-of-the-model" }), async (url, server) => {
        const job = await askAgent(url, "Explain keys.");
        expect(job.status, server.output()).toBe("completed");
        const task = await git(reader.folder, "show", `docs-agent/${job.id}:docs/task.md`);
        expect(task).toContain(`/${command}\n`);
        expect(task).toContain("_KEY=a-key-of-the-model\n");
        for (const [, variable] of block.matchAll(/^export DOCS_AGENT_ENV_(\w+)=/gm))
          expect(task).toMatch(new RegExp(`^${variable}=.`, "m"));
      });
    }
  });

  test("docs/quick-start.md record the version and digest of an agent", async () => {
    const block = takeBlock("docs/quick-start.md#turn-comments-into-pull-requests-with-a-coding-agent");
    const [, name = "", version = ""] = /--save-exact (\S+)@([\d.]+)$/m.exec(block) ?? [];
    // The reader's machine has another system than the runner, which the package is for.
    await using registry = await startRegistry(name, version, "claude", "sunos");
    await using reader = await createReader();
    reader.variables["npm_config_registry"] = registry.url;
    await reader.run(block);
    const read = async (file: string) =>
      JSON.parse(await readFile(join(reader.home, ".github/docs-agent", file), "utf8"));
    expect(await read("package.json")).toEqual({ dependencies: { [name]: version } });
    expect(await read("package-lock.json")).toMatchObject({
      packages: { [`node_modules/${name}`]: { version } },
    });
    // The same file that the example installs.
    const example = await readFile("examples/local-agent.yml", "utf8");
    expect(example).toContain("npm ci --ignore-scripts --prefix .github/docs-agent\n");
    expect(example).toContain(`.github/docs-agent/node_modules/${name}/`);
  });

  test("docs/self-hosting.md export this project's documents and serve the bundle", async () => {
    await using reader = await createReader();
    await reader.enterClone();
    // Fewer than this project's, which the first test exports.
    await reader.run("rm -r docs/*");
    await reader.write(documents);
    await serve(reader, takeBlock("docs/self-hosting.md#serving-a-bundle"), async (url) => {
      expect(await (await fetch(url)).text()).toContain("<title>");
      expect((await stat(join(reader.home, "docs-site"))).isDirectory()).toBe(true);
    });
  });

  test("docs/security.md verify a release", async () => {
    await using reader = await createReader({ standIns: ["gh"] });
    const output = await reader.run(takeBlock("docs/security.md#what-a-release-consists-of"));
    expect(output).toBe("Verification succeeded!\n");
  });
});
