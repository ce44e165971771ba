/** What every page's frame needs to know of the site around it. */
import type { NavigationNode, PagePlace } from "../navigation.ts";
import { relativeLink } from "../routes.ts";

/** A site that is being rendered. */
export interface Site {
  readonly title: string;
  /** Shown beside the title. */
  readonly version: string | undefined;
  readonly navigation: readonly NavigationNode[];
  /** Pages of the navigation in reading order. */
  readonly places: readonly PagePlace[];
  /** The same, by the pages' source files. */
  readonly placesBySource: ReadonlyMap<string, PagePlace>;
  /** Path of the icon in the site. */
  readonly favicon: string;
  readonly logo: { readonly light: string; readonly dark: string } | undefined;
  /** Path of the front page in the site. */
  readonly home: string;
  readonly links: readonly { readonly label: string; readonly href: string }[];
}

/** A page's position: its file, and its place in the navigation if it has one. */
export interface Position {
  readonly outPath: string;
  readonly place: PagePlace | undefined;
}

/** The link from a position to a file of the site. */
export function linkFrom({ outPath }: Position, target: string): string {
  return relativeLink(outPath, target);
}
