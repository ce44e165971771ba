/** Presigned links: credentials that expire. They are requested when needed and never shown. */
import { classifyHost, isLoopback, type LinkPolicy, normalizeHost } from "../base/network.ts";
import type { Clock, Log } from "../base/runtime.ts";
import { looksRandom } from "../base/secrets.ts";
import { formatDuration } from "../base/text.ts";
import { BundleError, ExpiredLinkError } from "./errors.ts";

/** A presigned link to a bundle. `url` is a credential and must not be shown. */
export interface BundleLink {
  readonly url: string;
  readonly expiresAt?: Date | undefined;
  /** The platform's time when it created the link; default: this machine's time. */
  readonly issuedAt?: Date | undefined;
  readonly sizeBytes?: number | undefined;
}

/** Query parameters that are credentials, in the presigned links of any storage. */
const secretParameter = /signature|^sig$|token|credential|secret|^key$|^policy$|^s$/i;

/**
 * The values of a presigned link to mask: the link, its query or path, and each secret parameter, encoded and decoded. A value that does
 * not look random is not masked, because a platform must not choose which words are masked.
 */
export function findLinkSecrets(text: string): string[] {
  const link = new URL(text);
  const values = [link.password];
  for (const pair of link.search.slice(1).split("&")) {
    const [name = "", raw = ""] = pair.split("=", 2);
    if (secretParameter.test(name)) values.push(raw, link.searchParams.get(name) ?? raw);
  }
  const secrets = values.filter(looksRandom);
  // Some storage has the secret in the path, or in a parameter of another name.
  const path = link.pathname.split(/[^\w.~+=%-]/).some(looksRandom) ? [link.origin + link.pathname] : [];
  const isSecret = secrets.length > 0 || link.search.split(/[^\w.~+%-]/).some(looksRandom);
  const query = isSecret ? [link.search.slice(1)] : [];
  const whole = path.length + query.length > 0 ? [text, link.href] : [];
  return [...new Set([...whole, ...path, ...query, ...secrets])].filter((part) => part !== "");
}

/** Origin and path of a URL, which may be shown. */
export function describeUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * Parses and checks a URL of storage.
 *
 * @param base base URL of a relative redirect
 * @throws {BundleError} unless it is https, or http on this machine, and the policy allows its host
 */
export function parseStorageUrl(text: string, policy: LinkPolicy, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  const hint = "If the link is yours, correct it. Otherwise contact the platform's operator.";
  if (!url) throw new BundleError("unexpected-response", "The link to the bundle is not a URL.", { hint });
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url)))
    throw new BundleError(
      "unexpected-response",
      `The link to the bundle (${describeUrl(url)}) is not https, so the bundle could be replaced on the way.`,
      { hint },
    );
  if (!policy(classifyHost(url) ?? "public", normalizeHost(url.hostname)))
    throw forbiddenHostError(url.hostname);
  return url;
}

/** The error for a host that links of the platform may not lead to. */
export function forbiddenHostError(hostname: string): BundleError {
  return new BundleError(
    "unexpected-response",
    `The link to the bundle leads to ${hostname}, which is on this machine or in a private network, but the platform is not.`,
    {
      hint: "If this host is correct, add it to `allowed-hosts`. Otherwise contact the platform's operator.",
    },
  );
}

export interface UsableLink {
  readonly url: URL;
  readonly sizeBytes: number | undefined;
}

const missingHint =
  "The platform's link leads to an archive that storage does not have. Start a new export. If it fails again, contact the platform's operator.";
const refusedHint =
  "The links are fresh and have not expired: storage may block this network, or the service that signs the links has a wrong clock or no access. Contact the platform's operator.";
const maxRefusals = 4;
const maxMarginMs = 30_000;

/**
 * How long a link is kept before its first use, for each refused link before it. The clock of the service that signs links may be ahead
 * of storage's, and an archive that has just been stored may be missing on some servers.
 */
const waitPerRefusalMs = 5_000;

export interface PresignedLinkDeps {
  readonly linkPolicy: LinkPolicy;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Provides one valid link for all connections. */
export class PresignedLinkCache {
  issued = 0;
  readonly #getLink: () => Promise<BundleLink>;
  readonly #deps: PresignedLinkDeps;
  #link: UsableLink | undefined;
  #replaceAtMs = 0;
  #pending: Promise<UsableLink> | undefined;
  #refusals = 0;
  /** Distinct links so far. A link with an expiry always counts as distinct, even if its URL is the same. */
  readonly #distinct = new Set<string>();

  constructor(getLink: () => Promise<BundleLink>, deps: PresignedLinkDeps) {
    this.#getLink = getLink;
    this.#deps = deps;
  }

  /** Returns a valid link. If it has expired or is about to, a fresh one is requested once for all callers. */
  async current(): Promise<UsableLink> {
    if (this.#link && this.#deps.clock.now() < this.#replaceAtMs) return this.#link;
    this.#pending ??= this.#request().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #request(): Promise<UsableLink> {
    const { url, sizeBytes, expiresAt, issuedAt } = await this.#getLink();
    const { clock, linkPolicy, log, signal } = this.#deps;
    const now = clock.now();
    this.issued += 1;
    const link = { url: parseStorageUrl(url, linkPolicy), sizeBytes };
    log.debug(`Link ${this.issued} to the bundle: ${describeUrl(link.url)}`);
    const lifeMs = expiresAt ? expiresAt.getTime() - (issuedAt?.getTime() ?? now) : Number.NaN;
    this.#distinct.add(lifeMs > 0 ? `${this.issued} ${url}` : url);
    // The margin allows for the time that a request takes to arrive. An expiry in the past means that a clock is wrong; storage will
    // refuse the link when it has really expired.
    this.#replaceAtMs =
      lifeMs > 0 ? now + lifeMs - Math.min(maxMarginMs, lifeMs / 10) : Number.POSITIVE_INFINITY;
    // The first refusal usually means that the link has expired, and so do all refusals of an unchanging link.
    if (this.#refusals > 1 && this.#distinct.size > 1) {
      const waitMs = waitPerRefusalMs * (this.#refusals - 1);
      log.info(`Download: storage refused a fresh link; trying another one in ${formatDuration(waitMs)}.`);
      await clock.sleep(lifeMs > 0 ? Math.min(waitMs, lifeMs / 2) : waitMs, signal);
    }
    this.#link = link;
    return link;
  }

  /**
   * Discards a link that storage refused. `detail` is the code of the error document. If several connections used the same link, only
   * one fresh link is requested.
   *
   * @throws {BundleError} if the only link has expired, or fresh links are refused repeatedly
   */
  reject(link: UsableLink, status: number, detail: string): void {
    if (link !== this.#link) return;
    this.#refusals += 1;
    const reason = `${status} ${detail}`.trim();
    if (this.#refusals >= maxRefusals && this.#distinct.size === 1)
      throw new ExpiredLinkError(
        "not-found",
        `The link to the bundle (${describeUrl(link.url)}) expired: storage returned ${reason}. Run the export with its \`job-id\` to get a fresh link.`,
        { status, hint: "This does not start a new export. A link to your own storage does not expire." },
      );
    if (this.#refusals >= maxRefusals) {
      const message = `Storage (${describeUrl(link.url)}) refused ${maxRefusals} fresh links: ${reason}.`;
      const [code, hint] =
        status === 404 ? (["not-found", missingHint] as const) : (["forbidden", refusedHint] as const);
      throw new BundleError(code, message, { status, hint });
    }
    this.#deps.log.debug(`Storage refused the link (${reason}); requesting a fresh one.`);
    this.#link = undefined;
  }

  forget(): void {
    this.#link = undefined;
  }

  /** Resets the number of refusals after bytes have arrived. */
  progressed(): void {
    this.#refusals = 0;
  }
}
