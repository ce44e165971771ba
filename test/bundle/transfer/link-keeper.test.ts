import { describe, expect, it } from "vitest";
import { createLinkKeeper } from "../../../src/bundle/transfer/link-keeper.ts";

const ignore = () => undefined;
const log = { debug: ignore, info: ignore, notice: ignore, warning: ignore };

/** A keeper whose clock is set by hand, and whose links live so long by the issuer's clock. */
function setUp({ lifeMs, issuerAheadMs = 0 }: { lifeMs: number; issuerAheadMs?: number }) {
  const clock = { now: 1_000_000 };
  const keeper = createLinkKeeper({
    now: () => clock.now,
    log,
    getLink: async () => {
      const issuedAt = clock.now + issuerAheadMs;
      return {
        url: "https://storage.example/bundle",
        issuedAt: new Date(issuedAt),
        expiresAt: new Date(issuedAt + lifeMs),
      };
    },
  });
  return { clock, keeper };
}

describe("the link keeper", () => {
  it("keeps a link until thirty seconds before it dies", async () => {
    const { clock, keeper } = setUp({ lifeMs: 3_600_000 });
    await keeper.current();

    clock.now += 3_569_000;
    await keeper.current();
    expect(keeper.issued).toBe(1);

    clock.now += 2000;
    await keeper.current();
    expect(keeper.issued).toBe(2);
  });

  it("replaces a short-lived link when a tenth of its life is left", async () => {
    const { clock, keeper } = setUp({ lifeMs: 1000 });
    await keeper.current();

    clock.now += 899;
    await keeper.current();
    expect(keeper.issued).toBe(1);

    clock.now += 2;
    await keeper.current();
    expect(keeper.issued).toBe(2);
  });

  it("trusts the issuer's clock, not ours", async () => {
    const { clock, keeper } = setUp({ lifeMs: 600_000, issuerAheadMs: -3_600_000 });
    await keeper.current();

    clock.now += 500_000;
    await keeper.current();

    expect(keeper.issued).toBe(1);
  });

  it("uses a link that claims to be dead already: storage decides", async () => {
    const { keeper } = setUp({ lifeMs: -5000 });

    await keeper.current();
    await keeper.current();

    expect(keeper.issued).toBe(1);
  });

  it("counts a refusal of the same link once, however many connections report it", async () => {
    const { keeper } = setUp({ lifeMs: 3_600_000 });

    for (let round = 0; round < 3; round += 1) {
      const link = await keeper.current();
      for (let connection = 0; connection < 8; connection += 1)
        keeper.reject(link, { status: 403, detail: "" });
    }
    const last = await keeper.current();

    expect(() => keeper.reject(last, { status: 403, detail: "AccessDenied" })).toThrow(
      "Storage (https://storage.example/bundle) refused 4 fresh links: 403 AccessDenied",
    );
  });

  it("forgives refusals when bytes have come", async () => {
    const { keeper } = setUp({ lifeMs: 3_600_000 });

    for (let round = 0; round < 10; round += 1) {
      keeper.reject(await keeper.current(), { status: 403, detail: "" });
      keeper.progressed();
    }

    expect((await keeper.current()).url.href).toBe("https://storage.example/bundle");
  });
});
