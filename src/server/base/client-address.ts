/** Whose request it is, where it came through proxies: each adds the address that it was asked by to `X-Forwarded-For`. */
import { BlockList, isIP } from "node:net";
import { InputError } from "../../base/errors.ts";

/** The client's address: from the connection's, and the `X-Forwarded-For` of its request. */
export type ReadClientAddress = (connected: string | undefined, forwardedFor: string | undefined) => string;

/**
 * Believes the header as far as these proxies wrote it: the client is the last address in it that is none of them. What
 * stands before was written by the client.
 *
 * @param trustedProxies Addresses, or ranges such as `10.0.0.0/8`.
 * @throws {InputError} for anything else.
 */
export function createAddressReader(trustedProxies: readonly string[]): ReadClientAddress {
  const trusted = new BlockList();
  for (const range of trustedProxies) {
    const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    const ip = normalizeAddress(address);
    const bits = isIP(ip ?? "") === 6 ? 128 : 32;
    const length = Number(prefix ?? bits);
    if (ip === undefined || length > bits) {
      throw new InputError([
        `--trusted-proxy: ${range} is neither an IP address nor a range like 10.0.0.0/8`,
      ]);
    }
    trusted.addSubnet(ip, length, bits === 128 ? "ipv6" : "ipv4");
  }
  const isTrusted = (ip: string) => trusted.check(ip, isIP(ip) === 6 ? "ipv6" : "ipv4");
  return (connected, forwardedFor) => {
    let client = normalizeAddress(connected ?? "");
    for (const entry of forwardedFor?.split(",").toReversed() ?? []) {
      const before = normalizeAddress(entry);
      if (client === undefined || !isTrusted(client) || before === undefined) break;
      client = before;
    }
    return client ?? "unknown";
  };
}

/** One spelling for each address: without port, zone and brackets, IPv6 compressed, IPv4 not as IPv6. */
function normalizeAddress(text: string): string | undefined {
  const [, inBrackets, withPort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? withPort ?? text.trim()).replace(/%.*$/, "");
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  const ip = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(ip) ?? [];
  if (high === undefined || low === undefined) return ip;
  return [high, low]
    .flatMap((pair) => [Number.parseInt(pair, 16) >> 8, Number.parseInt(pair, 16) & 255])
    .join(".");
}
