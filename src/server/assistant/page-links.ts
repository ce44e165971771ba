import type { Passage } from "./retrieval/docs-index.ts";

/** Where readers find the documents. */
export interface PageLinks {
  /** `pages`: the published site; `files`: the documents' own files, as a code-hosting service shows them. */
  readonly kind: "pages" | "files";
  /** Address that the pages' or files' paths are appended to; empty: paths from the root of wherever the answer is shown. */
  readonly baseUrl: string;
}

/** Address of a passage. */
export function linkTo({ page, section }: Passage, { kind, baseUrl }: PageLinks): string {
  const path = kind === "files" ? page.source : page.slug.replace(/(?:^|\/)index$/, "");
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const anchor = section.anchor === "" ? "" : `#${encodeURIComponent(section.anchor)}`;
  return `${baseUrl.replace(/\/+$/, "")}/${encoded}${anchor}`;
}

/** Name of a passage: the page's title and the section's heading. */
export function nameOf({ page, section }: Passage): string {
  const heading = section.headings.at(-1);
  return heading === undefined || heading === page.title ? page.title : `${page.title} › ${heading}`;
}
