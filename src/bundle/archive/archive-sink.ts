/**
 * Where the entries of an archive go.
 *
 * All calls are synchronous: a site is thousands of small files, and one synchronous write of each is several times
 * as fast as an awaited one.
 */
export interface ArchiveSink {
  directory(path: string): void;
  startFile(path: string): void;
  /** Bytes of the file started last. */
  data(chunk: Buffer): void;
  endFile(): void;
}

/** Throws every byte away; for verification. */
export const discardSink: ArchiveSink = {
  directory: ignore,
  startFile: ignore,
  data: ignore,
  endFile: ignore,
};

function ignore(): void {
  // Verification looks at the bytes before they get here.
}
