import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { RenderedSite } from "../../src/server/site/render-site.ts";
import { type RenderedFolder, renderFolder } from "../server/site/render-files.ts";

const require = createRequire(import.meta.url);

/** Documentation that real packages ship, with the numbers of pages and of links that lead out of what is shipped. */
const corpora = [
  { name: "ai", folder: "docs", pageCount: 303, maxBrokenPages: 570, fallbacks: 0 },
  { name: "undici", folder: "docs", pageCount: 46, maxBrokenPages: 5, fallbacks: 0 },
] as const;

interface Export {
  readonly site: RenderedSite;
  /** Links and sources of every page that lead to no file of the export. */
  readonly dangling: readonly string[];
  readonly pagesWithoutTitle: readonly string[];
}

function targetsOf(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].flatMap(([, target]) =>
    target === undefined ? [] : [target],
  );
}

async function inspect(site: RenderedFolder): Promise<Omit<Export, "site">> {
  const files = new Set(await site.list());
  const dangling: string[] = [];
  const pagesWithoutTitle: string[] = [];
  for (const path of [...files].filter((file) => file.endsWith(".html"))) {
    const html = await site.read(path);
    if (!/<h1[^>]*>(?!\s*<\/h1>)/.test(html)) pagesWithoutTitle.push(path);
    for (const target of targetsOf(html)) {
      if (/^(?:https?:|mailto:|tel:|#|data:image\/)/.test(target)) continue;
      const file = posix.join(posix.dirname(path), decodeURIComponent(target.replace(/#.*$/, "")));
      if (!files.has(file)) dangling.push(`${path} -> ${target}`);
    }
  }
  return { dangling, pagesWithoutTitle };
}

describe.each(corpora)(
  "the documentation of $name",
  ({ name, folder, pageCount, maxBrokenPages, fallbacks }) => {
    let result: Export;

    beforeAll(async () => {
      const docsDir = join(dirname(require.resolve(`${name}/package.json`)), folder);
      await using site = await renderFolder({ path: docsDir });
      result = { site, ...(await inspect(site)) };
    }, 600_000);

    test("is exported without a failed page", () => {
      expect(result.site.pageCount).toBe(pageCount);
      expect(result.pagesWithoutTitle).toEqual([]);
      const plainer = result.site.warnings.filter(({ message }) => /left out:|plainly|not MDX/.test(message));
      const failures = plainer.filter(({ message }) => !message.startsWith("expressions"));
      expect(failures).toHaveLength(fallbacks);
    });

    test("contains no broken links, and removed links are reported", () => {
      expect(result.dangling).toEqual([]);
      const lostPages = result.site.warnings.filter(({ message }) =>
        message.endsWith("there is no such page"),
      );
      expect(lostPages.length).toBeLessThanOrEqual(maxBrokenPages);
    });
  },
);
