/**
 * Takes the pictures of status comments and of a summary for the docs: what the real renderers write, in GitHub's own style, light and dark.
 *
 *   npm run pictures
 *
 * Needs a font with colour emoji; the committed pictures were taken with Noto's.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import type { Element, Root as Html } from "hast";
import type { Root } from "mdast";
import type { Page } from "playwright-core";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { findBrowser, startBrowser } from "../test/support/browser.ts";
import { pictures } from "../test/support/card-states.ts";

const folder = fileURLToPath(new URL("../docs/images/", import.meta.url));
/** GitHub's colours of a comment's frame. */
const themes = {
  light: { page: "#fff", text: "#1f2328", muted: "#59636e", border: "#d1d9e0", head: "#f6f8fa" },
  dark: { page: "#0d1117", text: "#f0f6fc", muted: "#9198a1", border: "#3d444d", head: "#151b23" },
} as const;

/** GitHub keeps the line breaks of comments. */
function keepBreaks() {
  return (tree: Root): void => {
    visit(tree, "text", (node, index = 0, parent) => {
      const lines = node.value.split("\n");
      if (lines.length === 1) return;
      const pieces = lines.flatMap((value) => [{ type: "break" as const }, { type: "text" as const, value }]);
      parent?.children.splice(index, 1, ...pieces.slice(1));
    });
  };
}

const alerts: Readonly<Record<string, string>> = {
  NOTE: "M0 8a8 8 0 1 1 16 0A8 8 0 0 1 0 8Zm8-6.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM6.5 7.75A.75.75 0 0 1 7.25 7h1a.75.75 0 0 1 .75.75v2.75h.25a.75.75 0 0 1 0 1.5h-2a.75.75 0 0 1 0-1.5h.25v-2h-.25a.75.75 0 0 1-.75-.75ZM8 6a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z",
  WARNING:
    "M6.457 1.047c.659-1.234 2.427-1.234 3.086 0l6.082 11.378A1.75 1.75 0 0 1 14.082 15H1.918a1.75 1.75 0 0 1-1.543-2.575Zm1.763.707a.25.25 0 0 0-.44 0L1.698 13.132a.25.25 0 0 0 .22.368h12.164a.25.25 0 0 0 .22-.368Zm.53 3.996v2.5a.75.75 0 0 1-1.5 0v-2.5a.75.75 0 0 1 1.5 0ZM9 11a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z",
  CAUTION:
    "M4.47.22A.749.749 0 0 1 5 0h6c.199 0 .389.079.53.22l4.25 4.25c.141.14.22.331.22.53v6a.749.749 0 0 1-.22.53l-4.25 4.25A.749.749 0 0 1 11 16H5a.749.749 0 0 1-.53-.22L.22 11.53A.749.749 0 0 1 0 11V5c0-.199.079-.389.22-.53Zm.84 1.28L1.5 5.31v5.38l3.81 3.81h5.38l3.81-3.81V5.31L10.69 1.5ZM8 4a.75.75 0 0 1 .75.75v3.5a.75.75 0 0 1-1.5 0v-3.5A.75.75 0 0 1 8 4Zm0 8a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z",
};

/** GitHub's alerts, which are quotations for everyone else; and boxes that can be ticked. */
function showAsGitHub() {
  return (tree: Html): void => {
    visit(tree, "element", (node) => {
      if (node.tagName === "input") node.properties["disabled"] = false;
      const first = node.children.find((child): child is Element => child.type === "element");
      const [text] = first?.children ?? [];
      if (node.tagName !== "blockquote" || first === undefined || text?.type !== "text") return;
      const [, kind] = /^\[!(NOTE|WARNING|CAUTION)\]/.exec(text.value) ?? [];
      if (kind === undefined) return;
      const name = kind.charAt(0) + kind.slice(1).toLowerCase();
      const icon = `<svg viewBox="0 0 16 16" width="16" height="16" class="octicon mr-2"><path d="${alerts[kind]}"/></svg>`;
      first.children.splice(0, 2);
      Object.assign(node, {
        tagName: "div",
        properties: { className: `markdown-alert markdown-alert-${kind.toLowerCase()}` },
        children: [
          { type: "raw", value: `<p class="markdown-alert-title">${icon}${name}</p>` },
          ...node.children,
        ],
      });
    });
  };
}

const pipeline = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(keepBreaks)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(showAsGitHub)
  .use(rehypeRaw)
  .use(rehypeStringify)
  .freeze();

/** The frame that GitHub draws around a comment. */
const frameOf = ({ page, text, muted, border, head }: (typeof themes)[keyof typeof themes]) => `
  * { box-sizing: border-box }
  body { margin: 0; width: 780px; background: ${page} }
  .thread { display: flex; gap: 16px; padding: 16px; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", sans-serif; color: ${text} }
  .avatar { flex: none; width: 40px; height: 40px; border-radius: 50%; background: #2088ff; display: grid; place-items: center }
  .box { flex: 1; border: 1px solid ${border}; border-radius: 6px; overflow: hidden }
  .head { padding: 7px 16px; background: ${head}; border-bottom: 1px solid ${border}; color: ${muted} }
  .head b { color: ${text}; font-weight: 600 }
  .bot { border: 1px solid ${border}; border-radius: 2em; padding: 0 7px; font-size: 12px; margin: 0 4px }
  .markdown-body { padding: 16px; font-size: 14px }
  .octicon { fill: currentColor; margin-right: 8px }
`;
const avatar =
  '<svg width="26" height="26" viewBox="0 0 24 24" fill="none" stroke="#fff" stroke-width="2"><rect x="3" y="3" width="7" height="7" rx="1.5"/><rect x="14" y="14" width="7" height="7" rx="1.5"/><path d="M6.5 10v5.5a2 2 0 0 0 2 2H14"/></svg>';

/** A summary as the page of a workflow run shows it. */
function summaryPage(markdown: string, css: string): string {
  return `<!doctype html><meta charset="utf-8"><style>${css}</style><body><div class="thread"><div class="box"><div class="head"><b>export</b> summary</div>
    <div class="markdown-body">${String(pipeline.processSync(markdown))}</div></div></div>`;
}

function commentPage(markdown: string, css: string): string {
  const head = '<b>github-actions</b> <span class="bot">bot</span> commented';
  return `<!doctype html><meta charset="utf-8"><style>${css}</style><body><div class="thread"><div class="avatar">${avatar}</div><div class="box"><div class="head">${head}</div>
    <div class="markdown-body">${String(pipeline.processSync(markdown))}</div></div></div>`;
}

/** Of a picture, in the browser: its width and its pixels, four bytes each. */
const decode = (png: string) => `(async () => {
  const bytes = Uint8Array.from(atob("${png}"), (char) => char.charCodeAt(0));
  const { width, height } = await createImageBitmap(new Blob([bytes]));
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
  const pixels = new Blob([context.getImageData(0, 0, width, height).data]);
  const reader = new FileReader();
  const read = new Promise((resolve) => { reader.onload = resolve; });
  reader.readAsDataURL(pixels);
  await read;
  return { width, pixels: reader.result.split(",")[1] };
})()`;

/** A picture of the page as PNG with a palette: a third of the size of the browser's own. */
async function takePicture(page: Page): Promise<Buffer> {
  const png = await page.locator(".thread").screenshot();
  const { width, pixels } = await page.evaluate<{ width: number; pixels: string }>(
    decode(png.toString("base64")),
  );
  return encodePalette(Buffer.from(pixels, "base64"), width);
}

const maxColours = 64;

function encodePalette(pixels: Buffer, width: number): Buffer {
  const colours: number[] = [];
  for (let at = 0; at < pixels.length; at += 4) colours.push(pixels.readUIntBE(at, 3));
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxColours)
    .map(([colour]) => colour);
  const indexes = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const rows = Array.from({ length: colours.length / width }, (_, row) => [
    0,
    ...colours.slice(row * width, (row + 1) * width).map((colour) => indexes.get(colour) ?? 0),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function nearest(colour: number, palette: readonly number[]): number {
  const [red, green, blue] = channels(colour);
  let best = { index: 0, distance: Number.POSITIVE_INFINITY };
  for (const [index, other] of palette.entries()) {
    const [otherRed, otherGreen, otherBlue] = channels(other);
    const distance = (red - otherRed) ** 2 + (green - otherGreen) ** 2 + (blue - otherBlue) ** 2;
    if (distance < best.distance) best = { index, distance };
  }
  return best.index;
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}

const found = await findBrowser();
if (found.kind === "none") throw new Error(found.reason);
await using browser = await startBrowser(found);
await mkdir(folder, { recursive: true });
const require = createRequire(import.meta.url);
for (const [theme, colours] of Object.entries(themes)) {
  const css = await readFile(require.resolve(`github-markdown-css/github-markdown-${theme}.css`), "utf8");
  await using opened = await browser.openPage({
    deviceScaleFactor: 1.5,
    viewport: { width: 780, height: 600 },
  });
  for (const [name, markdown] of Object.entries(pictures)) {
    const page = name.startsWith("status-") ? commentPage : summaryPage;
    await opened.page.setContent(page(markdown, css + frameOf(colours)));
    await writeFile(`${folder}${name}-${theme}.png`, await takePicture(opened.page));
  }
}
const rendered = Object.entries(pictures).map(([name, markdown]) => {
  const hash = createHash("sha256").update(markdown).digest("hex");
  return [name, hash] as const;
});
await writeFile(`${folder}pictures.json`, `${JSON.stringify(Object.fromEntries(rendered), null, 2)}\n`);
