/** What each area of a platform is told, and what the areas share. */
import type { Backoff } from "../../base/retry.ts";
import type { Environment, Log } from "../../base/runtime.ts";
import type { RemoteOptions } from "../site/remote-files.ts";
import type { RequireKey } from "./keys.ts";
import type { Site } from "./sites.ts";
import type { Storage } from "./storage.ts";

/** How a platform works on exports. */
export interface ExportOptions extends Pick<RemoteOptions, "remoteMedia" | "proxies"> {
  readonly plan?: "enterprise" | "pro";
  /** How long a link to a bundle works. */
  readonly linkLifetimeMs?: number;
  /** Export jobs rendered at once. */
  readonly exportConcurrency?: number;
  /** Finished export jobs that are kept, with their bundles. */
  readonly keptExports?: number;
}

/** How a platform works on agent jobs. Only the command and the repository have no default. */
export interface AgentOptions {
  /** Program and arguments; a string is split into words, never given to a shell. */
  readonly command: string | readonly [string, ...string[]];
  /** The git repository that holds the documents. */
  readonly repository: string;
  /** Environment of this process; agents see the part of it that they need and that is no secret. */
  readonly environment: Environment;
  /** Names of further variables that agents see. */
  readonly passedVariables?: readonly string[];
  /** Branch that pull requests ask to change. */
  readonly base?: string | undefined;
  /** Where pull requests are opened; on pages of the platform itself unless set. */
  readonly github?: GitHubRemote | undefined;
  /** Where branches are pushed to instead, at any host. */
  readonly push?: GitPush | undefined;
  /** Name and address that commits of agents carry. */
  readonly author?: { readonly name: string; readonly email: string };
  readonly timeLimitMs?: number;
  /** Jobs worked on at once. */
  readonly concurrency?: number;
  /** Jobs created and messages sent, per project and rolling hour (specification §8). */
  readonly usesPerHour?: number;
  /** Waits before a failed request to GitHub is repeated. */
  readonly retryBackoff?: Backoff;
}

/** A git repository at any host. */
export interface GitPush {
  /** Name of a remote of the served repository, or an address. */
  readonly remote: string;
  /** For http and https. */
  readonly token?: string | undefined;
}

/** A repository on GitHub, github.com or a server of one's own. */
export interface GitHubRemote {
  /** `https://github.com` */
  readonly serverUrl: string;
  /** `https://api.github.com` */
  readonly apiUrl: string;
  readonly owner: string;
  readonly repository: string;
  /** Address that git fetches from and pushes to; the repository's on the server unless set. */
  readonly gitUrl?: string;
  /** Needs `contents: write` and `pull-requests: write`. */
  readonly token: string;
  /** Takes secrets out of what is sent there. */
  readonly redact?: (text: string) => string;
}

/** Is told what a platform does, for its metrics. Times are in seconds. */
export interface Observer {
  request(facts: RequestFacts): void;
  job(facts: { readonly queue: string; readonly result: string; readonly seconds: number }): void;
  answer(domain: string, result: "answered" | "refused"): void;
}

interface RequestFacts {
  readonly method: string;
  /** The pattern of its address. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** What the areas of one platform share. */
export interface PlatformContext {
  readonly storage: Storage;
  /** Folder of this process alone; what is in its folder `work` is gone after a restart. */
  readonly dataDir: string;
  /** Whether this process works on jobs, or leaves that to others. */
  readonly works: boolean;
  /** The site of a domain identifier; without one, the only site. */
  readonly findSite: (domain: string) => Site | undefined;
  /** Folder of the documents, absolute; unless they come from elsewhere. */
  readonly docsDir: string | undefined;
  /** Addresses and ranges of the proxies that clients come through. */
  readonly trustedProxies: readonly string[];
  readonly requireKey: RequireKey;
  /** Address that clients reach the platform at; known once it listens. */
  readonly publicUrl: () => string;
  readonly log: Log;
  readonly observer: Observer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Gives up the start. */
  readonly signal: AbortSignal;
}
