import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createGit, GitError } from "../../../src/server/agents/git.ts";
import { retryGit } from "../../../src/server/agents/git-remote.ts";
import { listen } from "../../support/listen.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../test-platform.ts";
import { createRepository, git as runGit } from "./agent-platform.ts";

const git = createGit(process.env);

/** Lists the processes with this text in their arguments; only Linux shows them. */
async function findProcesses(text: string): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(lines)).filter((line) => line.includes(text));
}

describe("git", () => {
  test("gives up on a remote that sends nothing", async () => {
    const signal = new AbortController().signal;

    expect(
      Number(await git(["config", "--get", "http.lowSpeedLimit"], { cwd: ".", signal })),
    ).toBeGreaterThan(0);
    expect(Number(await git(["config", "--get", "http.lowSpeedTime"], { cwd: ".", signal }))).toBeLessThan(
      600,
    );
  });

  test("reads no configuration of the user, and allows long paths on Windows", async () => {
    await using home = await createTemporaryFolder();
    await writeFile(join(home.path, ".gitconfig"), "[user]\n\tname = Mona\n");
    const ofHome = createGit({ ...process.env, HOME: home.path });
    const signal = new AbortController().signal;

    const settings = await ofHome(["config", "--list"], { cwd: home.path, signal });

    expect(settings).toContain("core.longpaths=true");
    expect(settings).not.toContain("user.name");
  });

  test("trusts the certificate authorities that the environment names", async () => {
    const trusting = createGit({ ...process.env, GIT_SSL_CAINFO: "/etc/corporate.pem" });
    const signal = new AbortController().signal;

    const variables = await trusting(["-c", "alias.variables=!env", "variables"], { cwd: ".", signal });

    expect(variables).toContain("GIT_SSL_CAINFO=/etc/corporate.pem");
  });

  test("reports the same problem with the same message", () => {
    const failAfter = (ms: number) =>
      new GitError("fetch", 128, `fatal: Failed to connect to host after ${ms} ms: refused`, false).message;

    expect(failAfter(5)).toBe("git fetch failed: fatal: Failed to connect to host: refused");
    expect(failAfter(130)).toBe(failAfter(5));
  });

  test("gives up on a server whose response never ends", async () => {
    const http = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/x-git-upload-pack-advertisement" });
      response.write("001e# service=git-upload-pack\n0000");
      const drip = setInterval(() => response.write("0"), 20);
      response.on("close", () => clearInterval(drip));
    });
    await using server = await listen(http);
    const url = `${server.url}/docs.git`;
    const options = { hint: "", attempts: 4, signal: new AbortController().signal, timeoutMs: 600 };

    const reached = retryGit((signal) => git(["ls-remote", "--", url], { cwd: ".", signal }), options);

    await expect(reached).rejects.toThrow("the server took more than 0.01 minutes");
  });

  test.runIf(process.platform === "linux")("reveals its token to its server, and to no process", async () => {
    const token = "ghs_5c1e-token-of-the-workflow";
    const needles = [token, Buffer.from(`x-access-token:${token}`).toString("base64")];
    const authorizations: (string | undefined)[] = [];
    const shown: string[] = [];
    const http = createServer(async ({ headers }, response) => {
      authorizations.push(headers.authorization);
      // Git and its helpers wait for the response, so all of them are running and can be inspected.
      for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
        for (const name of ["environ", "cmdline"]) {
          const text = await readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
          shown.push(...needles.filter((needle) => text.includes(needle)).map(() => `${name} of ${pid}`));
        }
      }
      response.writeHead(401, { "www-authenticate": 'Basic realm="test"' }).end();
    });
    await using server = await listen(http);
    const origin = server.url;
    const signal = new AbortController().signal;
    const list = (accessOrigin: string) =>
      git(["ls-remote", `${origin}/x.git`], { cwd: ".", signal, access: { origin: accessOrigin, token } });

    await expect(list(origin)).rejects.toThrow("Authentication failed");
    await expect(list("http://other.example")).rejects.toThrow("ls-remote failed");

    expect(authorizations).toEqual([undefined, `Basic ${needles[1]}`, undefined]);
    expect(shown).toEqual([]);
  });

  test("ignores replacement refs that an agent created", async () => {
    await using repository = await createRepository();
    const run = (...args: string[]) => runGit(repository.root, ...args);
    await run("replace", "HEAD", await run("commit-tree", "HEAD^{tree}", "-m", "Forged"));
    const signal = new AbortController().signal;

    expect(await run("log", "--format=%s")).toBe("Forged");
    expect(await git(["log", "--format=%s"], { cwd: repository.root, signal })).toBe("Begin");
  });

  test("ends with its helpers when aborted while a remote sends nothing", async () => {
    const arrived = Promise.withResolvers<void>();
    await using server = await listen(createServer(() => arrived.resolve()));
    const stop = new AbortController();

    const url = `${server.url}/x.git`;
    const listing = git(["ls-remote", url], { cwd: ".", signal: stop.signal });
    await arrived.promise;
    const runningBefore = await findProcesses(url);
    stop.abort();

    await expect(listing).rejects.toThrow("abort");
    await until(async () => (await findProcesses(url)).length === 0);
    if (process.platform === "linux") expect(runningBefore).not.toEqual([]);
  });
});
