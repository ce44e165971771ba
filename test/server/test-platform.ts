import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type PlatformDeps, type PlatformOptions, startPlatform } from "../../src/server/platform.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";

/** A running platform, its data directory, and a client with the admin key. */
export interface TestPlatform extends Awaited<ReturnType<typeof startPlatform>> {
  readonly dataDir: string;
  readonly docsDir: string;
  readonly adminKey: string;
  readonly assistantKey: string;
  /** Warnings of the platform. */
  readonly warnings: readonly string[];
  /** Sends a request with the admin key; an object as `json` becomes the body. */
  send(path: string, request?: TestRequest): Promise<Response>;
}

export interface TestRequest {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

type BodyInit = NonNullable<RequestInit["body"]>;

/** Starts a platform on documents and data of its own, unless the options name others. */
export async function startTestPlatform(
  options: Partial<PlatformOptions> = {},
  deps: Partial<PlatformDeps> = {},
): Promise<TestPlatform> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder());
  const docsDir = options.docsDir ?? join(folder.path, "docs");
  const dataDir = options.dataDir ?? join(folder.path, "data");
  if (options.docsDir === undefined) await writeFiles(docsDir, welcomeAndGuide);
  const warnings: string[] = [];
  const warning = (message: string) => void warnings.push(message);
  const platform = stack.use(
    await startPlatform(
      { domains: ["docs.example.com"], ...options, docsDir, dataDir },
      { signal: new AbortController().signal, log: { ...createRecordingLog(), warning }, ...deps },
    ),
  );
  const resources = stack.move();
  const { admin: adminKey = "", assistant: assistantKey = "" } = platform.keys;
  return {
    ...platform,
    adminKey,
    assistantKey,
    dataDir,
    docsDir,
    warnings,
    send: (path, { key = adminKey, json, headers, body, ...request } = {}) =>
      fetch(new URL(path, platform.listensOn), {
        method: "GET",
        ...request,
        headers: {
          ...(key !== "" && { authorization: `Bearer ${key}` }),
          ...(json !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(body !== undefined && { body }),
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Asks until the answer is as wanted, or true; the pauses leave the processor to the work that is waited for. */
export async function until<Value>(
  look: () => Value | Promise<Value>,
  isWanted: (value: Value) => boolean = Boolean,
): Promise<Value> {
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, 40)) {
    const value = await look();
    if (isWanted(value)) return value;
    await delay(pauseMs);
  }
}

/** The documents of a small site. */
export const welcomeAndGuide = {
  "index.md": "# Welcome\n\nRead [the guide](guide.md).\n",
  "guide.md": "# Guide\n\nRotate keys every 90 days.\n",
};
