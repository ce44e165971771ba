import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RenderSiteOptions } from "../../../src/server/site/render-site.ts";
import { findBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { createFolder } from "../../support/temporary-folder.ts";
import { type RenderedFolder, renderFiles, renderFolder } from "./render-files.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
const digest = createHash("sha256").update(png).digest("hex").slice(0, 32);

const bodies: Readonly<Record<string, readonly [status: number, body: string | Buffer, location?: string]>> =
  {
    "/a.png": [200, png],
    "/same.jpg?size=1": [200, png],
    "/drawing": [200, svg],
    "/active.svg": [200, svg.replace("<path", "<script>alert(1)</script><path")],
    "/page.png": [200, "<!doctype html><p>no picture"],
    "/text.png": [200, "no picture"],
    "/large.png": [200, Buffer.concat([png, Buffer.alloc(17 * 1024 * 1024)])],
    "/moved.png": [302, "", "/a.png"],
    "/metadata.png": [302, "", "http://169.254.169.254/latest/meta-data"],
    "/plain.png": [302, "", "http://pictures.example/a.png"],
    "/round.png": [302, "", "/round.png"],
    "/gone.png": [404, "gone"],
  };

async function startPictures() {
  return await startHttpServer((request) => {
    const { pathname, search } = new URL(request.url);
    const [status, body, location] = bodies[pathname + search] ?? [500, ""];
    const content = typeof body === "string" ? body : new Uint8Array(body);
    return new Response(content, { status, headers: location === undefined ? {} : { location } });
  });
}

const fetchOptions = { remoteMedia: "fetch", allowedHosts: ["127.0.0.1"] } as const;

function messagesOf({ warnings }: RenderedFolder): string[] {
  return warnings.map(({ kind, page, line, message }) => `${kind} ${page}:${line} ${message}`);
}

describe("pictures that are fetched", () => {
  test("lie in the site under a name made from their content, each fetched once", async () => {
    await using server = await startPictures();
    const { url } = server;
    await using site = await renderFiles(
      {
        "index.md": `![one](${url}/a.png) ![two](${url}/a.png) ![three](${url}/same.jpg?size=1)\n\n<img src="${url}/drawing" />`,
        "deep/page.md": `![again](${url}/a.png) ![moved](${url}/moved.png)`,
      },
      fetchOptions,
    );
    expect(site.warnings).toEqual([]);
    const files = (await site.list()).filter((path) => /^site-assets\/remote\/./.test(path));
    expect(files).toHaveLength(2);
    expect(files).toContain(`site-assets/remote/${digest}.png`);
    expect(await site.read("index.html")).toContain(
      `<img src="site-assets/remote/${digest}.png" alt="three"`,
    );
    expect(await site.read("deep/page.html")).toContain(
      `src="../site-assets/remote/${digest}.png" alt="moved"`,
    );
    expect(await site.read("index.md")).toContain(`![one](site-assets/remote/${digest}.png)`);
    expect(await site.read("index.html")).not.toContain("https:; ");
    expect(server.requests.map(({ path }) => path).sort()).toEqual(
      ["/a.png", "/a.png", "/drawing", "/moved.png", "/same.jpg?size=1"].sort(),
    );
  });

  test.each([
    ["/active.svg", "this image contains <script>, which may run code or load resources"],
    ["/page.png", /^this /],
    ["/text.png", "it is not a picture of a supported format"],
    ["/large.png", "it is larger than 16777216 bytes"],
    ["/metadata.png", "its URL is not https"],
    ["/plain.png", "its URL is not https"],
    ["/round.png", "its server has no public address, or sent an unusable response"],
    ["/gone.png", "its server responded with status 404"],
  ])("%s stays a link, and the report says why", async (path, reason) => {
    await using server = await startPictures();
    const address = server.url + path;
    await using site = await renderFiles({ "index.md": `\n![x](${address})` }, fetchOptions);
    expect(await site.read("index.html")).toContain(`<a href="${address}"`);
    const [message = "", ...others] = messagesOf(site);
    const start = `media index.md:2 the remote picture ${address} became a link, because it was not fetched: `;
    expect(message.slice(0, start.length)).toBe(start);
    expect(message.slice(start.length)).toEqual(
      typeof reason === "string" ? reason : expect.stringMatching(reason),
    );
    expect(others).toEqual([]);
    expect((await site.list()).filter((file) => file.startsWith("site-assets/remote"))).toEqual([]);
  });

  test.each([
    "https://127.0.0.1:9/x.png",
    "https://localhost:9/x.png",
    "https://10.0.0.1/x.png",
    "https://[::ffff:169.254.169.254]/x.png",
    "https://metadata.google.internal/x.png",
    "https://intranet/x.png",
  ])("nothing is fetched from %s", async (address) => {
    await using site = await renderFiles(
      { "index.md": `<img src="${address}" alt="x">` },
      { remoteMedia: "fetch" },
    );
    expect(messagesOf(site).join()).toMatch(/not fetched: its address is not public$/);
  });

  test("are fetched for the pages of a large site, too", async () => {
    await using server = await startPictures();
    const pages = Array.from({ length: 210 }, (_, at) => [`p${at}.md`, `![x](${server.url}/a.png) ${at}`]);
    await using site = await renderFiles(Object.fromEntries(pages), fetchOptions);
    expect(site.warnings).toEqual([]);
    expect(await site.read("p209.html")).toContain(`src="site-assets/remote/${digest}.png"`);
    expect(server.requests).toHaveLength(1);
  });
});

const elsewhere = "https://media.example";
const page = [
  `![picture](${elsewhere}/a.png)`,
  `<video src="${elsewhere}/v.mp4" poster="${elsewhere}/still.png" />`,
  `<iframe src="${elsewhere}/frame" title="A frame" width="300" srcdoc="<script>alert(1)</script>" onload="alert(1)" />`,
  `<iframe src="http://media.example/plain" title="Plain" />`,
  `<iframe src="data:text/html,<script>alert(1)</script>" title="Data" />`,
  `<iframe src="./plain" title="Own" />`,
].join("\n\n");

describe("media that are kept", () => {
  test("are as they were written, on pages that may load just these", async () => {
    await using site = await renderFiles(
      { "index.mdx": page, "plain.md": "Text.", "picture.md": `![x](${elsewhere}/a.png)` },
      { remoteMedia: "keep" },
    );
    const policyOf = async (path: string) =>
      / content="(default-src[^"]*)"/.exec(await site.read(path))?.[1]?.replaceAll("&#39;", "'");
    expect(await policyOf("plain.html")).not.toContain("https:");
    expect(await policyOf("picture.html")).toMatch(
      /img-src 'self' file: data: https:; media-src 'self' file:; base/,
    );
    expect(await policyOf("index.html")).toMatch(
      /img-src [^;]* https:; media-src [^;]* https:; frame-src https:; base-uri/,
    );
    const html = await site.read("index.html");
    expect(html).toContain(`<img src="${elsewhere}/a.png" alt="picture" loading="lazy">`);
    expect(html).toContain(`<video src="${elsewhere}/v.mp4" poster="${elsewhere}/still.png" controls>`);
    expect(html.match(/<iframe[^>]*>/g)).toEqual([
      `<iframe title="A frame" src="${elsewhere}/frame" width="300" sandbox="allow-scripts allow-same-origin allow-popups allow-presentation" referrerpolicy="no-referrer" loading="lazy" allow="fullscreen">`,
    ]);
    expect(messagesOf(site)).toEqual([
      "media index.mdx:7 the remote frame http://media.example/plain became a link",
      expect.stringMatching(/^link index.mdx:9 the link data:.* URLs of this type are not allowed$/),
      "media index.mdx:11 the frame ./plain became a link",
    ]);
  });

  test("the cache of an export with other media changes nothing", async () => {
    await using docs = await createFolder({ "index.mdx": page });
    await using cache = await createFolder();
    const render = async (options: Partial<RenderSiteOptions>) => {
      await using site = await renderFolder(docs, options);
      return await site.read("index.html");
    };
    for (const remoteMedia of ["keep", "link", "keep"] as const)
      expect(await render({ remoteMedia, cacheDir: cache.path })).toBe(await render({ remoteMedia }));
  });
});

const found = await findBrowser();
const suffix = found.kind === "none" ? ` (skipped: ${found.reason})` : "";

describe.skipIf(found.kind === "none")(`media from elsewhere, opened from disk${suffix}`, () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    if (found.kind !== "none") browser = await startBrowser(found);
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  async function open(options: Partial<RenderSiteOptions>, body = page) {
    await using site = await renderFiles({ "index.mdx": body }, options);
    await using observed = await browser.openPage();
    await observed.page.goto(pathToFileURL(`${site.path}/index.html`).href, { waitUntil: "load" });
    const pictures = observed.page.locator("article img");
    const widths = await pictures.evaluateAll((all) =>
      all.map((one) => (one as unknown as { readonly naturalWidth: number }).naturalWidth),
    );
    return {
      widths,
      links: await observed.page.locator("article a.missing-media").count(),
      requests: [...new Set(observed.foreignRequests)].sort(),
      complaints: [...observed.complaints],
    };
  }

  test("links load nothing", async () => {
    expect(await open({})).toEqual({ widths: [], links: 4, requests: [], complaints: [] });
  });

  test("what is kept is loaded, and no policy stands in its way", async () => {
    const { requests, complaints } = await open({ remoteMedia: "keep" });
    expect(requests).toEqual(["a.png", "frame", "still.png", "v.mp4"].map((name) => `${elsewhere}/${name}`));
    expect(complaints.filter((complaint) => !complaint.includes("ERR_FAILED"))).toEqual([]);
  });

  test("what was fetched is shown without a request", async () => {
    await using server = await startPictures();
    const shown = await open(fetchOptions, `![x](${server.url}/a.png)`);
    expect(shown).toEqual({ widths: [1], links: 0, requests: [], complaints: [] });
  });
});
