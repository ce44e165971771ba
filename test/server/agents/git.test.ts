import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createGit } from "../../../src/server/agents/git.ts";

const git = createGit(process.env);

describe("git", () => {
  test("gives up on a remote that says nothing", async () => {
    const signal = new AbortController().signal;

    expect(
      Number(await git(["config", "--get", "http.lowSpeedLimit"], { cwd: ".", signal })),
    ).toBeGreaterThan(0);
    expect(Number(await git(["config", "--get", "http.lowSpeedTime"], { cwd: ".", signal }))).toBeLessThan(
      600,
    );
  });

  test("ends with the signal while a remote says nothing", async () => {
    await using stack = new AsyncDisposableStack();
    const arrived = Promise.withResolvers<void>();
    const server = createServer(() => arrived.resolve());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    stack.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    const stop = new AbortController();
    const { port } = server.address() as AddressInfo;

    const listing = git(["ls-remote", `http://127.0.0.1:${port}/x.git`], { cwd: ".", signal: stop.signal });
    await arrived.promise;
    stop.abort();

    await expect(listing).rejects.toThrow("abort");
  });
});
