/** Classifies IP addresses and host names, and decides where links of a platform may lead. */
import { BlockList, isIPv4 } from "node:net";

/** Whether a URL's host is this machine (`localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]`). */
export function isLoopback({ hostname }: Pick<URL, "hostname">): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/**
 * The network that an address belongs to: this machine (`loopback`), a private network, the internet (`public`), or a network that
 * never serves files (`special`: link-local addresses, the metadata services of clouds, multicast, reserved ranges).
 */
export type NetworkScope = "loopback" | "private" | "special" | "public";

/** Ranges of RFC 6890 and its successors. The first range that contains an address decides. */
const ranges: readonly (readonly [NetworkScope, readonly string[]])[] = [
  ["loopback", ["0.0.0.0/8", "127.0.0.0/8", "::/127"]],
  // Metadata services of Alibaba, Amazon and Google, whose addresses are inside private ranges.
  ["special", ["100.100.100.200/32", "fd00:ec2::254/128", "fd20:ce::254/128"]],
  ["private", ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"]],
  // 168.63.129.16 is the host of an Azure virtual machine. GitHub's runners are such machines.
  ["special", ["168.63.129.16/32", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15"]],
  [
    "special",
    ["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "2001::/23", "2001:db8::/32", "3fff::/20"],
  ],
  ["public", ["0.0.0.0/0", "2000::/3"]],
];

/** Created for the first address, which no run needs before its first request. */
let networks: readonly { readonly network: NetworkScope; readonly list: BlockList }[] | undefined;

function listNetworks() {
  return ranges.map(([network, blocks]) => {
    const list = new BlockList();
    for (const block of blocks) {
      const [address = "", bits] = block.split("/");
      list.addSubnet(address, Number(bits), familyOf(address));
    }
    return { network, list };
  });
}

// Node's isIPv6 compiles a regular expression at its first use, which takes an eighth of Node's start-up time.
function familyOf(address: string) {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** Classifies an IP address. An IPv6 address that embeds an IPv4 address is classified by the latter. */
export function classifyAddress(address: string): NetworkScope {
  const [plain = ""] = address.split("%");
  const embedded = familyOf(plain) === "ipv6" ? embeddedAddress(plain) : plain;
  networks ??= listNetworks();
  return networks.find(({ list }) => list.check(embedded, familyOf(embedded)))?.network ?? "special";
}

/** Names that are not in public DNS (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`), and names without a dot. */
const privateName = /^[^.]+$|\.(?:internal|local|localdomain|home\.arpa|lan|intranet|corp)$/;

/** Classifies a URL's host without DNS; `undefined` for a name that has to be resolved. */
export function classifyHost({ hostname }: Pick<URL, "hostname">): NetworkScope | undefined {
  const host = normalizeHost(hostname);
  if (isIPv4(host) || familyOf(host) === "ipv6") return classifyAddress(host);
  if (isLoopback({ hostname: host }) || host === "localhost.localdomain") return "loopback";
  return privateName.test(host) ? "private" : undefined;
}

/** A URL's host in lower case, without the brackets of an IPv6 address and without the final dot of a name. */
export function normalizeHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

/** The eight groups of an IPv6 address, in hexadecimal digits without leading zeros. */
export function groupsOf(address: string): string[] {
  const sides = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [front = [], back = []] = sides.map((side) => side.split(":").filter(Boolean));
  return [...front, ...Array<string>(8 - front.length - back.length).fill("0"), ...back];
}

/** The IPv4 address that an IPv6 address embeds (mapped, compatible, NAT64 or 6to4); otherwise the address itself. */
function embeddedAddress(address: string): string {
  const groups = groupsOf(address);
  const prefix = groups.slice(0, 6).join(":");
  const isEmbedded = ["0:0:0:0:0:ffff", "0:0:0:0:ffff:0", "64:ff9b:0:0:0:0"].includes(prefix);
  const isCompatible = prefix === "0:0:0:0:0:0" && groups[6] !== "0";
  const at = groups[0] === "2002" ? 1 : 6;
  if (!(isEmbedded || isCompatible || at === 1)) return address;
  const pair = groups.slice(at, at + 2).map((group) => Number.parseInt(group, 16));
  return pair.flatMap((group) => [group >> 8, group & 0xff]).join(".");
}

/** Whether a link may lead to a host (see {@link normalizeHost}) in a network. */
export type LinkPolicy = (network: NetworkScope, host: string) => boolean;

/**
 * Links of a platform may lead to the internet, or to the kind of network that the platform itself is in: a private network, or this
 * machine. Allowed hosts may be anywhere.
 */
export function createLinkPolicy(
  platformNetwork: () => NetworkScope,
  allowedHosts: readonly string[],
): LinkPolicy {
  return (network, host) => {
    if (network === "public" || allowedHosts.includes(host)) return true;
    return network !== "special" && network === platformNetwork();
  };
}
