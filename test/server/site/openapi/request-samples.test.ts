/** Runs the samples, and compares what the server receives with what the document says. */
import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Root } from "mdast";
import { visit } from "unist-util-visit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestSamples, type Sample } from "../../../../src/server/site/openapi/request-samples.ts";
import { type ListeningServer, listen } from "../../../support/listen.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../../support/temporary-folder.ts";
import { describeSite } from "./described-page.ts";

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const content = "Bytes.\n";

const received: {
  method?: string | undefined;
  query?: string;
  type?: string;
  form?: object;
  text?: string;
}[] = [];
const server = createServer(async (request, response) => {
  const body = await buffer(request);
  const { method, url = "" } = request;
  const type = request.headers["content-type"] ?? "";
  const isForm = /form/.test(type);
  const form = isForm ? await new Response(body, { headers: { "content-type": type } }).formData() : [];
  const fields = await Promise.all(
    [...form].map(async ([name, field]) => [name, typeof field === "string" ? field : await field.text()]),
  );
  const shown = isForm ? { form: fields } : { type, text: body.toString() };
  received.push({ method, query: new URL(url, "http://localhost").search, ...shown });
  response.end();
});

const languages = [
  ...(has("curl", "--version") ? ["bash"] : []),
  ...(has("python3", "-c", "import requests") ? ["python"] : []),
  "javascript",
];

describe(`the samples of a request in ${languages.join(", ")}`, () => {
  let folder: TemporaryFolder;
  let listening: ListeningServer;

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    await writeFile(join(folder.path, "example-file"), content);
    listening = await listen(server);
  });

  afterAll(async () => {
    await listening[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const runners: Readonly<Record<string, (code: string) => Promise<unknown>>> = {
    bash: (code) => promisify(execFile)("bash", ["--norc", "-c", code], { cwd: folder.path }),
    python: (code) => promisify(execFile)("python3", ["-c", code], { cwd: folder.path }),
    javascript: (code) =>
      (Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor)(
        "file",
        "console",
        code,
      )(new File([content], "example-file"), { log: () => undefined }),
  };

  /** Runs the samples in the languages that are there; returns what the server received from each. */
  async function runAll(samples: readonly Pick<Sample, "language" | "code">[]) {
    const shown = [];
    for (const { language, code } of samples) {
      if (!languages.includes(language)) continue;
      await runners[language]?.(code);
      shown.push({ language, ...received.pop() });
    }
    expect(shown).toHaveLength(languages.length);
    return shown;
  }

  const file = "<file>";
  it.each([
    [
      "JSON",
      "application/json",
      { say: 'it\'s "$HOME" ☃', is: [true, null] },
      '{"say":"it\'s \\"$HOME\\" ☃","is":[true,null]}',
    ],
    ["text that starts like the name of a file", "text/plain", "@mona ☃", "@mona ☃"],
    ["invalid JSON", "application/json", "{not json", "{not json"],
    ["a file", "application/octet-stream", file, content],
  ])("send %s", async (_, mediaType, value, expected) => {
    const samples = requestSamples({
      method: "PUT",
      url: listening.url,
      headers: [],
      body: { mediaType, value },
    });
    for (const { language, type, text = "", ...rest } of await runAll(samples)) {
      const body = typeof value === "object" ? JSON.stringify(JSON.parse(text)) : text;
      expect({ language, body, type, ...rest }).toEqual({
        language,
        body: expected,
        type: expect.stringContaining(mediaType),
        method: "PUT",
        query: "",
      });
    }
  });

  it.each(["multipart/form-data", "application/x-www-form-urlencoded"])(
    "send a form as %s",
    async (mediaType) => {
      const files = mediaType.startsWith("multipart") ? { photo: file, others: [file, file] } : {};
      const value = { note: "<p>it's", "a b": "x;type=text/html", to: "@mona", tags: ["a", "b"], ...files };
      const samples = requestSamples({
        method: "POST",
        url: listening.url,
        headers: [],
        body: { mediaType, value },
      });
      const form = Object.entries(value).flatMap(([name, field]) =>
        [field].flat().map((item) => [name, item === file ? content : item]),
      );
      for (const { language, ...shown } of await runAll(samples))
        expect({ language, ...shown }).toEqual({ language, form, method: "POST", query: "" });
    },
  );

  async function samplesOf(method: string, described: object, path = "/plants") {
    const operation = { ...described, responses: {} };
    const site = await describeSite({
      "page.mdx": `---\nopenapi: ${method} ${path}\n---\n`,
      "api.json": {
        openapi: "3.1.0",
        servers: [{ url: listening.url }],
        paths: { [path]: { [method.toLowerCase()]: operation } },
      },
    });
    const samples: Pick<Sample, "language" | "code">[] = [];
    visit(
      site.trees.get("page") as Root,
      "code",
      ({ lang, value: code }) => void samples.push({ language: lang ?? "", code }),
    );
    return samples;
  }

  it.each(["GET", "HEAD"])("have names of the query in any spelling with %s", async (method) => {
    const parameters = ["filter[status]", "a b", "a&b"].map((name) => ({
      name,
      in: "query",
      required: true,
      example: "x",
    }));
    const query = "?filter%5Bstatus%5D=x&a%20b=x&a%26b=x";
    for (const { language, ...shown } of await runAll(await samplesOf(method, { parameters })))
      expect({ language, ...shown }).toMatchObject({ language, method, query });
  });

  it.each([
    [{}, ["a b", "c"], "?list=a%20b&list=c"],
    [{ explode: false }, ["a b", "c"], "?list=a%20b,c"],
    [{ explode: false, style: "pipeDelimited" }, ["a", "b"], "?list=a%7Cb"],
    [{ explode: false, style: "spaceDelimited" }, ["a", "b"], "?list=a%20b"],
    [{}, { a: 1, b: "c" }, "?a=1&b=c"],
    [{ explode: false }, { a: 1, b: "c" }, "?list=a,1,b,c"],
    [{ style: "deepObject" }, { a: 1, b: { c: ["d"] } }, "?list%5Ba%5D=1&list%5Bb%5D%5Bc%5D%5B0%5D=d"],
  ])("have a list or object of the query with %o", async (style, example, query) => {
    const parameter = { name: "list", in: "query", required: true, example, ...style };
    for (const { language, ...shown } of await runAll(await samplesOf("GET", { parameters: [parameter] })))
      expect({ language, ...shown }).toMatchObject({ language, query });
  });

  it.each(["multipart/form-data", "application/x-www-form-urlencoded"])(
    "send the objects of a form as %s by their style",
    async (mediaType) => {
      const example = { items: [{ price: "p1" }], other: { a: 1 } };
      const content = { [mediaType]: { example, encoding: { items: { style: "deepObject" } } } };
      const form = [
        ["items[0][price]", "p1"],
        ["other", '{"a":1}'],
      ];
      for (const { language, ...shown } of await runAll(
        await samplesOf("POST", { requestBody: { content } }),
      ))
        expect({ language, ...shown }).toMatchObject({ language, form });
    },
  );
});
