/** Options of the platform's areas (exports, agents), and the context that all areas share. */
import type { Backoff } from "../../base/retry.ts";
import type { Environment, Log } from "../../base/runtime.ts";
import type { RemoteMediaOptions } from "../site/remote-files.ts";
import type { RequireKey } from "./keys.ts";
import type { Site } from "./sites.ts";
import type { Storage } from "./storage.ts";

/** Options of static exports. */
export interface ExportOptions extends Pick<RemoteMediaOptions, "remoteMedia" | "proxies"> {
  readonly plan?: "enterprise" | "pro";
  readonly linkLifetimeMs?: number;
  /** Export jobs of each final status that are kept for a site, with their bundles. */
  readonly keptExports?: number;
  /** How long a start waits for the documents at most. Clients wait for a response for a minute. */
  readonly startWaitMs?: number;
  /** Folder of the page cache; without it, nothing is kept for later exports. */
  readonly cacheDir?: string | undefined;
}

/** Options of agent jobs. */
export interface AgentOptions {
  /** Program and arguments; a string is split into words without a shell. */
  readonly command: string | readonly [string, ...string[]];
  /** Environment of this process; agents get the variables that they need and that are not secret. */
  readonly environment: Environment;
  readonly passedVariables?: readonly string[];
  readonly base?: string | undefined;
  /** The request behind the prompts, if they are all of one; the API has only the prompts. */
  readonly request?: AgentRequest | undefined;
  /** Gets the agent's output for each prompt, without secrets, as soon as the agent has ended. */
  readonly onOutput?: ((output: string) => void) | undefined;
  /** GitHub repository for pull requests. Without `github` and `push`, pull requests are pages of the platform. */
  readonly github?: GitHubRemote | undefined;
  /** Remote that branches are pushed to instead, at any host. */
  readonly push?: GitPush | undefined;
  readonly author?: { readonly name: string; readonly email: string };
  readonly timeLimitMs?: number;
  readonly concurrency?: number;
  /** Jobs created and messages sent, per project and rolling hour (specification §8). */
  readonly usesPerHour?: number;
  readonly retryBackoff?: Backoff;
}

/** What a run of the action passes to its embedded platform besides the prompt. */
export interface AgentRequest {
  /** The branch that a new job starts from and that its pull request targets, while it exists. */
  readonly base: string | undefined;
  /** Names commits and pull requests, instead of the prompt. */
  readonly title: string;
  /** Renders the description of a pull request, with the end of the agent's output. */
  describe(jobId: string, output: string): string;
}

/** A git repository at any host. */
export interface GitPush {
  /** Name of a remote of the served repository, or a URL. */
  readonly remote: string;
  readonly token?: string | undefined;
}

/** A repository on github.com or GitHub Enterprise Server. */
export interface GitHubRemote {
  readonly serverUrl: string;
  readonly apiUrl: string;
  readonly owner: string;
  readonly repository: string;
  /** URL that git fetches from and pushes to; defaults to the repository on `serverUrl`. */
  readonly gitUrl?: string;
  /** Requires `contents: write` and `pull-requests: write`. */
  readonly token: string;
  /** Removes secrets from text that is sent to GitHub. */
  readonly redact?: (text: string) => string;
}

/** Receives the platform's measurements for metrics. */
export interface Observer {
  request(measurement: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  job(measurement: { readonly queue: string; readonly result: string; readonly seconds: number }): void;
  answer(domain: string, result: AnswerResult): void;
}

/** `refused`: the documents do not contain the answer; `failed`: the model did not answer. */
export type AnswerResult = "answered" | "refused" | "failed";

/** What the areas of a platform share. */
export interface PlatformContext {
  readonly storage: Storage;
  /** Data directory of this process; its folder `work` is emptied at each start. */
  readonly dataDir: string;
  /** Whether this process runs jobs; a web replica does not. */
  readonly runsJobs: boolean;
  /** Finds the site of a domain identifier; an empty identifier stands for the only site. */
  readonly findSite: (domain: string) => Site | undefined;
  /** Absolute path of the documents; empty if `--sites` provides them. */
  readonly docsDir: string;
  readonly trustedProxies: readonly string[];
  readonly requireKey: RequireKey;
  /** Base URL for clients; known once the server listens. */
  readonly publicUrl: () => string;
  readonly log: Log;
  readonly observer: Observer;
  readonly now: () => number;
  /** Runs work during the start, and then every hour. A failure is logged. */
  readonly everyHour: (work: () => Promise<void>) => Promise<void>;
  /** Cancels the start. */
  readonly signal: AbortSignal;
}

/** What opening the sites depends on. */
export type SitesDeps = Pick<PlatformContext, "storage" | "dataDir" | "log" | "now">;
