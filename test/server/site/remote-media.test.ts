import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RenderSiteOptions } from "../../../src/server/site/render-site.ts";
import { findBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { createFolder } from "./docs-folder.ts";
import { type RenderedFolder, renderFiles, renderFolder } from "./render-files.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
const digest = createHash("sha256").update(png).digest("hex").slice(0, 32);

function plants(summary: string) {
  return { openapi: "3.0.3", paths: { "/plants": { get: { summary, description: "All that grow." } } } };
}

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
    "/openapi.json": [200, JSON.stringify(plants("List plants"))],
    "/specs/pets?v=2": [200, "openapi: 3.1.0\npaths:\n  /pets:\n    get: { summary: List pets }\n"],
    "/moved-spec": [301, "", "/openapi.json"],
    "/login.json": [200, "<!doctype html><p>Sign in"],
    "/gone.json": [404, "gone"],
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

/** A site with these tabs. */
function configure(...tabs: object[]): string {
  return JSON.stringify({ navigation: { tabs: [{ tab: "Guide", pages: ["index"] }, ...tabs] } });
}

describe("OpenAPI documents that are fetched", () => {
  test("are read like those of the site", async () => {
    await using server = await startPictures();
    const { url } = server;
    await using site = await renderFiles(
      {
        "docs.json": configure(
          { tab: "API", openapi: `${url}/openapi.json` },
          { tab: "Pets", openapi: { source: `${url}/specs/pets?v=2`, directory: "pets" } },
          { tab: "Moved", pages: [`${url}/moved-spec GET /plants`] },
        ),
        "index.md": "# Plants\n",
        "own.mdx": `---\nopenapi: ${url}/openapi.json GET /plants\n---\n`,
      },
      fetchOptions,
    );
    expect(site.warnings).toEqual([]);
    expect(await site.read("api-reference/list-plants.html")).toContain("All that grow.");
    expect(await site.read("pets/list-pets.html")).toContain("/pets");
    expect(await site.read("api-reference/list-plants-2.html")).toContain("All that grow.");
    expect(await site.read("own.html")).toContain("All that grow.");
    expect(server.requests.filter(({ path }) => path === "/openapi.json")).toHaveLength(2);
  });

  test("say why they were not, and leave the rest as it is", async () => {
    await using server = await startPictures();
    const { url } = server;
    await using site = await renderFiles(
      {
        "docs.json": configure(
          { tab: "A", openapi: `${url}/gone.json` },
          { tab: "B", openapi: "http://169.254.169.254/openapi.json" },
          { tab: "C", openapi: `${url}/login.json` },
          { tab: "D", openapi: "https://" },
        ),
        "index.md": "# Plants\n",
      },
      fetchOptions,
    );
    expect(messagesOf(site).map((message) => message.replaceAll(url, "https://host"))).toMatchInlineSnapshot(`
      [
        "api docs.json:undefined the OpenAPI document https://host/gone.json was not fetched: its server responded with status 404",
        "api docs.json:undefined the OpenAPI document http://169.254.169.254/openapi.json was not fetched: its URL is not https",
        "api docs.json:undefined the OpenAPI document https:// was not fetched: its URL is invalid",
        "api https://host/login.json:undefined it cannot be parsed: Unexpected token '<', "<!doctype "... is not valid JSON",
      ]
    `);
    expect(await site.read("index.html")).toContain("Plants");
  });

  test("are limited like those of the site, and together", async () => {
    const large = `openapi: 3.1.0\ninfo: { description: "${"x".repeat(9 * 1024 * 1024)}" }\npaths: {}\n`;
    await using server = await startHttpServer(({ url }) =>
      url.endsWith("yaml") ? new Response(large) : Response.json({ filled: "x".repeat(31 * 1024 * 1024) }),
    );
    const names = ["large.yaml", "a.json", "b.json", "c.json"];
    const tabs = names.map((tab) => ({ tab, openapi: `${server.url}/${tab}` }));
    await using site = await renderFiles(
      { "docs.json": configure(...tabs, { tab: "Local", openapi: "a.json" }), "index.md": "# Plants\n" },
      fetchOptions,
    );
    const said = messagesOf(site).map((message) => message.replaceAll(server.url, "https://host"));
    expect(said).toContainEqual(
      expect.stringMatching(/host\/large\.yaml:undefined the file has \d+ bytes; at most 8388608 are read$/),
    );
    expect(said).toContainEqual(
      expect.stringMatching(/document https:\/\/host\/b\.json was not fetched: it is larger than \d+ bytes$/),
    );
    expect(said).toContain(
      "api docs.json:undefined the OpenAPI document a.json is not part of the documents",
    );
  });

  test("are read again by the next export, which keeps unchanged pages", async () => {
    let summary = "List plants";
    await using server = await startHttpServer(() => Response.json(plants(summary)));
    await using cache = await createFolder({});
    const files = {
      "docs.json": configure({ tab: "API", openapi: `${server.url}/openapi.json` }),
      "index.md": "# Plants\n",
    };
    const options = { ...fetchOptions, cacheDir: cache.path };
    await using first = await renderFiles(files, options);
    expect(await first.read("api-reference/list-plants.html")).toContain("List plants");
    summary = "Every plant";
    await using second = await renderFiles(files, options);
    expect(await second.read("api-reference/every-plant.html")).toContain("Every plant");
  });

  test("have no page of their own, whatever their address ends with", async () => {
    await using server = await startHttpServer(() => new Response("# A page of elsewhere\n"));
    await using site = await renderFiles(
      { "docs.json": configure({ tab: "API", openapi: `${server.url}/page.md` }), "index.md": "# Plants\n" },
      fetchOptions,
    );
    expect(site.pages).toEqual(["index.html"]);
  });
});

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

  test("a picture of the site itself is not fetched", async () => {
    await using server = await startPictures();
    const { url } = server;
    await using site = await renderFiles(
      {
        "docs.json": JSON.stringify({
          seo: { metatags: { canonical: url } },
          navigation: { pages: ["index"] },
        }),
        "index.md": `![here](${url}/a.png)`,
        "a.png": png.toString("latin1"),
      },
      fetchOptions,
    );
    expect(await site.read("index.html")).toContain('<img src="a.png" alt="here"');
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["/active.svg", "this image contains <script>, which may run code or load resources"],
    ["/page.png", /^this /],
    ["/text.png", "it is not a picture of a supported format"],
    ["/large.png", "it is larger than 16777216 bytes"],
    ["/metadata.png", "its URL is not https"],
    ["/plain.png", "its URL is not https"],
    ["/round.png", "there are too many redirects"],
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
      return site.read("index.html");
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
