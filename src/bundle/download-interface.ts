import type { Dispatcher } from "undici";
import type { Clock, Log } from "../base/runtime.ts";
import type { ArchiveLimits } from "./archive/archive-limits.ts";
import type { DownloadProgress } from "./progress.ts";
import type { BundleLink } from "./transfer/bundle-link.ts";

/** Options of `downloadBundle`. */
export interface DownloadOptions {
  /** Where the bundle appears when it is whole and verified; until then there is `<path>.<process>.part`. */
  readonly path: string;
  /** Adds `.zip` or `.tar.gz` to the path, now that the first bytes have told which. */
  readonly withExtension?: boolean;
  /** Neither the bundle nor what it unpacks to may be larger. */
  readonly maxBytes: number;
  /** Most connections at once; 8 unless said. */
  readonly connections?: number;
  /** Without a byte for so long, a connection is given up; 30 s unless said. */
  readonly stallMs?: number;
  /** Other limits of the archive. */
  readonly limits?: Partial<ArchiveLimits>;
}

/** What `downloadBundle` works with. */
export interface DownloadDeps {
  /** Asks the platform for a fresh link; called again whenever the last one has died, never twice at once. */
  readonly getLink: () => Promise<BundleLink>;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called every few seconds, and once at the end. */
  readonly onProgress?: (progress: DownloadProgress) => void;
  /** Source of jitter; `Math.random` unless said. */
  readonly random?: () => number;
}
