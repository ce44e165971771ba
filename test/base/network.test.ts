import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  classifyAddress,
  classifyHost,
  createLinkPolicy,
  type NetworkScope,
} from "../../src/base/network.ts";
import { caseCount } from "../support/property-seed.ts";

const hostOf = (address: string) => classifyHost(new URL(`https://${address}/`));

describe("an address", () => {
  test.each<[NetworkScope, readonly string[]]>([
    ["loopback", ["127.0.0.1", "127.255.0.1", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]],
    ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.100.100.201"]],
    ["private", ["fc00::1", "fd00:ec2::1", "fec0::1", "::ffff:10.0.0.1", "2002:0a00:0001::", "::a00:1"]],
    [
      "special",
      ["169.254.169.254", "169.254.170.2", "168.63.129.16", "192.0.0.192", "224.0.0.1", "255.255.255.255"],
    ],
    ["special", ["100.100.100.200", "::ffff:100.100.100.200", "fd00:ec2::254", "fd20:ce::254"]],
    [
      "special",
      ["fe80::1", "fe80::1%eth0", "ff02::1", "2001:db8::1", "2001::1", "::ffff:169.254.169.254", "100::1"],
    ],
    [
      "public",
      ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808"],
    ],
  ])("is %s: %j", (network, addresses) => {
    expect(addresses.map(classifyAddress)).toEqual(addresses.map(() => network));
  });

  test("is classified in every notation that a URL allows", () => {
    const spelled = [
      "127.1",
      "0x7f.1",
      "2130706433",
      "0177.0.0.1",
      "0x7f000001",
      "[::ffff:7f00:1]",
      "127.0.0.1.",
      "１２７.0.0.1",
    ];
    expect(spelled.map(hostOf)).toEqual(spelled.map(() => "loopback"));
    const metadata = [
      "169.254.169.254",
      "0xa9fea9fe",
      "2852039166",
      "0251.0376.0251.0376",
      "[::ffff:a9fe:a9fe]",
    ];
    expect(metadata.map(hostOf)).toEqual(metadata.map(() => "special"));
  });

  test("is classified by the IPv4 address that it embeds", () => {
    const octet = fc.nat(255);
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const plain = octets.join(".");
        const [a, b, c, d] = octets.map((each) => each.toString(16).padStart(2, "0"));
        const expected = classifyAddress(plain);
        expect(classifyAddress(`::ffff:${plain}`)).toBe(expected);
        expect(classifyAddress(`64:ff9b::${a}${b}:${c}${d}`)).toBe(expected);
        expect(classifyAddress(`2002:${a}${b}:${c}${d}::1`)).toBe(expected);
      }),
      { numRuns: caseCount(3000) },
    );
  });
});

test.each([
  ["localhost", "loopback"],
  ["LOCALHOST.", "loopback"],
  ["a.localhost", "loopback"],
  ["localhost.localdomain", "loopback"],
  ["intranet", "private"],
  ["metadata.google.internal", "private"],
  ["printer.local", "private"],
  ["storage.example", undefined],
  ["127.0.0.1.nip.io", undefined],
])("a name %s leads to %s", (name, network) => {
  expect(hostOf(name)).toBe(network);
});

test.each<[NetworkScope, readonly NetworkScope[]]>([
  ["public", ["public"]],
  ["private", ["private", "public"]],
  ["loopback", ["loopback", "public"]],
  ["special", ["public"]],
])("links of a platform in a %s network lead to %j", (platform, expected) => {
  const policy = createLinkPolicy(() => platform, ["minio.internal"]);
  const networks: readonly NetworkScope[] = ["loopback", "private", "special", "public"];
  expect(networks.filter((network) => policy(network, "storage.example"))).toEqual(expected);
  expect(networks.filter((network) => policy(network, "minio.internal"))).toEqual(networks);
});
