/** The sites that a platform serves, and the sources of their documents. */
import { hash } from "node:crypto";
import type { Hono } from "hono";
import * as z from "zod/mini";
import type { GitAccess } from "../agents/git.ts";
import { fingerprintDocs } from "../site/content/docs-tree.ts";

/** A domain identifier of a site. */
export const hostName = z
  .string()
  .check(z.regex(/^(?!-)[a-z\d-]{1,63}(?:\.(?!-)[a-z\d-]{1,63})*$/i, "must be a host name"));

/** One documentation site. */
export interface Site {
  /** Domain identifiers in lower case. */
  readonly domains: readonly string[];
  readonly documents: DocumentSource;
}

/** The documents of a site, in a folder or a git repository. */
export interface DocumentSource {
  /** Identifies the current content in at most 64 characters: a commit, or a digest of the files. */
  readRevision(signal: AbortSignal): Promise<string>;
  /**
   * Opens a revision as a local folder. A folder from git does not change until disposal. A folder given by `--docs` is opened as it is
   * now, whatever the revision.
   */
  open(revision: string, signal: AbortSignal): Promise<{ readonly docsDir: string } & AsyncDisposable>;
}

/** The open sites of a platform. */
export interface OpenSites extends AsyncDisposable {
  readonly sites: readonly Site[];
  /** Webhooks that report pushes. */
  readonly routes: Hono;
  readonly projects?: readonly ProjectRepository[];
}

/** The git repository of a project. */
export interface ProjectRepository {
  /** Project identifier of agent jobs. */
  readonly project: string;
  /** Without credentials. */
  readonly url: string;
  readonly access: GitAccess | undefined;
  /** Defaults to the remote's default branch. */
  readonly branch: string | undefined;
  /** Path of the documents, with `/`; empty for the root of the repository. */
  readonly folder: string;
}

/** Creates a lookup by domain identifier. An empty identifier stands for the only site. */
export function createSiteFinder(sites: readonly Site[]) {
  const byDomain = new Map(sites.flatMap((site) => site.domains.map((domain) => [domain, site] as const)));
  return (domain: string): Site | undefined =>
    domain === "" && sites.length === 1 ? sites[0] : byDomain.get(domain.toLowerCase());
}

/** Creates the source for documents in a local folder. */
export function createFolderSource(docsDir: string): DocumentSource {
  return {
    readRevision: async (signal) => hash("sha256", await fingerprintDocs(docsDir, signal)),
    open: async () => ({ docsDir, [Symbol.asyncDispose]: async () => undefined }),
  };
}
