/** What an address says about where it leads. */
import { BlockList, isIPv4 } from "node:net";

/** Whether a URL's host is this machine (`localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]`). */
export function isLoopback({ hostname }: Pick<URL, "hostname">): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/**
 * Where an address leads: to this machine, into a private network, to anybody (`public`), or nowhere that serves files
 * (`special`: link-local addresses with the clouds' metadata services, multicast, reserved ranges).
 */
export type NetworkScope = "loopback" | "private" | "special" | "public";

/** Ranges of RFC 6890 and its successors; the first that has an address counts. */
const ranges: readonly (readonly [NetworkScope, readonly string[]])[] = [
  ["loopback", ["0.0.0.0/8", "127.0.0.0/8", "::/127"]],
  // Metadata services of Alibaba, Amazon and Google inside ranges that are private otherwise.
  ["special", ["100.100.100.200/32", "fd00:ec2::254/128", "fd20:ce::254/128"]],
  ["private", ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"]],
  // 168.63.129.16 is what Azure's own machines, and so GitHub's runners, reach their host at.
  ["special", ["168.63.129.16/32", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15"]],
  [
    "special",
    ["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "2001::/23", "2001:db8::/32", "3fff::/20"],
  ],
  ["public", ["0.0.0.0/0", "2000::/3"]],
];

/** Made when the first address is looked up: no run does that before its first request. */
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

// Node's isIPv6 would compile an expression at its first use, which takes an eighth of Node's own start.
function familyOf(address: string) {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** Where an IP address leads; one that carries an IPv4 address leads where that does. */
export function classifyAddress(address: string): NetworkScope {
  const [plain = ""] = address.split("%");
  const embedded = familyOf(plain) === "ipv6" ? embeddedAddress(plain) : plain;
  networks ??= listNetworks();
  return networks.find(({ list }) => list.check(embedded, familyOf(embedded)))?.network ?? "special";
}

/** Names that no public name server has (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`), and those without a dot. */
const privateName = /^[^.]+$|\.(?:internal|local|localdomain|home\.arpa|lan|intranet|corp)$/;

/** Where a URL's host leads as far as it says so itself; `undefined` for a name that name servers know. */
export function classifyHost({ hostname }: Pick<URL, "hostname">): NetworkScope | undefined {
  const host = normalizeHost(hostname);
  if (isIPv4(host) || familyOf(host) === "ipv6") return classifyAddress(host);
  if (isLoopback({ hostname: host }) || host === "localhost.localdomain") return "loopback";
  return privateName.test(host) ? "private" : undefined;
}

/** A URL's host without brackets and without the dot at the end of a complete name. */
export function normalizeHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

/** The IPv4 address in a mapped, compatible, translated (NAT64) or 6to4 address; any other address as it is. */
function embeddedAddress(address: string): string {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const front = head.split(":").filter((group) => group !== "");
  const back = (tail ?? "").split(":").filter((group) => group !== "");
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  const groups = [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16));
  const prefix = groups.slice(0, 6).join(":");
  const isEmbedded = ["0:0:0:0:0:65535", "0:0:0:0:65535:0", "100:65435:0:0:0:0"].includes(prefix);
  const isCompatible = prefix === "0:0:0:0:0:0" && (groups[6] ?? 0) > 0;
  const at = groups[0] === 0x2002 ? 1 : 6;
  if (!(isEmbedded || isCompatible || at === 1)) return address;
  return [groups[at] ?? 0, groups[at + 1] ?? 0].flatMap((group) => [group >> 8, group & 0xff]).join(".");
}

/** Whether a link to a host (as {@link normalizeHost} writes it) may lead into a network. */
export type LinkPolicy = (network: NetworkScope, host: string) => boolean;

/**
 * What a platform links to may be anywhere in public, in the private network that the platform itself is in, or on this
 * machine if the platform is; allowed hosts may be anywhere.
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
