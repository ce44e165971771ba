import type { ArchiveBudget } from "./archive-limits.ts";
import type { ArchiveSink } from "./archive-sink.ts";
import type { NameRegistry } from "./name-registry.ts";

/** What reading one archive needs besides its bytes. */
export interface WalkDeps {
  readonly sink: ArchiveSink;
  readonly budget: ArchiveBudget;
  readonly names: NameRegistry;
  readonly signal: AbortSignal;
}

/** What an archive turned out to hold. */
export interface ArchiveContents {
  readonly files: number;
}
