/**
 * A real git remote over smart HTTP: `git http-backend` behind a check of the token. Clones, fetches and pushes go the way
 * they go to a code host.
 */

import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { listen } from "./listen.ts";
import { createTemporaryFolder, template } from "./temporary-folder.ts";

const run = promisify(execFile);

/** One request that reached the remote, in the words of git's protocol. */
interface GitRequest {
  readonly service: "git-upload-pack" | "git-receive-pack";
  readonly status: number;
}

export interface GitRemote extends AsyncDisposable {
  /** Address without credentials, such as `http://127.0.0.1:4321/octo-org/widgets.git`. */
  readonly url: string;
  /** The same with the token in it, as `actions/checkout` users and tools write it. */
  readonly authenticatedUrl: string;
  /** The token that the remote takes, with `x-access-token` or any other user name. */
  readonly token: string;
  /** The bare repository behind it. */
  readonly folder: string;
  readonly requests: readonly GitRequest[];
  /** Runs git in the bare repository; returns what it printed, trimmed. */
  git(...args: readonly string[]): Promise<string>;
  /** Makes a commit on a branch from files and their contents; returns its SHA. */
  commit(options: {
    branch?: string;
    message?: string;
    files: Readonly<Record<string, string>>;
  }): Promise<string>;
  /** Takes one more token: that of a run at the stand-in for the API. */
  acceptToken(token: string): void;
  /** Refuses pushes from now on, as a branch rule or a read-only token does. */
  refusePushes(): void;
}

interface RemoteOptions {
  /** `owner/name`. */
  readonly repository?: string;
}

/** Nothing of the machine's or the user's configuration reaches git. */
const CLEAN = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
};

/** Starts a remote with an empty first commit on `main`. */
export async function startGitRemote({
  repository = "octo-org/widgets",
}: RemoteOptions = {}): Promise<GitRemote> {
  const root = await createTemporaryFolder("git-remote-");
  const folder = join(root.path, `${repository}.git`);
  const token = `ghs_${randomUUID()}`;
  const tokens = new Set([token]);
  const requests: GitRequest[] = [];
  let pushesRefused = false;
  await cp(await template("remote", createFirstCommit), folder, { recursive: true });
  const git = async (...args: readonly string[]) => {
    const { stdout } = await run("git", ["-C", folder, ...args], { env: CLEAN });
    return stdout.trim();
  };

  const server = createServer((request, response) => {
    const service = /git-(upload|receive)-pack/.exec(request.url ?? "")?.[0] as GitRequest["service"];
    response.once("finish", () => requests.push({ service, status: response.statusCode }));
    if (!tokens.has(passwordOf(request) ?? "")) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="stand-in"' }).end("Authentication failed");
    } else if (service === "git-receive-pack" && pushesRefused) {
      response.writeHead(403).end("Permission to this repository denied");
    } else {
      serveGit({ request, response }, root.path);
    }
  });
  const listening = await listen(server);
  const { port } = listening;

  const commit: GitRemote["commit"] = async ({ branch = "main", message = "Change something", files }) => {
    const ref = `refs/heads/${branch}`;
    // Files, because starting git takes a hundred times as long.
    const packedRefs = await readFile(join(folder, "packed-refs"), "utf8").catch(() => "");
    const hasParent = existsSync(join(folder, ref)) || packedRefs.includes(` ${ref}\n`);
    return importCommit(folder, { branch, message, files, hasParent });
  };

  return {
    url: `http://127.0.0.1:${port}/${repository}.git`,
    authenticatedUrl: `http://x-access-token:${token}@127.0.0.1:${port}/${repository}.git`,
    token,
    folder,
    requests,
    git,
    commit,
    acceptToken: (other) => void tokens.add(other),
    refusePushes: () => {
      pushesRefused = true;
    },
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      await root[Symbol.asyncDispose]();
    },
  };
}

function passwordOf({ headers }: IncomingMessage): string | undefined {
  const encoded = /^basic (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return /^[^:]*:(.*)$/.exec(Buffer.from(encoded, "base64").toString())?.[1];
}

/** Hands a request to git's own CGI program and its answer back. */
function serveGit(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  root: string,
) {
  const url = new URL(request.url ?? "/", "http://localhost");
  const backend = spawn("git", ["http-backend"], {
    env: {
      ...CLEAN,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: request.headers["git-protocol"]?.toString() ?? "",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      REMOTE_USER: "mona",
      ...(request.headers["content-length"] === undefined
        ? {}
        : { CONTENT_LENGTH: request.headers["content-length"] }),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  request.pipe(backend.stdin);
  backend.stdin.on("error", () => request.unpipe());
  let head: Buffer | undefined = Buffer.alloc(0);
  backend.stdout.on("data", (chunk: Buffer) => {
    if (head === undefined) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    const { status, headers } = parseCgiHead(head.subarray(0, end).toString());
    response.writeHead(status, headers);
    response.write(head.subarray(end + 4));
    head = undefined;
  });
  backend.once("close", () => response.end());
}

/** "CGI response header" (RFC 3875 §6.3): the status is a field among the others. */
function parseCgiHead(text: string) {
  const fields = text.split("\r\n").map((line) => line.split(/:\s*/, 2) as [string, string]);
  const status = fields.find(([name]) => name.toLowerCase() === "status")?.[1] ?? "200";
  return {
    status: Number.parseInt(status, 10),
    headers: Object.fromEntries(fields.filter(([name]) => name.toLowerCase() !== "status")),
  };
}

interface NewCommit {
  readonly branch: string;
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
  /** Whether the branch exists. */
  readonly hasParent: boolean;
}

/** Makes a commit on a branch of a bare repository with a single call of git; returns its SHA. */
async function importCommit(
  folder: string,
  { branch, message, files, hasParent }: NewCommit,
): Promise<string> {
  const changes = Object.entries(files).map(
    ([path, content]) => `M 100644 inline ${path}\n${dataOf(content)}`,
  );
  const stream = [
    `commit refs/heads/${branch}\nmark :1\ncommitter Mona <mona@example.com> 1767225600 +0000\n`,
    dataOf(message),
    ...(hasParent ? [`from refs/heads/${branch}^0\n`] : []),
    ...changes,
    "get-mark :1\ndone\n",
  ];
  const importing = run("git", ["-C", folder, "fast-import", "--quiet", "--done"], { env: CLEAN });
  importing.child.stdin?.end(stream.join(""));
  return (await importing).stdout.trim();
}

const dataOf = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;

async function createFirstCommit(folder: string): Promise<void> {
  const init = ["init", "--quiet", "--bare", "--template=", "--initial-branch=main", folder];
  await run("git", init, { env: CLEAN });
  for (const [name, value] of [
    ["http.receivepack", "true"],
    ["receive.autogc", "false"],
  ] as const)
    await run("git", ["-C", folder, "config", name, value], { env: CLEAN });
  await importCommit(folder, { branch: "main", message: "Initial commit", files: {}, hasParent: false });
}
