/** What retrieval finds: a section of a page. */
import type { RootContent } from "mdast";

/** The text between one heading and the next. */
export interface DocsSection {
  /** Identifier of its heading; empty for what stands before the first. */
  readonly anchor: string;
  /** Its heading and those above it in the page, outermost first. */
  readonly headings: readonly string[];
  /** Its content without components, images and relative links. */
  readonly blocks: readonly RootContent[];
  /** Its prose, for searching. */
  readonly text: string;
  /** Its code, for searching. */
  readonly code: string;
}

/** A page, cut into sections. */
export interface DocsPage {
  /** Address below the site's root, without extension: `guides/start`. */
  readonly slug: string;
  /** Path of its file below the documents folder. */
  readonly source: string;
  readonly title: string;
  readonly description: string | undefined;
  /** The version of the documentation it belongs to, as the navigation names it; `undefined`: all of them. */
  readonly version: string | undefined;
  /** Its language, as the navigation or its front matter names it; `undefined`: not said. */
  readonly language: string | undefined;
  readonly sections: readonly DocsSection[];
}
