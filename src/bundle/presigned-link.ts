/** Presigned links: credentials that expire, asked for when they are needed and never shown. */
import { classifyHost, isLoopback, type LinkPolicy, normalizeHost } from "../base/network.ts";
import type { Log } from "../base/runtime.ts";
import { looksRandom } from "../base/secrets.ts";
import { BundleError, ExpiredLinkError } from "./errors.ts";

/** Where a bundle can be fetched for a while. `url` is a credential: it is never shown. */
export interface BundleLink {
  readonly url: string;
  readonly expiresAt?: Date | undefined;
  /** The issuer's clock when it made the link; without it, this machine's clock is trusted. */
  readonly issuedAt?: Date | undefined;
  /** Length in bytes that the issuer promises. */
  readonly sizeBytes?: number | undefined;
}

/** Parameters of a presigned link that make it a credential, whatever the storage. */
const secretParameter = /signature|^sig$|token|credential|secret|^key$|^policy$|^s$/i;

/**
 * What to mask of a presigned link: the whole link, and each secret parameter in every spelling a log may show, so that
 * a part of it is no use either. What is not random is no secret: a platform must not choose which words are masked.
 */
export function findLinkSecrets(text: string): string[] {
  const link = new URL(text);
  const values = [link.password];
  for (const pair of link.search.slice(1).split("&")) {
    const [name = "", raw = ""] = pair.split("=", 2);
    if (secretParameter.test(name)) values.push(raw, link.searchParams.get(name) ?? raw);
  }
  const secrets = values.filter(looksRandom);
  // Some storages carry the secret in the path.
  const hasSecretPath = link.pathname.split("/").some(looksRandom);
  const path = hasSecretPath ? [link.origin + link.pathname] : [];
  const query = secrets.length > 0 ? [link.search.slice(1)] : [];
  const whole = path.length + query.length > 0 ? [text, link.href] : [];
  return [...new Set([...whole, ...path, ...query, ...secrets])].filter((part) => part !== "");
}

/** Origin and path of a URL: what of a presigned link may be shown. */
export function describeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * Reads the address of storage.
 *
 * @param base address that a relative one (of a redirect) is relative to
 * @throws {BundleError} unless it is https, or http on this machine, and leads where links of the platform may lead
 */
export function parseStorageUrl(text: string, policy: LinkPolicy, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw new BundleError("unexpected-response", "The link to the bundle is not a URL.");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url)))
    throw new BundleError(
      "unexpected-response",
      `The link to the bundle (${describeUrl(url)}) is not https: anyone on the way could replace the bundle.`,
    );
  if (!policy(classifyHost(url) ?? "public", normalizeHost(url.hostname)))
    throw forbiddenHostError(url.hostname);
  return url;
}

/** Storage that is where no link of the platform may lead. */
export function forbiddenHostError(hostname: string): BundleError {
  return new BundleError(
    "unexpected-response",
    `The link to the bundle leads to ${hostname}, which is on this machine or in a private network, where the platform is not.`,
    {
      hint: "If the bundle is meant to be there, name the host in `allowed-hosts`. Otherwise tell the platform's operator.",
    },
  );
}

/** A link that a request may use now. */
export interface UsableLink {
  readonly url: URL;
  readonly sizeBytes: number | undefined;
}

const maxRefusals = 4;
const maxMarginMs = 30_000;

/** One valid link for all connections; the first is asked for when it is needed. */
export class PresignedLinkCache {
  /** How often a link was asked for. */
  issued = 0;
  readonly #getLink: () => Promise<BundleLink>;
  readonly #now: () => number;
  readonly #log: Log;
  readonly #policy: LinkPolicy;
  #link: UsableLink | undefined;
  #replaceAt = 0;
  #pending: Promise<UsableLink> | undefined;
  #refusals = 0;
  /** The different links so far; one that says how long it lives counts each time: it is fresh even if its address is not new. */
  readonly #different = new Set<string>();

  constructor(getLink: () => Promise<BundleLink>, now: () => number, log: Log, policy: LinkPolicy) {
    this.#getLink = getLink;
    this.#now = now;
    this.#log = log;
    this.#policy = policy;
  }

  /** A link that has not expired; one that has, or is about to, is replaced first, once for all who ask. */
  async current(): Promise<UsableLink> {
    if (this.#link && this.#now() < this.#replaceAt) return this.#link;
    this.#pending ??= this.#ask().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #ask(): Promise<UsableLink> {
    const { url, sizeBytes, expiresAt, issuedAt } = await this.#getLink();
    const now = this.#now();
    this.issued += 1;
    this.#link = { url: parseStorageUrl(url, this.#policy), sizeBytes };
    this.#log.debug(`Link ${this.issued} to the bundle: ${describeUrl(this.#link.url)}`);
    const lifeMs = expiresAt ? expiresAt.getTime() - (issuedAt?.getTime() ?? now) : Number.NaN;
    this.#different.add(lifeMs > 0 ? `${this.issued} ${url}` : url);
    // A little early: a request that starts in time may still arrive too late. An expiry in the past is a clock that is
    // wrong: storage itself will refuse the link when it has expired.
    this.#replaceAt =
      lifeMs > 0 ? now + lifeMs - Math.min(maxMarginMs, lifeMs / 10) : Number.POSITIVE_INFINITY;
    return this.#link;
  }

  /**
   * Reports that storage refused a link, with the code of its error document. Connections that were refused with the
   * same link ask for one new link together.
   *
   * @throws {BundleError} when there is only one link and it has expired, or when fresh links keep being refused: then it
   *   is not their age
   */
  reject(link: UsableLink, status: number, detail: string): void {
    if (link !== this.#link) return;
    this.#refusals += 1;
    const reason = `${status} ${detail}`.trim();
    if (this.#refusals >= maxRefusals && this.#different.size === 1) {
      throw new ExpiredLinkError(
        "not-found",
        `The link to the bundle (${describeUrl(link.url)}) expired: storage answered ${reason}. Run the export with its \`job-id\` to refresh the link.`,
        { status, hint: "This makes no new export. An address of your own storage does not expire." },
      );
    }
    if (this.#refusals >= maxRefusals) {
      throw new BundleError(
        status === 404 ? "not-found" : "forbidden",
        `Storage (${describeUrl(link.url)}) refused ${maxRefusals} fresh links: ${reason}.`,
        {
          status,
          hint:
            status === 404
              ? "The platform links to an archive that storage does not have. Start a new export; if it fails again, tell the platform's operator."
              : "The links are fresh, so it is not their age: storage may be closed to this network, or the clock or the access of the service that signs them may be wrong. Tell the platform's operator.",
        },
      );
    }
    this.#log.debug(`Storage refused the link (${reason}); asking for a fresh one.`);
    this.#link = undefined;
  }

  /** Drops the link without counting a refusal: the next request asks for another. */
  forget(): void {
    this.#link = undefined;
  }

  /** Reports that bytes have arrived: refusals are counted from zero again. */
  progressed(): void {
    this.#refusals = 0;
  }
}
