/** The client behind trusted proxies, by its address. Each proxy appends the address of its peer to `X-Forwarded-For`. */
import { BlockList, isIP, SocketAddress } from "node:net";
import { InputError } from "../../base/errors.ts";
import { groupsOf } from "../../base/network.ts";

/**
 * Creates a function that reads the client's address from the address of the connection and the `X-Forwarded-For` header. The
 * client is the last address that is not a trusted proxy. Addresses before it are ignored: the client can forge them. Of an IPv6
 * address, only the network (/64) counts: a client can use any address in it.
 *
 * @param trustedProxies Addresses, or ranges such as `10.0.0.0/8`.
 * @throws {InputError} if a proxy is neither.
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
      const previous = normalizeAddress(entry);
      if (client === undefined || !trusted.check(client, familyOf(client)) || previous === undefined) break;
      client = previous;
    }
    if (client === undefined) return "unknown";
    return isIP(client) === 4 ? client : groupsOf(client).slice(0, 4).join(":");
  };
}

/** Normalizes an address: no port, zone or brackets; compressed IPv6; IPv4 instead of IPv4-mapped IPv6. */
function normalizeAddress(text: string): string | undefined {
  const [, inBrackets, withPort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  const address = inBrackets ?? withPort ?? text.trim();
  if (isIP(address) === 0) return undefined;
  return new SocketAddress({ address, family: familyOf(address) }).address.replace(/^::ffff:(?=.+\.)/, "");
}

function familyOf(ip: string): "ipv4" | "ipv6" {
  return isIP(ip) === 6 ? "ipv6" : "ipv4";
}
