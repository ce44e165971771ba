/** The sites that a platform serves, and where their documents come from. */
import { hash } from "node:crypto";
import type { Hono } from "hono";
import type { Log } from "../../base/runtime.ts";
import type { GitAccess } from "../agents/git.ts";
import { fingerprintDocs } from "../site/content/docs-tree.ts";
import type { Storage } from "./storage.ts";

/** One documentation site. */
export interface Site {
  /** Its domain identifiers, in lower case. */
  readonly domains: readonly string[];
  readonly documents: DocumentSource;
}

export interface DocumentSource {
  /** What the documents are now, as at most 64 characters: a commit, or a digest that stays the same as long as no file changes. */
  readRevision(signal: AbortSignal): Promise<string>;
  /**
   * The documents of a revision in a folder of this machine, which stays as it is until it is disposed of. A folder that people edit is
   * as they left it.
   */
  open(revision: string, signal: AbortSignal): Promise<{ readonly docsDir: string } & AsyncDisposable>;
}

/** Sites whose documents come from elsewhere, until they are disposed of. */
export interface OpenSites extends AsyncDisposable {
  readonly sites: readonly Site[];
  /** Where others say that documents changed. */
  readonly routes: Hono;
  /** Where agents work for the sites that allow it. */
  readonly projects?: readonly ProjectRepository[];
}

/** The repository of a project. */
export interface ProjectRepository {
  /** Project identifier of agent jobs. */
  readonly project: string;
  /** Without credentials. */
  readonly url: string;
  readonly access: GitAccess | undefined;
  /** The remote's default branch unless set. */
  readonly branch: string | undefined;
  /** Folder of the documents, with `/`; empty for the top folder. */
  readonly folder: string;
}

/** What such sites are opened with. */
export interface SitesDeps {
  readonly storage: Storage;
  /** Folder of this process alone. */
  readonly dataDir: string;
  readonly log: Log;
  readonly now: () => number;
}

/** Finds a site by its domain identifier; the empty one stands for the only site. */
export function createSiteFinder(sites: readonly Site[]) {
  const byDomain = new Map(sites.flatMap((site) => site.domains.map((domain) => [domain, site] as const)));
  return (domain: string): Site | undefined =>
    domain === "" && sites.length === 1 ? sites[0] : byDomain.get(domain.toLowerCase());
}

/** Documents in a folder of this machine. */
export function createFolderSource(docsDir: string): DocumentSource {
  return {
    readRevision: async (signal) => hash("sha256", await fingerprintDocs(docsDir, signal)),
    open: async () => ({ docsDir, [Symbol.asyncDispose]: async () => undefined }),
  };
}
