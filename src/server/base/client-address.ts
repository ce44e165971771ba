/** Whose request it is, where it came through proxies: each adds the address that it was asked by to `X-Forwarded-For`. */
import { BlockList, isIP, SocketAddress } from "node:net";
import { InputError } from "../../base/errors.ts";

/**
 * Reads the client's address from the connection's, and the `X-Forwarded-For` of its request. The header is believed as far as
 * these proxies wrote it: the client is the last address in it that is none of them. What stands before was written by the client.
 *
 * @param trustedProxies Addresses, or ranges such as `10.0.0.0/8`.
 * @throws {InputError} for anything else.
 */
export function createAddressReader(trustedProxies: readonly string[]) {
  const trusted = new BlockList();
  for (const range of trustedProxies) {
    const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    const ip = normalizeAddress(address);
    const bits = isIP(ip ?? "") === 6 ? 128 : 32;
    const length = Number(prefix ?? bits);
    if (ip === undefined || length > bits)
      throw new InputError([
        `--trusted-proxy: ${range} is neither an IP address nor a range like 10.0.0.0/8`,
      ]);
    trusted.addSubnet(ip, length, familyOf(ip));
  }
  return (connected = "", forwardedFor = ""): string => {
    let client = normalizeAddress(connected);
    for (const entry of forwardedFor.split(",").toReversed()) {
      const before = normalizeAddress(entry);
      if (client === undefined || !trusted.check(client, familyOf(client)) || before === undefined) break;
      client = before;
    }
    return client ?? "unknown";
  };
}

/** One spelling for each address: without port, zone and brackets, IPv6 compressed, IPv4 not as IPv6. */
function normalizeAddress(text: string): string | undefined {
  const [, inBrackets, withPort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  const address = inBrackets ?? withPort ?? text.trim();
  if (isIP(address) === 0) return undefined;
  return new SocketAddress({ address, family: familyOf(address) }).address.replace(/^::ffff:(?=.+\.)/, "");
}

function familyOf(ip: string): "ipv4" | "ipv6" {
  return isIP(ip) === 6 ? "ipv6" : "ipv4";
}
