import { describe, expect, test } from "vitest";
import { createDocsIndex } from "../../../../src/server/assistant/retrieval/docs-index.ts";
import type { DocsPage } from "../../../../src/server/assistant/retrieval/docs-section.ts";
import type { RetrievalQuery } from "../../../../src/server/assistant/retrieval/query.ts";
import { readSections } from "../../../../src/server/assistant/retrieval/read-sections.ts";

function page(slug: string, body: string, facts: Partial<DocsPage> = {}): DocsPage {
  const title = /^# (.+)/.exec(body)?.[1] ?? slug;
  const source = `${slug}.md`;
  return {
    slug,
    source,
    title,
    description: undefined,
    version: undefined,
    language: undefined,
    sections: readSections(source, body),
    ...facts,
  };
}

const nothingElse: Omit<RetrievalQuery, "question"> = {
  earlier: [],
  context: [],
  currentPath: undefined,
  version: undefined,
  language: undefined,
};
const pages = [
  page("en/limits", "# Limits\n\nEach key may send 100 requests a minute.", { language: "en" }),
  page("de/limits", "# Limits\n\nJeder Schlüssel darf 100 requests pro Minute senden.", { language: "de" }),
  page("webhooks", "# Webhooks\n\n## Verify a signature\n\nCompare the digest.\n\n## Retry\n\nFive times."),
  page("v2/install", "# Install\n\nRun the installer of version two.", { version: "v2" }),
];

describe("the index of the documents", () => {
  const index = createDocsIndex(pages);
  const find = (question: string, more: Partial<RetrievalQuery> = {}) =>
    index.search({ question, ...nothingElse, ...more }, { pageSize: 5 });

  test("finds the section that answers, once for each page", () => {
    const { passages } = find("How do I verify the signature of a webhook?");
    expect(passages[0]).toMatchObject({
      page: { slug: "webhooks" },
      section: { anchor: "verify-a-signature" },
    });
    expect(passages.filter(({ page }) => page.slug === "webhooks")).toHaveLength(1);
  });

  test("keeps to the language and version that are asked for, and to pages that name none", () => {
    const slugs = (language: string) =>
      find("limits requests", { language }).passages.map(({ page }) => page.slug);
    expect(slugs("de")).toEqual(["de/limits"]);
    expect(slugs("en-GB")).toEqual(["en/limits"]);
    expect(find("installer version", { version: "v1" }).passages.map(({ page }) => page.slug)).not.toContain(
      "v2/install",
    );
    expect(find("verify signature", { version: "v1" }).passages[0]?.page.slug).toBe("webhooks");
  });

  test("gives no more pages than are asked for", () => {
    const query = { question: "limits requests", ...nothingElse };
    expect(index.search(query, { pageSize: 1 }).passages).toHaveLength(1);
  });

  test("knows that words which are nowhere are not answered", () => {
    expect(find("How hot must a printing bed be?")).toMatchObject({ isAnswered: false });
    expect(createDocsIndex([]).search({ question: "x", ...nothingElse }, { pageSize: 5 })).toMatchObject({
      passages: [],
      isAnswered: false,
    });
  });
});
