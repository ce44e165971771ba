/** Replaces the names of emoji (GitHub, Docusaurus, VitePress) and of icons (MkDocs) in text: `:tada:`, `:material-star:`. */
import type { PhrasingContent, Root } from "mdast";
import { findAndReplace } from "mdast-util-find-and-replace";
import { iconElement } from "./icons.ts";
import { readPacked } from "./packed-data.ts";

/** A name between colons that no word or path touches, and the classes that MkDocs allows behind it. */
const shortcode = /(?<![\w:/]):(\+1|-1|\w[\w-]{0,80}):(?![\w:/])(?:\{:? *\.[ \w.-]{1,200}\})?/g;
const iconSet = /^(?:material|fontawesome-(?:solid|regular|brands)|octicons|simple)-/;

let emoji: Readonly<Record<string, string>> | undefined;

/** Replaces names that are known; all others stay text. */
export function readShortcodes(tree: Root): void {
  findAndReplace(tree, [
    shortcode,
    (_, name: string) => {
      emoji ??= JSON.parse(readPacked("emoji").toString()) as Readonly<Record<string, string>>;
      if (Object.hasOwn(emoji, name)) return emoji[name] ?? false;
      const icon = name.replace(iconSet, "");
      return icon !== name && iconElement(icon) !== undefined && createIcon(icon);
    },
  ]);
}

function createIcon(value: string): PhrasingContent {
  const attributes = [{ type: "mdxJsxAttribute", name: "icon", value }];
  return { type: "mdxJsxTextElement", name: "Icon", attributes, children: [] } as unknown as PhrasingContent;
}
