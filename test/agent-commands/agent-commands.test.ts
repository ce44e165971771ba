/** Real coding agents, with the lines of `docs/agent-commands.md` as they stand there, against a model on the loopback interface. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { splitCommand } from "../../src/server/agents/run-command.ts";
import { parseCommandLine } from "../../src/server/command-line.ts";
import { createRepository, git, startAgentPlatform } from "../server/agents/agent-platform.ts";
import { listen } from "../support/listen.ts";
import { makeOnce } from "../support/made-once.ts";
import { takeBlock } from "../support/page-blocks.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { lastWords, modelKey, startScriptedModel, type ToolCall } from "./scripted-model.ts";

const run = promisify(execFile);
const page = readFileSync(new URL("../../docs/agent-commands.md", import.meta.url), "utf8");

/** The blocks of each section: commands, and a file of settings. */
const sections: Readonly<Record<string, readonly string[]>> = {
  "Claude Code": [takeBlock("docs/agent-commands.md#claude-code")],
  Codex: [takeBlock("docs/agent-commands.md#codex")],
  "Gemini CLI": [
    takeBlock("docs/agent-commands.md#gemini-cli/1"),
    takeBlock("docs/agent-commands.md#gemini-cli/2"),
  ],
  opencode: [takeBlock("docs/agent-commands.md#opencode")],
};

/** What a section of the page tells its reader to do. */
function readRecipe(agent: string) {
  const [shell = "", settings = ""] = sections[agent] ?? [];
  const [, packageName = ""] = /^npm install --global (\S+)$/m.exec(shell) ?? [];
  const [, platform = ""] = /^npm run platform -- (.+)$/m.exec(shell) ?? [];
  const exports = [...shell.matchAll(/^export (\w+)=(.+)$/gm)].map(([, name = "", value = ""]) => {
    return [name, value === "…" ? modelKey : splitCommand(value).join(" ")];
  });
  const variables: Record<string, string> = Object.fromEntries(exports);
  return { packageName, platform, variables, settings };
}
type Recipe = ReturnType<typeof readRecipe>;

/** What an agent is given that its section does not name: where the model is, and files of its home folder. */
interface Surroundings {
  readonly variables?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

interface Agent {
  /** How it edits the guide: calls of its own tools. */
  readonly script: readonly ToolCall[];
  readonly surround: (modelUrl: string, recipe: Recipe) => Surroundings;
}

const guide = "docs/guide.md";
const before = "# Guide\n\nRotate keys every 90 days.\n";
const patch = `*** Begin Patch
*** Update File: ${guide}
@@
-Rotate keys every 90 days.
+Rotate keys every 30 days.
*** End Patch`;

/** Programs are fetched on the first run. */
const timeout = 300_000;

const agents: Readonly<Record<string, Agent>> = {
  "Claude Code": {
    script: [
      { name: "Read", input: { file_path: guide } },
      { name: "Edit", input: { file_path: guide, old_string: "90 days", new_string: "30 days" } },
    ],
    surround: (url) => ({ variables: { ANTHROPIC_BASE_URL: url } }),
  },
  Codex: {
    script: [{ name: "exec", input: `text(await tools.apply_patch(${JSON.stringify(patch)}))` }],
    surround: (url) => ({ files: { ".codex/config.toml": `openai_base_url = "${url}/v1"\n` } }),
  },
  "Gemini CLI": {
    script: [
      { name: "read_file", input: { file_path: guide } },
      {
        name: "replace",
        input: { file_path: guide, old_string: "90 days", new_string: "30 days", instruction: "30 days" },
      },
    ],
    surround: (url, { settings }) => ({
      variables: { GOOGLE_GEMINI_BASE_URL: url },
      files: { ".gemini/settings.json": settings },
    }),
  },
  opencode: {
    script: [
      { name: "read", input: { filePath: guide } },
      { name: "edit", input: { filePath: guide, oldString: "90 days", newString: "30 days" } },
    ],
    surround: (url, { variables }) => {
      const scripted = {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${url}/v1`, apiKey: "{env:OPENAI_API_KEY}" },
        models: { scripted: {} },
      };
      const given = JSON.parse(variables["DOCS_AGENT_ENV_OPENCODE_CONFIG_CONTENT"] ?? "");
      const config = { ...given, model: "local/scripted", provider: { local: scripted } };
      return { variables: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } };
    },
  },
};

/** Folder of the programs of a package, with its scripts and the packages of this platform. */
async function installPrograms(packageName: string): Promise<string> {
  const entry = packageName.replaceAll(/[^\w.-]+/g, "-").replace(/^-/, "");
  const folder = await makeOnce(entry, async (work, target) => {
    await mkdir(work);
    await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", work, packageName]);
    await rename(work, target);
  });
  return join(folder, "node_modules/.bin");
}

/** A proxy that refuses every request and keeps its address: what an agent asks for beyond its model. */
async function startClosedProxy() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(403).end();
  });
  server.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  return { ...(await listen(server)), asked };
}

/** Runs one job with an agent as its section says; `change` makes the section another one. */
async function runAgent(name: string, change: (recipe: Recipe) => Recipe = (recipe) => recipe) {
  const agent = agents[name];
  if (agent === undefined) throw new Error(`There is no agent ${name}.`);
  const recipe = change(readRecipe(name));
  const programs = await installPrograms(recipe.packageName);
  await using repository = await createRepository({ [guide]: before });
  await using home = await createTemporaryFolder("agent-home-");
  await using model = await startScriptedModel(agent.script);
  await using proxy = await startClosedProxy();
  const { variables = {}, files = {} } = agent.surround(model.url, recipe);
  await writeFiles(home.path, files);
  const added = Object.entries(variables).map(([key, value]) => [`DOCS_AGENT_ENV_${key}`, value]);
  const environment = {
    PATH: `${programs}:${process.env["PATH"]}`,
    HOME: home.path,
    TMPDIR: home.path,
    HTTPS_PROXY: proxy.url,
    HTTP_PROXY: proxy.url,
    NO_PROXY: "127.0.0.1,localhost",
    // Codex cannot build its sandbox in ours as root, as its section says.
    ...(name === "Codex" && process.getuid?.() === 0 && { DOCS_AGENT_ISOLATION: "none" }),
    ...recipe.variables,
    ...Object.fromEntries(added),
  };
  const parsed = parseCommandLine(splitCommand(recipe.platform), environment);
  if (parsed.kind !== "platform" || parsed.options.agent === undefined) throw new Error(recipe.platform);
  const options = { ...parsed.options.agent, repository: repository.root, timeLimitMs: 150_000 };
  await using platform = await startAgentPlatform(options);

  const job = await platform.runJob("Keys are rotated every 30 days now: correct the guide.");

  const headers = { authorization: `Bearer ${platform.adminKey}` };
  const log = await (await fetch(`${platform.url}/status/agents/${job.id}/output/0`, { headers })).text();
  const branch = await git(
    repository.root,
    "branch",
    "--list",
    "--format=%(refname)",
    `docs-agent/${job.id}`,
  );
  const diff = branch && (await git(repository.root, "diff", "main", branch));
  const changed = diff.split("\n").filter((line) => /^[-+]/.test(line));
  return { job, log, changed, asked: proxy.asked };
}

const theChange = [
  `--- a/${guide}`,
  `+++ b/${guide}`,
  "-Rotate keys every 90 days.",
  "+Rotate keys every 30 days.",
];

const addWords = (words: string) => (recipe: Recipe) => ({
  ...recipe,
  platform: recipe.platform.replace(/"$/, ` ${words}"`),
});

describe("the page on coding agents", () => {
  test.for(Object.keys(agents))(
    "has lines for %s that make exactly the change that the model asks for, without another address",
    { timeout },
    async (name) => {
      const { job, log, changed, asked } = await runAgent(name);

      expect(job, log).toMatchObject({ status: "completed", prLink: expect.stringContaining("/pull/aj_") });
      expect(changed).toEqual(theChange);
      expect(log).toContain(lastWords);
      expect(asked).toEqual([]);
    },
  );

  test("has words for Codex that leave the isolation to the platform", { timeout }, async () => {
    const { job, log, changed } = await runAgent("Codex", (recipe) => ({
      ...recipe,
      platform: recipe.platform.replace("workspace-write", "danger-full-access"),
      variables: { ...recipe.variables, DOCS_AGENT_ISOLATION: "" },
    }));

    expect(job, log).toMatchObject({ status: "completed" });
    expect(changed).toEqual(theChange);
  });

  test.for([
    ["Claude Code", "Reached max turns (1)", addWords("--max-turns 1")],
    ["Claude Code", "Exceeded USD budget (0.0001)", addWords("--max-budget-usd 0.0001")],
    [
      "Gemini CLI",
      "Reached max session turns",
      (recipe: Recipe) => ({ ...recipe, settings: recipe.settings.replace('Turns": 50', 'Turns": 1') }),
    ],
  ] as const)("has a limit for %s that fails the job: %s", { timeout }, async ([name, reason, change]) => {
    const { job, log, changed } = await runAgent(name, change);

    expect(job, log).toMatchObject({ status: "failed", error: expect.stringContaining("ended with") });
    expect(log).toContain(reason);
    expect(changed).toEqual([]);
  });

  test("says of each agent the version that its lines install", () => {
    for (const name of Object.keys(agents)) {
      const version = readRecipe(name).packageName.split("@").at(-1);
      expect(page).toMatch(new RegExp(`^\\| \\[${name}\\]\\([^)]+\\) \\| ${version} \\|`, "m"));
    }
  });
});
