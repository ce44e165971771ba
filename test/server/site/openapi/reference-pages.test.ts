import { describe, expect, it } from "vitest";
import type { NavigationNode } from "../../../../src/server/site/navigation.ts";
import { planSite } from "../../../../src/server/site/plan-site.ts";
import { createFolder } from "../../../support/temporary-folder.ts";
import { renderFiles } from "../render-files.ts";
import { describeSite } from "./described-page.ts";

const responses = { 200: { description: "Fine." } };

const plants = {
  openapi: "3.1.0",
  info: { title: "Plants", version: "1" },
  tags: [{ name: "user-data", "x-group": "User data" }],
  paths: {
    "/plants": {
      get: { summary: "List plants", description: "All of them.", tags: ["Plants"], responses },
      post: { summary: "List plants", tags: ["Plants"], deprecated: true, responses },
    },
    "/users/{id}/keys": { get: { tags: ["user-data"], responses } },
    "/secret": { get: { summary: "Secret", "x-hidden": true, responses } },
    "/gone": { get: { summary: "Gone", "x-excluded": true, responses } },
    "/moved": {
      get: {
        summary: "Moved",
        "x-mint": {
          metadata: { title: "Another title", description: "Short." },
          content: "<Note>{1 + 1} things</Note>",
        },
        responses,
      },
    },
  },
  webhooks: { "plant-grown": { post: { responses } } },
};

function print(nodes: readonly NavigationNode[], indent = ""): string {
  const lines = nodes.map((node) => {
    if (node.kind === "group") return `${indent}${node.title}\n${print(node.children, `${indent}  `)}`;
    if (node.kind === "link") return `${indent}${node.title}\n`;
    const marks = [node.method, node.deprecated && "deprecated"].filter(Boolean).join(" ");
    return `${indent}${node.title} (${marks}) ${node.route.slug}\n`;
  });
  return lines.join("");
}

it("uses a page with a file at the path of an operation", async () => {
  await using docs = await createFolder({
    "docs.json": JSON.stringify({ navigation: { groups: [{ group: "API", openapi: "plants.json" }] } }),
    "plants.json": JSON.stringify(plants),
    "api-reference/plants/list-plants.mdx": "# All the plants",
  });
  const { pages, navigation } = await planSite(
    { docsDir: docs.path },
    new AbortController().signal,
    () => undefined,
  );
  expect(print(navigation)).toContain("All the plants () api-reference/plants/list-plants\n");
  expect(pages.filter(({ route }) => route.slug.endsWith("/list-plants"))).toHaveLength(1);
});

it("generates a page for each operation if the navigation names only the document", async () => {
  const site = await describeSite({
    "docs.json": { navigation: { tabs: [{ tab: "API", openapi: "plants.json" }] } },
    "plants.json": plants,
  });
  expect(print(site.navigation)).toMatchInlineSnapshot(`
    "API
      Plants
        List plants (GET) api-reference/plants/list-plants
        List plants (POST deprecated) api-reference/plants/list-plants-1
      User data
        Get users keys (GET) api-reference/user-data/get-users-keys
      API Reference
        Another title (GET) api-reference/moved
        Plant grown (WEBHOOK) api-reference/plant-grown
    "
  `);
  const secret = site.pages.find(({ route }) => route.slug === "api-reference/secret");
  expect(secret?.frontMatter.hidden).toBe(true);
  expect(site.pages.some(({ title }) => title === "Gone")).toBe(false);
  expect(site.warnings).toEqual([]);
  const list = site.pages.find(({ route }) => route.slug === "api-reference/plants/list-plants");
  expect(list).toMatchObject({
    title: "List plants",
    frontMatter: { description: "All of them.", endpoint: "GET /plants" },
  });
  const moved = site.pages.find(({ route }) => route.slug === "api-reference/moved");
  expect(moved).toMatchObject({ title: "Another title", frontMatter: { description: "Short." } });
  expect(site.outlines.get("api-reference/moved")).toMatch(/^<Note>\n {2}text 2 things\n<RequestExample>/);
});

it("gives an operation's page the path of its `href`", async () => {
  const paths = Object.fromEntries(
    ["/zh/API/plants/list/", "/../zh/existing", "/", " "].map((href, index) => [
      `/plants/${index}`,
      { get: { summary: `Plants ${index}`, "x-mint": { href }, responses } },
    ]),
  );
  const site = await describeSite({
    "docs.json": { navigation: { tabs: [{ tab: "API", openapi: "plants.json" }] } },
    "plants.json": { ...plants, paths, webhooks: {} },
    "zh/existing.md": "# An own page",
  });
  expect(print(site.navigation)).toMatchInlineSnapshot(`
    "API
      API Reference
        Plants 0 (GET) zh/api/plants/list
        An own page () zh/existing
        Plants 2 (GET) api-reference/plants-2
        Plants 3 (GET) api-reference/plants-3
    "
  `);
  expect(site.warnings).toEqual([]);
});

it.each([
  ["braces", { summary: `a${"{".repeat(300_000)}` }],
  ["line breaks", { summary: "a", description: `a${"\n\f".repeat(300_000)}b` }],
])("describes an operation with many %s", async (_name, operation) => {
  const site = await describeSite({
    "docs.json": { navigation: { tabs: [{ tab: "API", openapi: "plants.json" }] } },
    "plants.json": { ...plants, paths: { "/plants": { get: { ...operation, responses } } }, webhooks: {} },
  });
  expect(print(site.navigation)).toMatch(/\(GET\) api-reference\/a\n/);
});

it("uses the first paragraph of a description as the lead, whatever the line endings", async () => {
  const get = { summary: "List", description: "All of them.\r\n\r\nIn order.", responses };
  const site = await describeSite({
    "docs.json": { navigation: { tabs: [{ tab: "API", openapi: "plants.json" }] } },
    "plants.json": { ...plants, paths: { "/plants": { get } }, webhooks: {} },
  });
  expect(site.pages.map(({ frontMatter }) => frontMatter.description)).toEqual(["All of them."]);
  expect(site.outlines.get("api-reference/list")).toContain("In order.\n");
});

it("finds operations among other entries, in the document of the nearest ancestor", async () => {
  const other = { ...plants, paths: { "/plants": { get: { summary: "Other plants", responses } } } };
  const site = await describeSite({
    "docs.json": {
      navigation: {
        groups: [
          {
            group: "Outer",
            openapi: { source: "/plants.json", directory: "outer" },
            pages: [
              "start",
              "GET /plants",
              { group: "Inner", openapi: ["other.json"], pages: ["get /plants/", "DELETE /nothing"] },
              "other.json GET /plants",
              "WEBHOOK plant-grown",
            ],
          },
        ],
      },
    },
    "plants.json": plants,
    "other.json": other,
    "start.md": "# Start\n",
  });
  expect(print(site.navigation)).toMatchInlineSnapshot(`
    "Outer
      Start () start
      List plants (GET) outer/plants/list-plants
      Inner
        Other plants (GET) api-reference/other-plants
      Other plants (GET) api-reference/other-plants
      Plant grown (WEBHOOK) outer/plant-grown
    "
  `);
  expect(site.warnings).toEqual([
    "configuration: docs.json: the navigation names “DELETE /nothing”, but there is no such page",
  ]);
});

it("finds the operation of front matter in its document, in inherited ones, or in any", async () => {
  const api = (summary: string, path = "/plants") => ({
    openapi: "3.0.0",
    paths: { [path]: { get: { summary, responses } } },
  });
  const site = await describeSite({
    "docs.json": {
      api: { openapi: "root.json" },
      navigation: {
        groups: [
          { group: "A", openapi: "a.json", pages: ["inherits"] },
          { group: "B", pages: ["root", "any", "named", "missing", "far"] },
        ],
      },
    },
    "a.json": api("From the group"),
    "root.json": api("From the root"),
    "specs/deep.yaml": "openapi: 3.0.0\npaths:\n  /deep:\n    get: {summary: From any, responses: {}}\n",
    "inherits.mdx": "---\nopenapi: GET /plants\n---\n",
    "root.mdx": "---\nopenapi: get /plants/\n---\n",
    "any.mdx": "---\nopenapi: GET /deep\n---\n",
    "named.mdx": "---\nopenapi: deep.yaml GET /deep\ntitle: Own title\n---\n",
    "missing.mdx": "---\nopenapi: POST /plants\n---\nOwn text.\n",
    "far.mdx": "---\nopenapi: https://example.com/api.json GET /x\n---\n",
  });
  expect(Object.fromEntries(site.pages.map(({ route, title }) => [route.slug, title]))).toEqual({
    any: "From any",
    far: "Far",
    inherits: "From the group",
    missing: "Missing",
    named: "Own title",
    root: "From the root",
  });
  expect(site.outlines.get("missing")).toBe(
    "Own text.\n<Note>\n  The description of POST /plants is not part of this site.\n",
  );
  expect(site.warnings).toEqual([
    "api: far.mdx: “https://example.com/api.json GET /x” is in no OpenAPI document of the site",
    "api: missing.mdx: “POST /plants” is in no OpenAPI document of the site",
  ]);
});

it("finds an operation in a document that is larger than a page may be", async () => {
  const large = { ...plants, info: { ...plants.info, description: "x".repeat(2 * 1024 * 1024) } };
  const page = "---\nopenapi: GET /plants\n---\n";
  const { pages, warnings } = await describeSite({ "plants.json": large, "page.mdx": page });
  expect(pages[0]?.title).toBe("List plants");
  expect(warnings).toEqual([]);
});

it("reports unusable documents and entries, and URLs that are not fetched", async () => {
  const site = await describeSite({
    "docs.json": {
      navigation: {
        tabs: [
          { tab: "A", openapi: "broken.json" },
          { tab: "B", openapi: "https://example.com/openapi.json" },
          { tab: "C", openapi: "none.yaml" },
          { tab: "D", openapi: "data.json" },
          { tab: "E", openapi: "object.json" },
          { tab: "F", pages: ["start"] },
        ],
      },
    },
    "broken.json": "{",
    "data.json": "[]",
    "object.json": '{"openapi":{"toString":"3.1.0"}}',
    "start.md": "# Start\n",
  });
  expect(site.warnings).toMatchInlineSnapshot(`
    [
      "api: broken.json: it cannot be parsed: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
      "api: docs.json: the OpenAPI document https://example.com/openapi.json is not fetched: add a copy to the documents",
      "api: docs.json: the OpenAPI document none.yaml is not part of the documents",
      "api: data.json: it is not an OpenAPI document of version 3.0 or 3.1",
      "api: object.json: it is not an OpenAPI document of version 3.0 or 3.1",
    ]
  `);
});

describe("merge keys of a YAML document", () => {
  const pages = { "docs.json": { openapi: "api.yaml" }, "page.mdx": "---\nopenapi: GET /plants/{id}\n---\n" };
  const yaml = (...lines: string[]) => ["openapi: 3.0.0", ...lines, ""].join("\n");

  it("add what the object does not have itself, also through another merge, and from the first of several sources", async () => {
    const site = await describeSite({
      ...pages,
      "api.yaml": yaml(
        "x-base: &base {in: path, required: true, schema: {type: integer}, description: Base}",
        "x-id: &id {<<: *base, name: id, description: Which plant}",
        "x-other: &other {name: other, example: 7}",
        "paths:",
        "  /plants/{id}:",
        "    get:",
        "      parameters:",
        "        - <<: [*id, *other]",
        "          schema: {type: string}",
      ),
    });
    expect(site.warnings).toEqual([]);
    expect(site.outlines.get("page")).toContain(
      "## Path parameters\n<ParamField name=id type=string required>\n  Which plant\n  Example: 7\n",
    );
  });

  it("are limited, so that a small document cannot fill the memory", async () => {
    const keys = Array.from({ length: 1000 }, (_, at) => `k${at}: 1`).join(", ");
    const uses = Array.from({ length: 300 }, (_, at) => `x-${at}: {<<: *many}`);
    const site = await describeSite({
      ...pages,
      "api.yaml": yaml(`x-many: &many {${keys}}`, ...uses, "paths: {}"),
    });
    expect(site.warnings[0]).toBe(
      "api: api.yaml: it cannot be parsed: its merge keys add too many properties",
    );
  });
});

it("reports a missing document once, whatever number of pages needs it", async () => {
  const url = "https://example.com/openapi.json";
  const site = await describeSite({
    "docs.json": { openapi: url, navigation: { pages: ["one", "two", "three", "GET /one", "GET /two"] } },
    "one.mdx": "---\nopenapi: GET /one\n---\n",
    "two.mdx": "---\nopenapi: GET /two\n---\n",
    "three.mdx": `---\nopenapi: ${url} GET /three\n---\n`,
  });
  expect(site.warnings).toEqual([
    `api: docs.json: the OpenAPI document ${url} is not fetched: add a copy to the documents`,
  ]);
});

it("reports a broken link of the document once for a page, without a line of the page", async () => {
  const operation = { description: "Short.\n\nSee [a](/gone).\n\nSee [b](/gone).", responses };
  await using site = await renderFiles({
    "api.json": JSON.stringify({ ...plants, paths: { "/one": { get: operation } } }),
    "one.mdx": "---\nopenapi: GET /one\n---\n\n[c](/none)",
  });
  expect(site.warnings).toEqual([
    { kind: "link", page: "one.mdx", line: 5, message: "the link /none is broken: there is no such page" },
    { kind: "link", page: "one.mdx", message: "the link /gone is broken: there is no such page" },
  ]);
});

it("titles the sections of a page in its language", async () => {
  const site = await describeSite({
    "api.json": plants,
    "es/page.mdx": "---\nlang: es\nopenapi: POST /plants\n---\n",
  });
  expect(site.outlines.get("es/page")).toMatch(/<Warning>\n {2}Obsoleto\n[\s\S]*## Respuesta\n/);
});

it("labels the parts of a schema in the page's language", async () => {
  const size = { type: "object", properties: { unit: { enum: ["g", "kg"] }, count: { maximum: 9 } } };
  const operation = {
    security: [{ key: [] }],
    requestBody: { content: { "application/json": { schema: { properties: { size } } } } },
  };
  const site = await describeSite({
    "api.json": {
      openapi: "3.1.0",
      paths: { "/plants": { post: operation } },
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    },
    "es/page.mdx": "---\nlang: es\nopenapi: POST /plants\n---\n",
    "es/gone.mdx": "---\nlang: es\nopenapi: GET /gone\n---\n",
  });
  const page = site.outlines.get("es/page");
  expect(page).toContain("Un encabezado con la forma Bearer <token>.");
  expect(page).toContain("<Expandable title=Atributos hijos>");
  expect(page).toContain("Opciones disponibles: g, kg");
  expect(page).toContain("maximum: 9");
  expect(site.outlines.get("es/gone")).toContain("La descripción de GET /gone no forma parte de este sitio.");
});

it("generates the pages of a mint.json tab below the tab's path", async () => {
  const site = await describeSite({
    "mint.json": {
      navigation: [{ group: "Start", pages: ["start"] }],
      tabs: [{ name: "Plants", url: "plants-api", openapi: "/plants.json" }],
    },
    "plants.json": plants,
    "start.md": "# Start\n",
  });
  expect(site.pages.map(({ route }) => route.slug)).toContain("plants-api/plants/list-plants");
  expect(print(site.navigation)).toContain("Plants\n    List plants (GET) plants-api/plants/list-plants\n");
});

it("removes everything that could run in the reader's browser", async () => {
  const text = "<script>alert(1)</script><img src=x onerror=alert(2)> [a](javascript:alert(3)) `ok`";
  const operation = {
    summary: text,
    description: `Some *words*.\n\n${text}`,
    tags: [text],
    parameters: [
      { name: text, in: "query", description: text, schema: { type: text, enum: [text], default: text } },
    ],
    "x-codeSamples": [{ lang: '"><script>', label: text, source: text }],
    responses: {
      [text]: { description: text, content: { [text]: { schema: { title: text }, example: text } } },
    },
  };
  const api = {
    openapi: "3.1.0",
    servers: [{ url: `javascript:${text}` }, { url: text }],
    paths: { [`/${text}`]: { get: operation } },
  };
  await using site = await renderFiles({
    "docs.json": JSON.stringify({ navigation: { openapi: "api.json" } }),
    "api.json": JSON.stringify(api),
  });
  const html = await site.read(site.pages[0] ?? "");
  expect(html).toContain("<em>words</em>");
  const tags = html.match(/<[a-z][^>]*>/gi) ?? [];
  expect(tags.filter((tag) => /onerror|javascript:/i.test(tag.replace(/"[^"]*"/g, "")))).toEqual([]);
  expect(html).not.toMatch(/href="javascript:/i);
  expect(html).not.toContain("<script>");
});

it("generates samples in the configured languages, and reports other settings", async () => {
  const site = await describeSite({
    "docs.json": {
      navigation: { pages: ["GET /plants"] },
      api: { openapi: "api.json", examples: { languages: ["python"] }, params: { expanded: "all" } },
    },
    "api.json": { openapi: "3.1.0", paths: { "/plants": { get: { responses } } } },
  });
  expect([...site.outlines.values()].join().match(/title="[^"]+"/g)).toEqual(['title="Python"']);
  expect(site.warnings).toEqual(["configuration: docs.json: these are not supported: api.params"]);
});

it("describes the schema that front matter names", async () => {
  const plant = {
    description: "A plant.\n\nIt has a name.",
    type: "object",
    required: ["name"],
    properties: { name: { type: "string", example: "Fern" }, secret: { type: "string", writeOnly: true } },
  };
  const site = await describeSite({
    "plain.mdx": "---\nopenapi-schema: Plant\n---\n\nOwn text.",
    "named.mdx": "---\nopenapi-schema: api.json Plant\ndescription: Mine\n---\n",
    "missing.mdx": "---\nopenapi-schema: Animal\n---\n",
    "api.json": { openapi: "3.1.0", components: { schemas: { Plant: plant } } },
  });
  expect(site.outlines).toMatchInlineSnapshot(`
    Map {
      "missing" => "<Note>
      The description of SCHEMA Animal is not part of this site.
    ",
      "named" => "<ResponseExample>
      \`\`\`json title="Plant"
    {
      "name": "Fern"
    }
    <ResponseField name=name type=string required>
      Example: Fern
    ",
      "plain" => "Own text.
    <ResponseExample>
      \`\`\`json title="Plant"
    {
      "name": "Fern"
    }
    It has a name.
    <ResponseField name=name type=string required>
      Example: Fern
    ",
    }
  `);
  expect(site.warnings).toEqual(["api: missing.mdx: “SCHEMA Animal” is in no OpenAPI document of the site"]);
});

it("quotes a JSON body that is a string, and prints invalid JSON as it is", async () => {
  const bodyOf = async (example: string) => {
    const post = { requestBody: { content: { "application/json": { example } } }, responses };
    const site = await describeSite({
      "index.mdx": "---\nopenapi: POST /texts\n---",
      "api.json": { openapi: "3.1.0", paths: { "/texts": { post } } },
    });
    return [...site.outlines.values()].join();
  };
  expect(await bodyOf("It's here")).toContain(`--data '"It'\\''s here"'`);
  expect(await bodyOf("It's here")).toContain(`body: JSON.stringify("It's here"),`);
  expect(await bodyOf("{ a: 1 }")).toContain("--data-raw '{ a: 1 }'");
});

it("reports what is cut: alternatives of a schema and pages of a document", async () => {
  const oneOf = Array.from({ length: 110 }, (_, at) => ({
    type: "object",
    title: `T${at}`,
    properties: { a: {} },
  }));
  const post = { requestBody: { content: { "application/json": { schema: { oneOf } } } }, responses };
  const many = Object.fromEntries(
    Array.from({ length: 5_001 }, (_, at) => [`/p${at}`, { get: { summary: "Same", responses } }]),
  );
  const cut = await describeSite({
    "index.mdx": "---\nopenapi: POST /texts\n---",
    "api.json": { openapi: "3.1.0", paths: { "/texts": { post } } },
  });
  expect(cut.warnings).toEqual([
    "api: index: api.json: only 100 of the 110 alternatives of a schema are shown",
  ]);
  await using docs = await createFolder({
    "docs.json": JSON.stringify({ navigation: { openapi: "api.json" } }),
    "api.json": JSON.stringify({ openapi: "3.1.0", paths: many }),
  });
  const warnings: string[] = [];
  const { signal } = new AbortController();
  const { pages } = await planSite({ docsDir: docs.path }, signal, (page, message) =>
    warnings.push(`${page}: ${message}`),
  );
  expect(new Set(pages.map(({ route }) => route.outPath)).size).toBe(5_001);
  expect(warnings).toEqual([]);
});

it("limits the pages of a document that the navigation repeats", async () => {
  const paths = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`/p${index}`, { get: {} }]));
  const groups = "abcdef".split("").map((directory) => {
    return { group: directory, openapi: { source: "api.json", directory } };
  });
  await using docs = await createFolder({
    "docs.json": JSON.stringify({ navigation: { groups } }),
    "api.json": JSON.stringify({ openapi: "3.1.0", paths }),
  });
  const warnings = new Set<string>();
  const { signal } = new AbortController();
  const { pages } = await planSite({ docsDir: docs.path }, signal, (_, message) => warnings.add(message));
  expect(pages).toHaveLength(20_000);
  expect([...warnings]).toContain("only 20000 operations have a page");
});

it.each(["plants", "api/plants", "plants.yaml"])("finds the document that a page names %s", async (name) => {
  const site = await describeSite({
    "docs.json": { navigation: { pages: ["page"] }, api: { openapi: ["other.json"] } },
    "other.json": { ...plants, paths: {} },
    "api/plants.yaml": plants,
    "page.mdx": `---\nopenapi: "${name} GET /plants"\n---`,
  });
  expect(site.warnings).toEqual([]);
  expect(site.pages[0]).toMatchObject({ title: "List plants" });
});

it("gives fields the identifiers that links use, and prefers the document's own samples", async () => {
  const schema = { type: "object", properties: { potSize: { type: "integer" } } };
  const content = { "application/json": { schema } };
  const operation = {
    parameters: [{ name: "dryRun", in: "query", schema: { type: "boolean" } }],
    requestBody: { content },
    responses: { 200: { description: "Fine.", content } },
    "x-codeSamples": [{ lang: "cURL", source: "curl https://plants.example.com" }],
  };
  const links = ["body-pot-size", "response-pot-size", "parameter-dry-run", "param-dry-run", "pot-size"];
  await using site = await renderFiles({
    "docs.json": JSON.stringify({ navigation: { pages: ["index", "pot"] } }),
    "index.md": links.map((id) => `[${id}](/pot#${id})`).join(" "),
    "pot.md": "---\nopenapi: POST /pots\n---\n",
    "api.json": JSON.stringify({ openapi: "3.1.0", paths: { "/pots": { post: operation } } }),
  });
  expect(site.warnings).toEqual([]);
  const page = await site.read("pot.html");
  expect([...page.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, title]) => title)).toEqual([
    "cURL",
    "Python",
    "JavaScript",
    "200",
  ]);
});
