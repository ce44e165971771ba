import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type BundleServerOptions, startBundleServer } from "../../src/server/bundle-server.ts";
import { buildTarGz, buildZip } from "../support/archives.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import { startStorage } from "../support/storage.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const site = (text: string) =>
  buildTarGz([
    { name: "index.html", body: `<h1>${text}</h1>` },
    { name: "guide/start.html", body: "<h1>Start</h1>" },
    { name: "guide/index.html", body: "<h1>Guide</h1>" },
    { name: "app.css", body: "h1{}" },
    { name: "404.html", body: "<h1>Nowhere</h1>" },
  ]);

/** A folder for a bundle and the server's data. */
async function setUp(bundle: Buffer) {
  const folder = await createTemporaryFolder("bundle-server-");
  const source = join(folder.path, "bundle.tar.gz");
  await writeFile(source, bundle);
  return {
    source,
    dataDir: join(folder.path, "data"),
    /** Replaces the bundle atomically, as a deployment does. */
    async replace(bytes: Buffer) {
      await writeFile(`${source}.new`, bytes);
      await rename(`${source}.new`, source);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

type ServeOptions = Pick<BundleServerOptions, "source" | "dataDir" | "version" | "drainMs" | "checkLimitMs">;

async function serve(options: ServeOptions) {
  const log = createRecordingLog();
  const server = await startBundleServer(
    { host: "127.0.0.1", port: 0, pollEveryMs: 3_600_000, ...options },
    new AbortController().signal,
    log,
  );
  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(server.url + path, init);
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      etag: response.headers.get("etag"),
      text: await response.text(),
    };
  };
  return { ...server, log, get };
}

/** Serves a bundle that can be replaced; a list of files becomes one. */
async function serveBundle(bundle: Buffer | Parameters<typeof buildTarGz>[0] = site("One")) {
  await using stack = new AsyncDisposableStack();
  const at = stack.use(await setUp(Buffer.isBuffer(bundle) ? bundle : buildTarGz(bundle)));
  const server = stack.use(await serve(at));
  const owned = stack.move();
  return { ...at, ...server, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe("a served bundle", () => {
  test("finds pages with and without file extension, and responds with 404 to others", async () => {
    await using server = await serveBundle();
    expect(await server.get("/")).toMatchObject({
      status: 200,
      text: "<h1>One</h1>",
      type: expect.stringContaining("text/html"),
    });
    expect(await server.get("/guide/start")).toMatchObject({ status: 200, text: "<h1>Start</h1>" });
    expect(await server.get("/guide/start.html")).toMatchObject({ status: 200, text: "<h1>Start</h1>" });
    expect(await server.get("/guide/")).toMatchObject({ status: 200, text: "<h1>Guide</h1>" });
    expect(await server.get("/app.css")).toMatchObject({ type: expect.stringContaining("text/css") });
    expect(await server.get("/nope")).toMatchObject({ status: 404, text: "<h1>Nowhere</h1>" });
  });

  test("does not respond with 404 if a file cannot be read", async () => {
    await using server = await serveBundle();
    const versions = join(server.dataDir, "versions");
    const [version = ""] = await readdir(versions);
    await symlink("loop.html", join(versions, version, "loop.html"));

    expect(await server.get("/loop")).toMatchObject({ status: 500 });
    expect(await server.get("/nope")).toMatchObject({ status: 404 });
  });

  test("redirects to the path at which a page's relative links work", async () => {
    const bundle = [
      { name: "index.html", body: "Home" },
      { name: "guide.html", body: "Guide" },
      { name: "ref/index.html", body: "Reference" },
      { name: "ref/a b#c.html", body: "Page" },
      { name: "evil.example.html", body: "Evil" },
      { name: "app.css", body: "h1{}" },
    ];
    await using server = await serveBundle(bundle);
    const follow = async (path: string) => {
      const response = await fetch(server.url + path, { redirect: "manual" });
      return response.headers.get("location") ?? (await response.text());
    };
    const expected = {
      "/": "Home",
      "/guide": "Guide",
      "/guide/": "/guide",
      "/guide//": "/guide",
      "/guide/?q=1&r=/": "/guide?q=1&r=/",
      "/guide.html": "Guide",
      "/guide.html/": "/guide.html",
      "/ref": "/ref/",
      "/ref?q": "/ref/?q",
      "/ref/": "Reference",
      "/ref/index": "Reference",
      "/ref/index/": "/ref/index",
      "/ref/a%20b%23c": "Page",
      "/ref/a%20b%23c/": "/ref/a%20b%23c",
      "/app.css/": "/app.css",
      "//evil.example": "/evil.example",
      "//evil.example/": "/evil.example",
      "/%2Fevil.example/": "Not found",
      "/\\evil.example/": "/evil.example",
      "/%5Cevil.example/": "Not found",
      "/%E0%A4%A": "Not found",
      [`/${"x".repeat(5000)}`]: "Not found",
      "/index.html/guide": "Not found",
    };
    const found: Record<string, string> = {};
    for (const path of Object.keys(expected)) found[path] = await follow(path);
    expect(found).toEqual(expected);
  });

  test("has a 404 page whose styles load at any depth", async () => {
    const notFound = '<!doctype html><head lang="en"><link rel="stylesheet" href="app.css"></head>';
    await using server = await serveBundle([
      { name: "index.html", body: "Home" },
      { name: "404.html", body: notFound },
    ]);
    const { status, text } = await server.get("/deep/in/nowhere");
    expect(status).toBe(404);
    expect(text).toBe(notFound.replace('"en">', '"en"><base href="/">'));
  });

  test("serves a page as Markdown to a client that prefers it", async () => {
    await using server = await serveBundle([
      { name: "index.html", body: "<h1>Home</h1>" },
      { name: "guide/start.html", body: "<h1>Start</h1>" },
      { name: "guide/start.md", body: "# Start" },
    ]);
    const get = async (path: string, accept: string) => {
      const { type, text } = await server.get(path, { headers: { accept } });
      return [type?.split(";")[0], text];
    };
    const html = ["text/html", "<h1>Start</h1>"];
    const markdown = ["text/markdown", "# Start"];
    expect(await get("/guide/start", "text/markdown")).toEqual(markdown);
    expect(await get("/guide/start.html", "text/markdown, text/html;q=0.5")).toEqual(markdown);
    expect(await get("/guide/start.md", "*/*")).toEqual(markdown);
    expect(await get("/guide/start", "text/html,application/xhtml+xml,*/*;q=0.8")).toEqual(html);
    expect(await get("/guide/start", "*/*")).toEqual(html);
    expect(await get("/", "text/markdown")).toEqual(["text/html", "<h1>Home</h1>"]);
    const { headers } = await fetch(`${server.url}/guide/start`);
    expect(headers.get("vary")).toContain("Accept");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    // It would also apply to other servers of the domain.
    expect(headers.get("strict-transport-security")).toBeNull();
  });

  test("compresses text for clients that accept it, and sets Vary", async () => {
    const script = `docsSearchLoaded("0-w0","${"word ".repeat(5000)}");`;
    await using server = await serveBundle([
      { name: "index.html", body: "Home" },
      { name: "site-assets/search/0-w0.js", body: script },
    ]);
    const url = `${server.url}/site-assets/search/0-w0.js`;
    const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.headers.get("vary")).toContain("Accept-Encoding");
    const packed = await fetch(url, { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("vary")).toContain("Accept-Encoding");
    expect(await packed.text()).toBe(await plain.text());
    // The bytes differ, so the ETag of the compressed response is weak.
    const tag = packed.headers.get("etag") ?? "";
    expect(tag).toBe(`W/${plain.headers.get("etag")}`);
    const again = await fetch(url, { headers: { "accept-encoding": "gzip", "if-none-match": tag } });
    expect(again.status).toBe(304);
  });

  test("gives each part of a file the ETag of the file", async () => {
    await using server = await serveBundle();
    const { etag } = await server.get("/");
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const range of ["bytes=0-0", "bytes=1-2"])
      expect(await server.get("/", { headers: { range } })).toMatchObject({ status: 206, etag });
  });

  test("gives the whole file to a download that began with another version", async () => {
    await using server = await serveBundle();
    const { etag } = await server.get("/");
    const resume = (tag: string | null) =>
      server.get("/", { headers: { range: "bytes=1-", "if-range": tag ?? "" } });
    expect(await resume(etag)).toMatchObject({ status: 206 });
    expect(await resume('"another"')).toMatchObject({ status: 200 });
  });

  test("responds with 304 to a browser that has the page", async () => {
    await using server = await serveBundle();
    const { etag } = await server.get("/");
    expect(await server.get("/", { headers: { "if-none-match": etag ?? "" } })).toMatchObject({
      status: 304,
    });
  });

  test.each(["/../data/active.json", "/%2e%2e/active.json", "/..%2f..%2factive.json", "/%2fetc/passwd"])(
    "gives nothing outside it for %s",
    async (path) => {
      await using at = await setUp(site("One"));
      await using server = await serve(at);
      expect((await server.get(path)).status).toBeGreaterThanOrEqual(400);
    },
  );

  test("serves a zip that contains the site in a folder", async () => {
    await using server = await serveBundle(buildZip([{ name: "out/index.html", body: "<h1>Zipped</h1>" }]));
    expect(await server.get("/")).toMatchObject({ text: "<h1>Zipped</h1>" });
  });

  test("switches to a new bundle while it runs, and keeps the previous version", async () => {
    await using server = await serveBundle();
    for (const text of ["Two", "Three", "Four"]) {
      await server.replace(site(text));
      await server.refresh();
      expect(await server.get("/")).toMatchObject({ text: `<h1>${text}</h1>` });
    }
    expect(await readdir(join(server.dataDir, "versions"))).toHaveLength(2);
  });

  test.each([
    ["cut", site("Two").subarray(0, 60)],
    ["hostile", buildTarGz([{ name: "../evil", body: "x" }])],
    ["an error page", Buffer.from("<html>Access denied</html>")],
  ])("keeps serving the old one if the new one is %s", async (_name, bad) => {
    await using server = await serveBundle();
    const before = server.activeSha256();
    await server.replace(bad);
    await server.refresh();
    expect(await server.get("/")).toMatchObject({ text: "<h1>One</h1>" });
    expect(server.activeSha256()).toBe(before);
    expect(server.log.lines.filter((line) => line.startsWith("warning"))).toEqual([
      expect.stringContaining("The previous bundle stays active"),
    ]);
  });

  test("is served after a restart even if the source became invalid", async () => {
    await using at = await setUp(site("One"));
    {
      await using first = await serve(at);
      expect(await first.get("/")).toMatchObject({ text: "<h1>One</h1>" });
    }
    await at.replace(Buffer.from("garbage"));
    await using second = await serve(at);
    expect(await second.get("/")).toMatchObject({ text: "<h1>One</h1>" });
  });

  test("is the only version after a restart: what a killed process was unpacking is removed", async () => {
    await using at = await setUp(site("One"));
    const sha256 = await serve(at).then(async (first) => {
      await first[Symbol.asyncDispose]();
      return first.activeSha256();
    });
    const versions = join(at.dataDir, "versions");
    // In a container, each process has the same id.
    await mkdir(join(versions, `another.${process.pid}.part`));
    await at.replace(Buffer.from("garbage"));

    await using _second = await serve(at);

    expect(await readdir(versions)).toEqual([sha256]);
  });

  test("is required to start", async () => {
    await using at = await setUp(Buffer.from("garbage"));
    await expect(serve(at)).rejects.toMatchObject({ code: "bundle-corrupt" });
    for (const source of ["/no/such/bundle", "https://["])
      await expect(serve({ ...at, source })).rejects.toMatchObject({ code: "not-found" });
  });

  test.each([
    ["ETag", { etag: '"v1"' }],
    ["time of change", { lastModified: "Sun, 29 Nov 2026 14:00:00 GMT" }],
  ])(
    "is downloaded once while its %s is unchanged, and the link's secret is not logged",
    async (_, version) => {
      await using at = await setUp(site("One"));
      await using storage = await startStorage({ object: { body: site("Linked"), ...version } });
      const { url } = await storage.getLink();
      await using server = await serve({ ...at, source: url });
      expect(await server.get("/")).toMatchObject({ text: "<h1>Linked</h1>" });
      const { sentBytes } = storage;
      await server.refresh();
      expect(storage.sentBytes - sentBytes).toBeLessThanOrEqual(1);
      expect(server.log.lines.join("\n")).not.toContain(new URL(url).searchParams.get("X-Amz-Signature"));
      expect(await readdir(at.dataDir)).not.toContain("incoming");
    },
  );

  test("is missing if its link expired, and the error has the next step", async () => {
    await using at = await setUp(site("One"));
    await using storage = await startStorage({ object: { body: site("Linked") }, linkLifeMs: -1 });
    const { url } = await storage.getLink();
    await expect(serve({ ...at, source: url })).rejects.toMatchObject({
      message: expect.stringMatching(/^The link to the bundle .* expired.*`job-id` to get a fresh link\.$/),
    });
  });

  test("is missing if its storage does not respond, and the error says so", async () => {
    await using at = await setUp(site("One"));
    const source = "http://127.0.0.1:9/bundle.zip";
    await expect(serve({ ...at, source })).rejects.toMatchObject({
      code: "unreachable",
      message: "The bundle could not be downloaded: the connection failed (ECONNREFUSED).",
    });
  });

  test("can wait for a valid link in a link file, and `/readyz` has the reason", async () => {
    await using at = await setUp(site("One"));
    await using storage = await startStorage({ object: { body: site("Linked") } });
    await using expired = await startStorage({ object: { body: site("Linked") }, linkLifeMs: -1 });
    const file = join(at.dataDir, "..", "url");
    await using server = await serve({ source: `@${file}`, dataDir: at.dataDir });

    await server.refresh();
    const missing = await server.get("/readyz");
    const { url: expiredUrl } = await expired.getLink();
    await writeFile(file, expiredUrl);
    await server.refresh();
    await server.refresh();
    const refused = [await server.get("/readyz"), await server.get("/"), await server.get("/livez")];
    const warnings = server.log.lines.filter((line) => line.startsWith("warning"));
    await writeFile(file, `${(await storage.getLink()).url}\n`);
    await server.refresh();

    expect(missing).toMatchObject({ status: 503, text: "No bundle is served: not-found" });
    expect(refused).toMatchObject([
      { status: 503, text: "No bundle is served: the link expired" },
      { status: 503, text: "The site is starting." },
      { status: 200, text: "ok" },
    ]);
    expect(warnings).toEqual([
      expect.stringContaining(`There is no link to a bundle in ${file}. There is no bundle to serve yet.`),
      expect.stringMatching(/The link to the bundle .* expired.*There is no bundle to serve yet\.$/),
    ]);
    expect(await server.get("/readyz")).toMatchObject({ status: 200, text: "ok" });
    expect(await server.get("/")).toMatchObject({ text: "<h1>Linked</h1>" });
    expect(server.log.lines.join("\n")).not.toContain(new URL(expiredUrl).search);
  });

  test("uses the new link of its link file, and stays ready with the old site if the link expires", async () => {
    await using at = await setUp(site("One"));
    await using first = await startStorage({ object: { body: site("First"), etag: '"1"' } });
    await using second = await startStorage({ object: { body: site("Second"), etag: '"1"' } });
    await using expired = await startStorage({ object: { body: site("Third") }, linkLifeMs: -1 });
    const file = join(at.dataDir, "..", "url");
    await writeFile(file, (await first.getLink()).url);
    await using server = await serve({ source: `@${file}`, dataDir: at.dataDir });

    const texts: string[] = [];
    for (const storage of [first, second, expired]) {
      await writeFile(file, (await storage.getLink()).url);
      await server.refresh();
      texts.push((await server.get("/")).text);
    }

    expect(texts).toEqual(["First", "Second", "Second"].map((text) => `<h1>${text}</h1>`));
    expect(await server.get("/readyz")).toMatchObject({ status: 200 });
  });

  test("stays active if its storage accepts a check and never responds, and the next check finds a new bundle", async () => {
    await using at = await setUp(site("One"));
    let isSilent = false;
    let object = { body: site("First"), etag: '"1"' };
    await using storage = await startStorage({
      object,
      misbehave: () => (isSilent ? { kind: "stall", afterBytes: 0 } : { kind: "replace", object }),
    });
    const { url: source } = await storage.getLink();
    await using server = await serve({ source, dataDir: at.dataDir, checkLimitMs: 1_000 });

    isSilent = true;
    await server.refresh();
    const before = await server.get("/");
    isSilent = false;
    object = { body: site("Second"), etag: '"2"' };
    await server.refresh();

    expect(before.text).toBe("<h1>First</h1>");
    expect((await server.get("/")).text).toBe("<h1>Second</h1>");
    expect(server.log.lines.filter((line) => line.startsWith("warning"))).toEqual([
      expect.stringContaining("no response within 1 s. The previous bundle stays active"),
    ]);
  });

  test("is downloaded once through a link that redirects, and again when it changes", async () => {
    await using at = await setUp(site("One"));
    let object = { body: site("First"), etag: '"1"' };
    await using storage = await startStorage({ object, misbehave: () => ({ kind: "replace", object }) });
    const { url: location } = await storage.getLink();
    await using front = await startStorage({
      object,
      misbehave: () => ({ kind: "answer", status: 302, headers: { location } }),
    });
    const { url: source } = await front.getLink();
    await using server = await serve({ source, dataDir: at.dataDir });
    const { sentBytes } = storage;

    await server.refresh();
    expect(storage.sentBytes - sentBytes).toBeLessThanOrEqual(1);
    object = { body: site("Second"), etag: '"2"' };
    await server.refresh();
    expect((await server.get("/")).text).toBe("<h1>Second</h1>");
  });

  test("is downloaded once if it is damaged, and again when its storage has another one", async () => {
    await using at = await setUp(site("One"));
    await using damaged = await startStorage({ object: { body: Buffer.from("no archive"), etag: '"1"' } });
    await using good = await startStorage({ object: { body: site("Good"), etag: '"1"' } });
    const file = join(at.dataDir, "..", "url");
    await writeFile(file, (await damaged.getLink()).url);
    await using server = await serve({ source: `@${file}`, dataDir: at.dataDir });
    await server.refresh();
    const { sentBytes } = damaged;

    await server.refresh();
    const readiness = await server.get("/readyz");
    await writeFile(file, (await good.getLink()).url);
    await server.refresh();

    expect(damaged.sentBytes - sentBytes).toBeLessThanOrEqual(1);
    expect(readiness).toMatchObject({ status: 503, text: "No bundle is served: bundle-corrupt" });
    expect(await server.get("/")).toMatchObject({ text: "<h1>Good</h1>" });
    expect(server.log.lines.filter((line) => line.startsWith("warning"))).toHaveLength(1);
  });

  test("stays pinned to its version, even after a restart without the source", async () => {
    await using at = await setUp(site("One"));
    const pinned = { ...at, version: "2025.10" };
    {
      await using first = await serve(pinned);
      await at.replace(site("Two"));
      await first.refresh();
      expect(await first.get("/")).toMatchObject({ text: "<h1>One</h1>" });
    }
    {
      await using second = await serve({ ...pinned, source: "/no/such/bundle" });
      expect(await second.get("/")).toMatchObject({ text: "<h1>One</h1>" });
    }
    await using third = await serve({ ...at, version: "2025.11" });
    expect(await third.get("/")).toMatchObject({ text: "<h1>Two</h1>" });
  });
});
