import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { fromWriteError } from "../errors.ts";
import type { ArchiveSink } from "./archive-sink.ts";

/** A sink that writes below a folder; `close` releases a file that an error left open. */
export interface FolderSink extends ArchiveSink {
  close(): void;
}

/**
 * Writes entries below `root`, which must be new and nobody else's. Existing files are never opened: a second entry
 * of the same name fails. Modes and owners of the archive are ignored.
 */
export function createFolderSink(root: string): FolderSink {
  const made = new Set([""]);
  let file: number | undefined;

  function makeFolder(path: string): void {
    if (made.has(path)) return;
    mkdirSync(join(root, path), { recursive: true });
    // Remembered for the folders at hand only: there may be a million.
    if (made.size > 10_000) made.clear();
    made.add(path);
  }

  function guard(path: string, write: () => void): void {
    try {
      write();
    } catch (error) {
      throw fromWriteError(error, join(root, path));
    }
  }

  function close(): void {
    if (file === undefined) return;
    const descriptor = file;
    file = undefined;
    closeSync(descriptor);
  }

  return {
    directory(path) {
      guard(path, () => makeFolder(path));
    },
    startFile(path) {
      guard(path, () => {
        const folder = dirname(path);
        makeFolder(folder === "." ? "" : folder);
        file = openSync(join(root, path), "wx", 0o644);
      });
    },
    data(chunk) {
      guard("", () => {
        for (let written = 0; written < chunk.length; ) written += writeSync(file ?? -1, chunk, written);
      });
    },
    endFile: close,
    close,
  };
}
