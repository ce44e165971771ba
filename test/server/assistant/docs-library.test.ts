import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDocsLibrary } from "../../../src/server/assistant/docs-library.ts";
import type { DocumentSource } from "../../../src/server/base/sites.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const { signal } = new AbortController();

test("a library lets go of the documents of before, and of all when it is forgotten", async () => {
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
  const library = createDocsLibrary(documents, createRecordingLog(), () => now);

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
