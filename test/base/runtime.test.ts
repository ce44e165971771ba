import { expect, test, vi } from "vitest";
import { createClock } from "../../src/base/runtime.ts";

test("a clock that is set back during a sleep delays no lease and no deadline", async () => {
  using _restored = { [Symbol.dispose]: () => vi.useRealTimers() };
  vi.useFakeTimers({ toFake: ["Date"] });
  const clock = createClock();
  const startMs = clock.now();

  const slept = clock.sleep(2, new AbortController().signal);
  vi.setSystemTime(startMs - 3_600_000);
  await slept;

  expect(clock.now() - startMs).toBe(2);
});
