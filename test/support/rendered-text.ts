/** The text that GitHub's published pipeline shows of Markdown: GFM with its tag filter, an HTML parser, the sanitiser's list. */
import type { Nodes, Root } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";

const disallowed =
  /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s>]|\/>))/gi;

function filterTags() {
  return (tree: Root): void => {
    visit(tree, "raw", (node: { value: string }) => {
      node.value = node.value.replace(disallowed, "&lt;");
    });
  };
}

const pipeline = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(filterTags)
  .use(rehypeRaw)
  // Attributes say nothing here; `rp` stays to be recognised below.
  .use(rehypeSanitize, { ...defaultSchema, attributes: {} })
  .freeze();

/** Text nodes of the rendered page that a browser displays. */
export function renderText(markdown: string): string {
  return displayed(pipeline.runSync(pipeline.parse(markdown)));
}

/** The labels of the rendered page's links, and the page's text. */
export function renderLabels(markdown: string): { labels: string[]; text: string } {
  const tree = pipeline.runSync(pipeline.parse(markdown));
  const labels: string[] = [];
  visit(tree, "element", (node) => {
    if (node.tagName === "a") labels.push(displayed(node));
  });
  return { labels, text: displayed(tree) };
}

function displayed(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (!("children" in node)) return "";
  if (node.type === "element" && node.tagName === "rp") return "";
  return node.children.map(displayed).join("");
}
