/** The code blocks of the documentation, verbatim. `test/docs/code-blocks.test.ts` fails for a block that no test takes. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import GithubSlugger from "github-slugger";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A fenced block of a page. */
export interface PageBlock {
  /** `docs/export.md#what-is-uploaded`: page and nearest heading, and `/2` for the second of several blocks below that heading. */
  readonly id: string;
  readonly page: string;
  /** Of the line that opens the block. */
  readonly line: number;
  /** `sh`, `yaml`, …; empty if the block names none. */
  readonly language: string;
  /** Without the fences, and without the indentation of the list that the block may be in. */
  readonly text: string;
}

/** Pages whose blocks readers copy or compare: all but the changelog. */
export function listPages(): string[] {
  const patterns = ["*.md", "{docs,examples,deploy,.github}/**/*.md"];
  const pages = globSync(patterns, { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  return pages.filter((page) => page !== "CHANGELOG.md").sort();
}

/** A heading, or a whole block: its indentation, fence, language and text. */
const headingOrBlock = /^#+ (.+)$|^( *)(`{3,}|~{3,})(\S*).*\n([\s\S]*?)^\2\3 *$/gm;

/** Every block of a page, from the first to the last. */
export function readBlocks(page: string): PageBlock[] {
  const slugger = new GithubSlugger();
  const markdown = readFileSync(`${root}${page}`, "utf8");
  const blocks: PageBlock[] = [];
  let id = page;
  for (const match of markdown.matchAll(headingOrBlock)) {
    const [, heading, indent = "", , language = "", body = ""] = match;
    if (heading !== undefined) id = `${page}#${slugger.slug(heading)}`;
    else {
      const line = markdown.slice(0, match.index).split("\n").length;
      blocks.push({ id, page, line, language, text: body.replaceAll(new RegExp(`^${indent}`, "gm"), "") });
    }
  }
  return blocks.map((block, index) => {
    const isBelow = (other: PageBlock) => other.id === block.id;
    if (blocks.filter(isBelow).length === 1) return block;
    return { ...block, id: `${block.id}/${blocks.slice(0, index + 1).filter(isBelow).length}` };
  });
}

/**
 * The text of one block, for a test that runs it. Write the id as a literal: that is how a block is known to be tested.
 *
 * @throws {Error} if the page has no such block.
 */
export function takeBlock(id: string): string {
  const blocks = readBlocks(/^.+?\.md/.exec(id)?.[0] ?? id);
  const block = blocks.find((one) => one.id === id);
  if (block !== undefined) return block.text;
  throw new Error(`There is no block ${id}. There are:\n${blocks.map((one) => one.id).join("\n")}`);
}

/** All blocks of a page in one language, for a test that runs or compares each of them; both are written as literals too. */
export function takeBlocksOf(page: string, language: string): PageBlock[] {
  return readBlocks(page).filter((block) => block.language === language);
}
