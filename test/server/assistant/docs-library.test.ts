import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDocsIndex } from "../../../src/server/assistant/docs-index.ts";
import { createDocsLibrary, planDocs, readDocsPages } from "../../../src/server/assistant/docs-library.ts";
import {
  answerExtractively,
  nameOf,
  type PageLinkBase,
} from "../../../src/server/assistant/extractive-answer.ts";
import type { DocumentSource } from "../../../src/server/base/sites.ts";
import { readPage } from "../../../src/server/site/content/evaluate-page.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createFolder, createTemporaryFolder } from "../../support/temporary-folder.ts";

const { signal } = new AbortController();

async function readPages(docsDir: string, log = createRecordingLog()) {
  return readDocsPages(await planDocs(docsDir, log), log);
}

test("a library releases the files of a replaced revision, and all files when it is dropped", async () => {
  await using folder = await createTemporaryFolder();
  await writeFile(join(folder.path, "index.md"), "# Welcome\n\nRotate keys every 90 days.\n");
  let [revision, now] = ["one", 0];
  const [opened, closed]: [string[], string[]] = [[], []];
  const documents: DocumentSource = {
    readRevision: async () => revision,
    async open(wanted) {
      opened.push(wanted);
      return { docsDir: folder.path, [Symbol.asyncDispose]: async () => void closed.push(wanted) };
    },
  };
  const library = createDocsLibrary(documents, createRecordingLog(), () => now, "pages");

  await Promise.all([library.current(signal), library.current(signal)]);
  revision = "two";
  now += 10_000;
  await library.current(signal);
  await expect.poll(() => closed).toEqual(["one"]);
  await library.forget();
  await library.forget();
  const again = await library.readMarkdown("/", signal);

  expect(closed).toEqual(["one", "two"]);
  expect(opened).toEqual(["one", "two", "two"]);
  expect(again).toContain("Rotate keys");
});

test("questions at the same time share one check for a new revision", async () => {
  await using folder = await createTemporaryFolder();
  await writeFile(join(folder.path, "index.md"), "# Welcome\n");
  let [checks, now] = [0, 0];
  const documents: DocumentSource = {
    async readRevision() {
      checks += 1;
      return "one";
    },
    open: async () => ({ docsDir: folder.path, [Symbol.asyncDispose]: async () => undefined }),
  };
  const library = createDocsLibrary(documents, createRecordingLog(), () => now, "pages");

  await Promise.all([library.current(signal), library.current(signal)]);
  await library.current(signal);
  now += 10_000;
  await Promise.all([library.current(signal), library.current(signal), library.readMarkdown("/", signal)]);

  expect(checks).toBe(2);
});

test("a question that is aborted does not wait for the check, and does not stop it for others", async () => {
  await using folder = await createTemporaryFolder();
  await writeFile(join(folder.path, "index.md"), "# Welcome\n");
  const revision = Promise.withResolvers<string>();
  const documents: DocumentSource = {
    readRevision: () => revision.promise,
    open: async () => ({ docsDir: folder.path, [Symbol.asyncDispose]: async () => undefined }),
  };
  const library = createDocsLibrary(documents, createRecordingLog(), () => 0, "pages");
  const abort = new AbortController();

  const aborted = library.current(abort.signal);
  const other = library.readMarkdown("/", signal);
  abort.abort(new Error("The connection was closed."));
  await expect(aborted).rejects.toThrow("The connection was closed.");
  revision.resolve("one");

  expect(await other).toContain("Welcome");
});

test("a library that is dropped during a check releases the files that the check opens", async () => {
  await using folder = await createFolder({ "index.md": "# Welcome\n" });
  const revision = Promise.withResolvers<string>();
  const closed: string[] = [];
  const documents: DocumentSource = {
    readRevision: () => revision.promise,
    open: async (wanted) => ({
      docsDir: folder.path,
      [Symbol.asyncDispose]: async () => void closed.push(wanted),
    }),
  };
  const library = createDocsLibrary(documents, createRecordingLog(), () => 0, "pages");

  const question = library.current(signal);
  const dropped = library.forget();
  revision.resolve("one");
  await question;
  await dropped;

  expect(closed).toEqual(["one"]);
});

test("a question does not wait for an index that takes long, if there is an earlier one", async () => {
  await using folder = await createTemporaryFolder();
  await writeFile(join(folder.path, "index.md"), "# Welcome\n\nRotate keys every 90 days.\n");
  let [revision, now] = ["one", 0];
  const opened: string[] = [];
  const second = Promise.withResolvers<void>();
  const documents: DocumentSource = {
    readRevision: async () => revision,
    async open(wanted) {
      opened.push(wanted);
      if (wanted === "two") await second.promise;
      return { docsDir: folder.path, [Symbol.asyncDispose]: async () => undefined };
    },
  };
  const library = createDocsLibrary(documents, createRecordingLog(), () => now, "pages", 0);

  const first = await library.current(signal);
  revision = "two";
  now += 10_000;
  expect(await library.current(signal)).toBe(first);
  // Another change meanwhile waits for its turn.
  revision = "three";
  now += 10_000;
  expect(await library.current(signal)).toBe(first);
  expect(opened).toEqual(["one", "two"]);

  second.resolve();
  await expect.poll(() => library.current(signal)).not.toBe(first);
  now += 10_000;
  await library.current(signal);
  expect(opened).toEqual(["one", "two", "three"]);
});

test("questions are answered from the earlier index if the changed documents cannot be read", async () => {
  await using folder = await createFolder({ "index.md": "# Welcome\n\nRotate keys every 90 days.\n" });
  let [revision, now] = ["one", 0];
  const documents: DocumentSource = {
    readRevision: async () => revision,
    async open(wanted) {
      if (wanted === "two") throw new Error("The commit has no folder docs.");
      return { docsDir: folder.path, [Symbol.asyncDispose]: async () => undefined };
    },
  };
  const log = createRecordingLog();
  const library = createDocsLibrary(documents, log, () => now, "pages");

  const first = await library.current(signal);
  revision = "two";
  now += 10_000;
  expect(await library.current(signal)).toBe(first);
  now += 10_000;
  expect(await library.readMarkdown("/", signal)).toContain("Rotate keys");
  expect(log.lines).toContain(
    "warning: The changed documents cannot be read, so the assistant still answers from the earlier ones: The commit has no folder docs.",
  );

  revision = "three";
  now += 10_000;
  expect(await library.current(signal)).not.toBe(first);
});

test("a failed check is repeated by the next question", async () => {
  await using folder = await createTemporaryFolder();
  await writeFile(join(folder.path, "index.md"), "# Welcome\n");
  let isDown = true;
  const documents: DocumentSource = {
    async readRevision() {
      if (isDown) throw new Error("The database is down.");
      return "one";
    },
    open: async () => ({ docsDir: folder.path, [Symbol.asyncDispose]: async () => undefined }),
  };
  const library = createDocsLibrary(documents, createRecordingLog(), () => 0, "pages");

  await expect(library.current(signal)).rejects.toThrow("The database is down.");
  isDown = false;
  expect(await library.readMarkdown("/", signal)).toContain("Welcome");
});

test("links in a quotation lead to pages of the site", async () => {
  await using folder = await createTemporaryFolder();
  const keys =
    "# Keys\n\nRotate a key as [the limits](./limits.md#daily), [this](#rotate) and [those](/old) say, or [not](/nowhere).\n";
  await writeFile(join(folder.path, "keys.md"), keys);
  await writeFile(join(folder.path, "limits.md"), "# Limits\n\n## Daily\n\nOne.\n");
  const redirects = [{ source: "/old", destination: "/limits#daily" }];
  await writeFile(
    join(folder.path, "docs.json"),
    JSON.stringify({ redirects, navigation: { pages: ["keys", "limits"] } }),
  );
  const pages = await readPages(folder.path);
  const ask = async (links: PageLinkBase) => {
    const query = {
      earlier: [],
      context: [],
      currentPath: undefined,
      version: undefined,
      language: undefined,
    };
    const retrieval = (await createDocsIndex(pages)).search(
      { ...query, question: "How do I rotate a key?" },
      5,
    );
    const parts = await Array.fromAsync(answerExtractively(retrieval, links));
    return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  };
  expect(await ask({ kind: "pages", baseUrl: "https://docs.example.com" })).toContain(
    "> Rotate a key as [the limits](https://docs.example.com/limits#daily), [this](https://docs.example.com/keys#rotate) and [those](https://docs.example.com/limits#daily) say, or not.",
  );
  expect(await ask({ kind: "files", baseUrl: "" })).toContain("[the limits](/limits.md#daily)");
});

test("a folder without pages is a warning", async () => {
  await using folder = await createTemporaryFolder();
  const log = createRecordingLog();
  expect(await readPages(folder.path, log)).toEqual([]);
  expect(log.shown).toEqual(["warning: The assistant has no page to answer from: no document is indexed."]);
});

test("the first page of each language has the site's name", async () => {
  const languages = [
    { language: "en", pages: ["welcome", "keys"] },
    { language: "fr", pages: ["fr/bienvenue", "fr/cles"] },
  ];
  const paths = ["keys.md", "welcome.md", "fr/cles.md", "fr/bienvenue.md"];
  await using folder = await createFolder({
    ...Object.fromEntries(paths.map((path) => [path, "# Title\n\nWords.\n"])),
    "docs.json": { name: "Acme", navigation: { languages } },
  });
  const pages = await readPages(folder.path);
  expect(
    pages
      .filter(({ siteName }) => siteName === "Acme")
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(["fr/bienvenue", "welcome"]);
});

test("pages with the same title are named with their folder", async () => {
  await using folder = await createFolder({
    "pods/overview.md": "# Overview\n\nWords.\n",
    "keys/overview.md": "# Overview\n\nWords.\n",
    "limits.md": "# Limits\n\nWords.\n",
  });
  const pages = await readPages(folder.path);
  const names = pages.flatMap((page) => page.sections.map((section) => nameOf({ page, section })));
  expect(names.toSorted()).toEqual(["Limits", "Overview (keys)", "Overview (pods)"]);
});

test("a page is parsed within a limit by its length", async () => {
  const limits: number[] = [];
  const parseLimitOf = (length: number) => {
    limits.push(length);
    return 1;
  };
  const docs = { root: "/nowhere", files: new Set<string>(), skipped: [], parseLimitOf };
  const body = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;

  const reading = readPage(
    "keys.md",
    body,
    docs,
    () => undefined,
    (tree) => tree,
  );
  await expect(reading).rejects.toThrow("timed out after 1ms");
  expect(limits).toEqual([20_000]);
});

test("a page that no parser can process is left out", async () => {
  await using folder = await createTemporaryFolder();
  await writeFile(join(folder.path, "deep.md"), `${">".repeat(6000)}\nDeep.\n`);
  await writeFile(join(folder.path, "keys.md"), "# Keys\n\nWords.\n");
  const log = createRecordingLog();

  expect((await readPages(folder.path, log)).map(({ title }) => title)).toEqual(["Keys"]);
  // On a busy machine, the time limit is reached first.
  expect(log.lines.filter((line) => line.startsWith("warning"))).toEqual([
    expect.stringMatching(/cannot quote deep\.md, because it could not be read: .*(?:stack size|timed out)/),
  ]);
});

test("a page outside of the navigation belongs to the version of its folder", async () => {
  await using folder = await createTemporaryFolder();
  const versions = ["v2", "v1"].map((version) => ({ version, pages: [`${version}/start`] }));
  const config = { seo: { indexing: "all" }, navigation: { versions } };
  await writeFile(join(folder.path, "docs.json"), JSON.stringify(config));
  for (const version of ["v1", "v2"]) {
    await mkdir(join(folder.path, version));
    for (const name of ["start", "more"])
      await writeFile(join(folder.path, version, `${name}.md`), `# ${name}\n\nWords.\n`);
  }

  const pages = await readPages(folder.path);
  expect(pages.map(({ slug, isDefaultVersion }) => [slug, isDefaultVersion]).sort()).toEqual([
    ["v1/more", false],
    ["v1/start", false],
    ["v2/more", true],
    ["v2/start", true],
  ]);
});
