import type { Dispatcher } from "undici";
import { describeUrl, parseStorageUrl } from "./bundle-link.ts";
import {
  type BodyVerdict,
  judgeBody,
  judgeRefusal,
  type ObjectIdentity,
  type RefusalVerdict,
} from "./judge-answer.ts";
import type { UsableLink } from "./link-keeper.ts";
import type { PartFile } from "./part-file.ts";
import type { Segment } from "./segment-map.ts";
import { createSegmentWriter, type SegmentWriter } from "./segment-writer.ts";
import { type AnswerHead, type BodyControl, exchange } from "./storage-exchange.ts";

/** How one request for a segment ended. */
export type AttemptOutcome =
  /** The body ended; how far the segment got says whether it ended early. */
  | { readonly kind: "ended" }
  | { readonly kind: "no-ranges" }
  | Extract<BodyVerdict, { kind: "changed" | "wrong-range" }>
  | Exclude<RefusalVerdict, { kind: "redirect" }>;

/** What one request needs to know. */
export interface AttemptOptions {
  readonly segment: Segment;
  readonly link: UsableLink;
  /** Whether to ask for a range; storage that does not understand ranges is asked for the whole. */
  readonly ranged: boolean;
  readonly known: ObjectIdentity | undefined;
}

/** What one request works with. */
export interface AttemptDeps {
  readonly dispatcher: Dispatcher;
  readonly file: PartFile;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Called with the head of an answer that brings bytes of the object. */
  readonly onIdentity: (identity: ObjectIdentity, answer: { head: AnswerHead; isWhole: boolean }) => void;
  readonly onReceived: (bytes: number) => void;
  readonly onWritten: (position: number) => void;
  /** Gets the writer while a body arrives. */
  readonly onWriter: (writer: SegmentWriter) => void;
}

const maxRedirects = 5;

/**
 * Sends one request for what is missing of a segment and writes what arrives.
 *
 * @throws for broken connections, aborts and a disk that is full
 */
export async function attemptSegment(options: AttemptOptions, deps: AttemptDeps): Promise<AttemptOutcome> {
  let url = options.link.url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const outcome = await requestOnce(url, options, deps);
    if (outcome.kind !== "redirect") return outcome;
    url = parseStorageUrl(outcome.location, url);
  }
  return { kind: "fatal", reason: `Storage (${describeUrl(options.link.url)}) redirects in circles` };
}

type RequestOutcome = AttemptOutcome | Extract<RefusalVerdict, { kind: "redirect" }>;

/** Ends an exchange whose answer is not the bytes that were asked for. */
class UnexpectedBody extends Error {
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

async function requestOnce(url: URL, options: AttemptOptions, deps: AttemptDeps): Promise<RequestOutcome> {
  let writer: SegmentWriter | undefined;
  const failure = new AbortController();
  const signal = AbortSignal.any([deps.signal, failure.signal]);
  try {
    const answer = await exchange(
      { url, headers: headersFor(options) },
      {
        dispatcher: deps.dispatcher,
        signal,
        open: (head, control) => {
          accept(head, options, deps);
          writer = openWriter(options.segment, { control, deps, failure });
          return writer.accept;
        },
      },
    );
    await writer?.finish();
    if (answer.kind === "read") return { kind: "ended" };
    return judgeRefusal(answer.head, { text: answer.text, known: options.known, nowMs: deps.now() });
  } catch (error) {
    // What arrived before a cut is kept: the next request goes on behind it.
    if (!failure.signal.aborted) await writer?.finish();
    if (error instanceof UnexpectedBody) return error.outcome;
    throw error;
  }
}

function headersFor({ segment, ranged, known }: AttemptOptions): Record<string, string> {
  const headers: Record<string, string> = {
    accept: "*/*",
    "accept-encoding": "identity",
    "user-agent": "docs-automation-action",
  };
  if (!ranged) return headers;
  const last = Number.isFinite(segment.end) && known ? String(segment.end - 1) : "";
  headers["range"] = `bytes=${segment.written}-${last}`;
  if (known?.etag) headers["if-match"] = known.etag;
  else if (known?.lastModified) headers["if-unmodified-since"] = known.lastModified;
  return headers;
}

/** Lets the bytes in, or ends the exchange with the reason why not. */
function accept(head: AnswerHead, { segment, known }: AttemptOptions, { onIdentity }: AttemptDeps): void {
  const start = segment.written;
  const verdict = judgeBody(head, { start, known });
  if (verdict.kind === "changed" || verdict.kind === "wrong-range") throw new UnexpectedBody(verdict);
  if (verdict.kind === "whole" && start > 0) throw new UnexpectedBody({ kind: "no-ranges" });
  onIdentity(verdict.identity, { head, isWhole: verdict.isWhole });
}

function openWriter(
  segment: Segment,
  { control, deps, failure }: { control: BodyControl; deps: AttemptDeps; failure: AbortController },
): SegmentWriter {
  segment.received = segment.written;
  const writer = createSegmentWriter(segment, {
    file: deps.file,
    control,
    onReceived: deps.onReceived,
    onWritten: deps.onWritten,
    onFailure: (error) => failure.abort(error),
  });
  deps.onWriter(writer);
  return writer;
}
