import type { DownloadDeps, DownloadOptions } from "./download-interface.ts";
import { BundleError, corrupt } from "./errors.ts";
import { type Inspection, inspectBundle } from "./inspect-bundle.ts";
import { createRateMeter } from "./progress.ts";
import { readChecksums } from "./transfer/checksums.ts";
import { ObjectFetch } from "./transfer/fetch-object.ts";
import { createGrowingSource, type GrowingSource } from "./transfer/growing-source.ts";
import type { ObjectIdentity } from "./transfer/judge-answer.ts";
import type { LinkKeeper } from "./transfer/link-keeper.ts";
import { type PartFile, requireDiskSpace } from "./transfer/part-file.ts";
import { SegmentMap } from "./transfer/segment-map.ts";
import type { ObjectAnswer, TransferStats } from "./transfer/segment-worker.ts";
import { objectChanged, RestartNeeded } from "./transfer/transfer-failure.ts";

interface RoundOptions extends DownloadOptions {
  /** Whether to ask storage for ranges. */
  readonly ranged: boolean;
}

interface RoundDeps extends DownloadDeps {
  readonly random: () => number;
  readonly links: LinkKeeper;
  readonly file: PartFile;
  readonly stats: TransferStats;
}

const defaultConnections = 8;
const defaultStallMs = 30_000;
const progressEveryMs = 3000;

/** Fetches and inspects one version of the bundle, both at once. */
export class FetchRound {
  readonly #options: RoundOptions;
  readonly #deps: RoundDeps;
  readonly #segments = new SegmentMap(Number.POSITIVE_INFINITY);
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #source: GrowingSource;
  readonly #failed = Promise.withResolvers<never>();
  readonly #meter = createRateMeter();
  #object: ObjectIdentity | undefined;
  #inspection: Promise<Inspection> | undefined;
  #reportAt = 0;

  constructor(options: RoundOptions, deps: RoundDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#signal = AbortSignal.any([deps.signal, this.#stop.signal]);
    this.#source = createGrowingSource({ handle: deps.file.handle, segments: this.#segments }, this.#signal);
    this.#reportAt = deps.clock.now() + progressEveryMs;
  }

  /**
   * Resolves when the bundle is on disk and nothing is wrong with it.
   *
   * @throws {RestartNeeded} when another round may succeed
   * @throws {BundleError} when none can
   */
  async run(): Promise<Inspection> {
    await this.#requirePromisedRoom();
    const requestsBefore = this.#deps.stats.requests;
    const fetching = this.#createFetch().run();
    try {
      await Promise.race([fetching, this.#failed.promise]);
      this.#source.grown();
      if (!this.#inspection) throw corrupt("Storage ended its answer before it began.");
      const inspection = await this.#inspection;
      this.#report({ received: inspection.size, connections: 0 }, { isLast: true });
      return inspection;
    } catch (error) {
      const isOneAnswer = this.#deps.stats.requests - requestsBefore === 1;
      throw isOneAnswer ? error : this.#suspectMixture(error);
    } finally {
      this.#stop.abort(new Error("The round has ended."));
      await Promise.allSettled([fetching, this.#inspection]);
    }
  }

  #createFetch(): ObjectFetch {
    const { ranged, connections = defaultConnections, stallMs = defaultStallMs, maxBytes } = this.#options;
    return new ObjectFetch(
      { ranged, maxConnections: connections, stallMs },
      {
        ...this.#deps,
        segments: this.#segments,
        signal: this.#signal,
        onObject: (object, answer) => this.#begin(object, answer),
        onWritten: (position) => {
          this.#source.grown();
          if (position > maxBytes) this.#failed.reject(tooLarge(position, maxBytes));
        },
        onTick: (state) => this.#report(state),
      },
    );
  }

  /** What the platform promises is checked before storage is asked at all. */
  async #requirePromisedRoom(): Promise<void> {
    const { links } = this.#deps;
    const { sizeBytes } = await links.current();
    if (sizeBytes !== undefined) await this.#requireRoom(sizeBytes);
  }

  async #requireRoom(bytes: number): Promise<void> {
    const { maxBytes, path } = this.#options;
    if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
    await requireDiskSpace(path, bytes);
  }

  /** The first answer has told what is being fetched. */
  #begin(object: ObjectIdentity, { head, isWhole, link }: ObjectAnswer): void {
    const { limits, maxBytes } = this.#options;
    this.#object = object;
    if (object.total !== undefined) {
      if (link.sizeBytes !== undefined && link.sizeBytes !== object.total) {
        const type = head.headers.get("content-type") ?? "of unknown type";
        throw objectChanged(
          `the platform promised ${link.sizeBytes} bytes, but storage has ${object.total} (${type})`,
        );
      }
      this.#segments.bound(object.total);
      this.#requireRoom(object.total).catch(this.#failed.reject);
    }
    this.#inspection = inspectBundle(
      this.#source,
      {
        checksums: readChecksums(head, isWhole),
        limits: { maxTotalBytes: maxBytes, ...limits },
        sizeBytes: link.sizeBytes,
      },
      this.#signal,
    );
    this.#inspection.catch(this.#failed.reject);
  }

  /**
   * Storage that names no version may have sent parts of two. Then damage is no verdict yet: one stream cannot be a
   * mixture.
   */
  #suspectMixture(error: unknown): unknown {
    const isNamed = this.#object?.etag !== undefined || this.#object?.lastModified !== undefined;
    const isDamage = error instanceof BundleError && error.code === "bundle-corrupt";
    return isDamage && !isNamed && this.#options.ranged
      ? new RestartNeeded(error, { withoutRanges: true })
      : error;
  }

  #report(
    { received, connections }: { readonly received: number; readonly connections: number },
    { isLast = false } = {},
  ): void {
    const { clock, onProgress } = this.#deps;
    const now = clock.now();
    const total = this.#object?.total;
    const bytes = total === undefined ? received : total - this.#segments.remainingBytes;
    const bytesPerSecond = this.#meter.add(now, bytes);
    if (!onProgress || (now < this.#reportAt && !isLast)) return;
    this.#reportAt = now + progressEveryMs;
    const isEstimable = total !== undefined && bytesPerSecond > 0;
    onProgress({
      bytes,
      total,
      bytesPerSecond,
      secondsLeft: isEstimable ? (total - bytes) / bytesPerSecond : undefined,
      connections,
    });
  }
}

function tooLarge(bytes: number, maxBytes: number): BundleError {
  return new BundleError(
    "bundle-too-large",
    `The bundle has ${bytes} bytes or more; at most ${maxBytes} are allowed.`,
  );
}
