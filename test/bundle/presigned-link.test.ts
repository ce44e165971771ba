import { describe, expect, it } from "vitest";
import { findLinkSecrets, PresignedLinkCache } from "../../src/bundle/presigned-link.ts";
import { createRecordingLog } from "../support/recording-log.ts";

const deps = {
  linkPolicy: () => true,
  clock: { now: () => 1_000_000, sleep: async () => undefined },
  log: createRecordingLog(),
  signal: new AbortController().signal,
};

describe("findLinkSecrets", () => {
  it("returns the link and its secret parameters, encoded and decoded", () => {
    const link =
      "https://storage.example/b.tar.gz?X-Amz-Date=20260101T000000Z&X-Amz-Security-Token=ab%2Fcd%2Bef12gh3456%3D&X-Amz-Signature=0123456789abcdef";
    expect(findLinkSecrets(link)).toEqual([
      link,
      link.split("?")[1],
      "ab%2Fcd%2Bef12gh3456%3D",
      "ab/cd+ef12gh3456=",
      "0123456789abcdef",
    ]);
  });

  it("returns origin and path if the path is the secret", () => {
    const link = "https://storage.example/s/9f8e7d6c5b4a3210ff/b.zip";
    expect(findLinkSecrets(link)).toEqual([link]);
    expect(findLinkSecrets(`${link}?x=1`)).toEqual([`${link}?x=1`, link]);
  });

  it.each([
    "md5=9f8e7d6c5b4a3210ffee&expires=1798000000",
    "verify=1798000000-9f8e7d6c5b4a3210ff%3D",
    "auth_key=1798000000-0-0-9f8e7d6c5b4a3210",
  ])("returns the link and its query if it has any random value: %s", (query) => {
    const link = `https://cdn.example/b.zip?${query}`;
    expect(findLinkSecrets(link)).toEqual([link, query]);
  });

  it.each(["bcdn_token=9f8e7d6c5b4a3210&expires=1798000000", "exp=1798000000~acl=*~hmac=9f8e7d6c5b4a3210"])(
    "returns origin and path if a part of the path is random: %s",
    (part) => {
      const link = `https://cdn.example/${part}/b.zip`;
      expect(findLinkSecrets(link)).toEqual([link]);
    },
  );

  it.each([
    "https://storage.example/bundle.zip?sig=abc",
    "https://github.com/octo-org/widgets?token=pull-requests-of-the-agent",
    "https://github.com/octo-org/widgets?key=https://github.com/octo-org/widgets2",
    "https://github.com/octo-org/widgets#0123456789abcdef",
  ])("never masks words, which would make the log unreadable: %s", (link) => {
    expect(findLinkSecrets(link)).toEqual([]);
  });
});

/** A cache with a manual clock, whose links have the given lifetime by the issuer's clock. */
function setUp(lifeMs: number, issuerAheadMs = 0) {
  const clock = { now: 1_000_000 };
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
  };
  const links = new PresignedLinkCache(
    async () => {
      const issuedAt = clock.now + issuerAheadMs;
      return {
        url: "https://storage.example/bundle",
        issuedAt: new Date(issuedAt),
        expiresAt: new Date(issuedAt + lifeMs),
      };
    },
    { ...deps, clock: { now: () => clock.now, sleep } },
  );
  return { clock, links, waits };
}

describe("PresignedLinkCache", () => {
  it.each([
    { name: "thirty seconds before it expires", lifeMs: 3_600_000, keptMs: 3_569_000, replacedMs: 2000 },
    { name: "when a tenth of a short lifetime is left", lifeMs: 1000, keptMs: 899, replacedMs: 2 },
  ])("replaces a link $name", async ({ lifeMs, keptMs, replacedMs }) => {
    const { clock, links } = setUp(lifeMs);
    await links.current();

    clock.now += keptMs;
    await links.current();
    expect(links.issued).toBe(1);

    clock.now += replacedMs;
    await links.current();
    expect(links.issued).toBe(2);
  });

  it.each([-3_600_000, 3_600_000])(
    "trusts the issuer's clock, which is %s ms ahead of ours",
    async (ahead) => {
      const { clock, links } = setUp(600_000, ahead);
      await links.current();

      clock.now += 569_000;
      await links.current();
      expect(links.issued).toBe(1);

      clock.now += 2000;
      await links.current();
      expect(links.issued).toBe(2);
    },
  );

  it.each([-5000, 0])("uses a link with a lifetime of %i ms, because storage decides", async (lifeMs) => {
    const { links } = setUp(lifeMs);

    await links.current();
    await links.current();

    expect(links.issued).toBe(1);
  });

  it.each([
    [404, "not-found", "Start a new export"],
    [403, "forbidden", "The links are fresh"],
  ])("gives up after four refusals with %i as `%s`", async (status, code, hint) => {
    const { links } = setUp(3_600_000);
    for (let round = 0; round < 3; round += 1) links.reject(await links.current(), status, "");
    const last = await links.current();

    expect(() => links.reject(last, status, "")).toThrow(
      expect.objectContaining({ code, status, hint: expect.stringContaining(hint) }),
    );
  });

  it("masks every secret of a link that has several, and the query also for a single one", () => {
    const [one, other] = ["0123456789abcdef", "fedcba9876543210"];
    const link = `https://storage.example/b?sig=${one}=&x=1&token=${other}`;
    const secrets = [link, `sig=${one}=&x=1&token=${other}`, `${one}`, `${one}=`, other];

    expect(secrets).toEqual(expect.arrayContaining(findLinkSecrets(link)));
    expect(findLinkSecrets(`https://storage.example/b?sig=${one}`)).toContain(`sig=${one}`);
  });

  it("counts a refusal of the same link once for all connections", async () => {
    const { links } = setUp(3_600_000);

    for (let round = 0; round < 3; round += 1) {
      const link = await links.current();
      for (let connection = 0; connection < 8; connection += 1) links.reject(link, 403, "");
    }
    const last = await links.current();

    expect(() => links.reject(last, 403, "AccessDenied")).toThrow(
      "Storage (https://storage.example/bundle) refused 4 fresh links: 403 AccessDenied",
    );
  });

  it.each([
    { name: "has no expiry", expiresAt: undefined },
    { name: "has an expiry in the past", expiresAt: new Date(900_000) },
  ])("reports that the only link expired, and how to get a fresh one, if it $name", async ({ expiresAt }) => {
    const url = "https://storage.example/bundle?X-Amz-Signature=0123456789abcdef";
    const links = new PresignedLinkCache(async () => ({ url, expiresAt }), deps);
    for (let round = 0; round < 3; round += 1) links.reject(await links.current(), 403, "");
    const last = await links.current();

    const expired =
      /^The link to the bundle \(https:\/\/storage\.example\/bundle\) expired: storage returned 403 AccessDenied\. Run the export .*`job-id` to get/;
    expect(() => links.reject(last, 403, "AccessDenied")).toThrow(expired);
  });

  it("does not report two successive links as expired", async () => {
    const urls = ["1", "2", "3", "4"].map((sig) => `https://storage.example/bundle?sig=${sig}`);
    const links = new PresignedLinkCache(async () => ({ url: urls.pop() ?? "" }), deps);
    for (let round = 0; round < 3; round += 1) links.reject(await links.current(), 403, "");
    const last = await links.current();

    expect(() => links.reject(last, 403, "AccessDenied")).toThrow("refused 4 fresh links");
  });

  it.each([
    { lifeMs: 3_600_000, expected: [5_000, 10_000] },
    { lifeMs: 8_000, expected: [4_000, 4_000] },
  ])("waits before it returns further links of $lifeMs ms after refusals", async ({ lifeMs, expected }) => {
    const { links, waits } = setUp(lifeMs);
    for (let round = 0; round < 3; round += 1) links.reject(await links.current(), 403, "");

    await links.current();

    expect(waits).toEqual(expected);
  });

  it("resets the number of refusals when bytes have arrived", async () => {
    const { links } = setUp(3_600_000);

    for (let round = 0; round < 10; round += 1) {
      links.reject(await links.current(), 403, "");
      links.progressed();
    }
    for (let round = 0; round < 3; round += 1) links.reject(await links.current(), 403, "");
    const last = await links.current();

    expect(() => links.reject(last, 403, "")).toThrow("refused 4 fresh links");
  });
});
