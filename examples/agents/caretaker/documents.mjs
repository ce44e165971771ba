/** Reads and writes the Markdown and MDX files below a folder. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, posix, sep } from "node:path";

const pageName = /\.mdx?$/i;

/**
 * @typedef {object} Documents
 * @property {string} root The folder, from where the agent was started.
 * @property {ReadonlySet<string>} pages Paths from the folder, with `/`, in a fixed order.
 * @property {(path: string) => Promise<string | undefined>} read A file's text, where there is such a file.
 * @property {(path: string, text: string) => Promise<void>} write
 */

/**
 * @param {string} root
 * @returns {Promise<Documents>}
 */
export async function openDocuments(root) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    // Links are not followed: they may lead out of the folder.
    .filter((entry) => entry.isFile() && pageName.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, sep).length).split(sep).join("/"))
    .filter((path) => !/(?:^|\/)(?:\.|_|node_modules\/|snippets\/)/.test(path));
  return {
    root,
    pages: new Set(paths.sort()),
    read: async (path) => {
      try {
        return await readFile(join(root, path), "utf8");
      } catch (error) {
        if (error.code === "ENOENT") return undefined;
        throw error;
      }
    },
    write: async (path, text) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
  };
}

/**
 * The page that an address stands for: written with or without its ending, or as a folder with an index.
 *
 * @param {ReadonlySet<string>} pages
 * @param {string} address Path from the folder of the documents.
 */
export function findPage(pages, address) {
  const path = posix.normalize(address).replace(/^\/+|\/+$/g, "");
  const names = [
    path,
    `${path}.md`,
    `${path}.mdx`,
    posix.join(path, "index.md"),
    posix.join(path, "index.mdx"),
  ];
  return names.find((name) => pages.has(name));
}

/**
 * Changes what is neither a block of code nor code in a line.
 *
 * @param {string} text
 * @param {(prose: string) => string} change
 */
export function mapProse(text, change) {
  const fence = /^ {0,3}(?<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}\k<fence>[`~]*[ \t]*$|(?!.))/;
  const span = /(?<!`)(?<ticks>`+)(?!`).*?(?<!`)\k<ticks>(?!`)/;
  const code = new RegExp(`${fence.source}|${span.source}`, "gms");
  let result = "";
  let end = 0;
  for (const match of text.matchAll(code)) {
    result += change(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return result + change(text.slice(end));
}
