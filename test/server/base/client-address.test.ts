import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAddressReader } from "../../../src/server/base/client-address.ts";

const proxies = ["10.0.0.0/8", "192.168.1.9", "2001:db8::/32", "::1"];

describe("the address of a client", () => {
  test.each([
    ["203.0.113.7", undefined, "203.0.113.7"],
    ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["::ffff:203.0.113.7", undefined, "203.0.113.7"],
    ["::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["10.1.2.3", undefined, "10.1.2.3"],
    ["10.1.2.3", "", "10.1.2.3"],
    ["10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["10.1.2.3", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["10.1.2.3", "1.1.1.1, 198.51.100.1, 192.168.1.9, 10.9.9.9", "198.51.100.1"],
    ["10.1.2.3", "10.4.4.4, 10.5.5.5", "10.4.4.4"],
    ["10.1.2.3", "198.51.100.1:52101", "198.51.100.1"],
    ["10.1.2.3", "[2A00:0:0::1]:443", "2a00:0:0:0"],
    ["2001:db8::9", "2a00:0:0:0::1", "2a00:0:0:0"],
    ["2a00:1:2:3:4:5:6:7", undefined, "2a00:1:2:3"],
    ["2a00:1:2:3::", undefined, "2a00:1:2:3"],
    ["2a00:1::3:4:5:6:7", undefined, "2a00:1:0:3"],
    ["::1:2:3:4:5", undefined, "0:0:0:1"],
    ["fe80::1%eth0", "198.51.100.1", "fe80:0:0:0"],
    // The proxy did not write an invalid address: then the proxy itself counts as the client.
    ["10.1.2.3", "198.51.100.1, unknown", "10.1.2.3"],
    ["10.1.2.3", "198.51.100.1, ,", "10.1.2.3"],
    ["10.1.2.3", "198.51.100.1, 999.1.1.1, 10.7.7.7", "10.7.7.7"],
    [undefined, "198.51.100.1", "unknown"],
  ])("connected from %s with the header %j is %s", (connected, header, address) => {
    expect(createAddressReader(proxies)(connected, header)).toBe(address);
  });

  test("is never one that the client forged", () => {
    const readAddress = createAddressReader(proxies);
    const client = fc.ipV4().filter((ip) => !/^(?:10\.|192\.168\.1\.9$)/.test(ip));
    const written = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 5 });
    const hops = fc.array(fc.constantFrom("10.0.0.1", "192.168.1.9", "2001:db8::1", "::1"), { maxLength: 3 });
    void fc.assert(
      fc.property(written, client, hops, (forged, ip, between) => {
        const header = [...forged, ip, ...between].join(",");
        expect(readAddress("10.1.1.1", header)).toBe(ip);
        expect(readAddress(ip, header)).toBe(ip);
        expect(createAddressReader([])("10.1.1.1", header)).toBe("10.1.1.1");
      }),
    );
  });

  test.each(["", "proxy.example.com", "10.0.0.0/33", "10.0.0.0/", "::/129", "10.0.0.0/8/8x", "1.2.3"])(
    "refuses %j as a proxy",
    (range) => {
      expect(() => createAddressReader([range])).toThrow("--trusted-proxy: ");
    },
  );
});
