import { appendFile, cp } from "node:fs/promises";
import { join } from "node:path";
import type { AgentOptions } from "../../../src/server/base/context.ts";
import { startGitRemote } from "../../support/git-http.ts";
import { startGitHubStandIn } from "../../support/github-stand-in.ts";
import { createTemporaryFolder, template } from "../../support/temporary-folder.ts";
import { git, startAgentPlatform } from "./agent-platform.ts";

/** A repository on GitHub: its API, its git server, and a clone as `actions/checkout` leaves it. */
export async function createGithubRepository() {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await startGitRemote());
  const start = await remote.commit({ files: { "docs/index.md": "# Welcome\n" } });
  const github = stack.use(await startGitHubStandIn({ remote }));
  const token = github.runToken({ contents: "write", "pull-requests": "write" });
  remote.acceptToken(token);
  const folder = stack.use(await createTemporaryFolder());
  const root = join(folder.path, "widgets");
  // As `actions/checkout` stores its credentials; GitHub rejects a second Authorization header.
  const basic = Buffer.from(`x-access-token:${remote.token}`).toString("base64");
  const serverUrl = new URL(remote.url).origin;
  // Its commit is the same in each repository: only the address and the credentials differ.
  const clone = await template("clone", async (target) => {
    await git(target, "clone", "--quiet", "--depth", "1", remote.authenticatedUrl, target);
    await git(target, "checkout", "--quiet", "--detach", start);
    await git(target, "config", "--unset", "remote.origin.url");
  });
  await cp(clone, root, { recursive: true });
  const config = `[remote "origin"]\nurl = ${remote.url}\n[http "${serverUrl}/"]\nextraheader = AUTHORIZATION: basic ${basic}\n`;
  await appendFile(join(root, ".git", "config"), config);
  const [owner = "", repository = ""] = github.run.repository.split("/");
  const connection: AgentOptions["github"] = {
    serverUrl,
    apiUrl: github.run.apiUrl,
    owner,
    repository,
    token,
  };
  const resources = stack.move();
  return {
    remote,
    github,
    root,
    start,
    token,
    connection,
    startPlatform: (agent: Partial<AgentOptions> = {}, dataDir = join(folder.path, "data")) =>
      startAgentPlatform({ repository: root, github: connection, ...agent }, { dataDir }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
