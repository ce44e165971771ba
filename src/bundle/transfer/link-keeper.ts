import type { Log } from "../../base/runtime.ts";
import { BundleError } from "../errors.ts";
import { type BundleLink, describeUrl, parseStorageUrl } from "./bundle-link.ts";

/** A link that a request may use now. */
export interface UsableLink {
  readonly url: URL;
  readonly sizeBytes: number | undefined;
}

/** Keeps one valid link for all connections. */
export interface LinkKeeper {
  /** Times a link was asked for. */
  readonly issued: number;
  /** A link that has not expired; one that has, or is about to, is replaced first. */
  current(): Promise<UsableLink>;
  /**
   * Says that storage refused a link. Connections that were refused with the same link ask for one new link together.
   *
   * @throws {BundleError} when fresh links keep being refused: then it is not their age
   */
  reject(link: UsableLink, reason: LinkRefusal): void;
  /** Forgets the link without blaming it: the next request asks for another. */
  forget(): void;
  /** Says that bytes have arrived: refusals from now on count anew. */
  progressed(): void;
}

/** How storage refused a link. */
interface LinkRefusal {
  readonly status: number;
  /** Code of the error document, where there is one. */
  readonly detail: string;
}

interface LinkKeeperDeps {
  readonly getLink: () => Promise<BundleLink>;
  readonly now: () => number;
  readonly log: Log;
}

const maxRefusals = 4;
const maxMarginMs = 30_000;

/** Starts without a link; the first is asked for when it is needed. */
export function createLinkKeeper({ getLink, now, log }: LinkKeeperDeps): LinkKeeper {
  let held: UsableLink | undefined;
  let replaceAt = Number.POSITIVE_INFINITY;
  let pending: Promise<UsableLink> | undefined;
  let refusals = 0;
  let issued = 0;

  async function ask(): Promise<UsableLink> {
    const link = await getLink();
    issued += 1;
    const url = parseStorageUrl(link.url);
    log.debug(`Link ${issued} to the bundle: ${describeUrl(url)}`);
    held = { url, sizeBytes: link.sizeBytes };
    replaceAt = timeToReplace(link, now());
    return held;
  }

  return {
    get issued() {
      return issued;
    },
    async current() {
      if (held && now() < replaceAt) return held;
      pending ??= ask().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    reject(link, { status, detail }) {
      if (link !== held) return;
      refusals += 1;
      if (refusals >= maxRefusals) throw refusedError(describeUrl(link.url), { status, detail });
      log.debug(`Storage refused the link (${status}${detail && ` ${detail}`}); asking for a fresh one.`);
      held = undefined;
    },
    forget() {
      held = undefined;
    },
    progressed() {
      refusals = 0;
    },
  };
}

/** A little before the link dies: a request that starts in time may still arrive too late. */
function timeToReplace({ expiresAt, issuedAt }: BundleLink, now: number): number {
  const lifeMs = expiresAt ? expiresAt.getTime() - (issuedAt?.getTime() ?? now) : Number.NaN;
  // An expiry in the past is a clock that is wrong: storage itself will say when the link is dead.
  if (!(lifeMs > 0)) return Number.POSITIVE_INFINITY;
  return now + lifeMs - Math.min(maxMarginMs, lifeMs / 10);
}

function refusedError(place: string, { status, detail }: LinkRefusal): BundleError {
  const code = status === 404 ? "not-found" : "forbidden";
  return new BundleError(
    code,
    `Storage (${place}) refused ${maxRefusals} fresh links: ${status} ${detail}`.trim(),
    {
      status,
      hint:
        status === 404
          ? "The platform links to an archive that storage does not have. Start a new export; if it fails again, tell the platform's operator."
          : "The links are fresh, so it is not their age: storage may be closed to this network, or the clock or the access of the service that signs them may be wrong. Tell the platform's operator.",
    },
  );
}
