import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/base/runtime.ts";
import { LiveEdits } from "../../src/commands/live-answer.ts";

/** A clock whose sleepers wake when the test moves it. */
function createManualClock() {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ at: now + ms, wake: resolve });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  };
  async function pass(ms: number) {
    now += ms;
    for (const sleeper of sleepers.splice(0)) {
      if (sleeper.at <= now) sleeper.wake();
      else sleepers.push(sleeper);
    }
    await turn();
  }
  return { clock, pass };
}

describe("live edits", () => {
  test("show the first words soon and the next ones seconds later, only where something changed", async () => {
    const { clock, pass } = createManualClock();
    const shown: string[] = [];
    const select = (text: string) => text.slice(0, text.lastIndexOf(".") + 1);
    const edits = new LiveEdits(select, async (text) => void shown.push(text), clock);
    edits.update("One. tw");
    await pass(799);
    expect(shown).toEqual([]);
    await pass(1);
    expect(shown).toEqual(["One."]);
    edits.update("One. two");
    await pass(3_999);
    edits.update("One. two. three.");
    await pass(1);
    expect(shown).toEqual(["One.", "One. two. three."]);
    await pass(10_000);
    edits.update("One. two. three. fo");
    await pass(10_000);
    expect(shown).toHaveLength(2);
    await edits.stop();
  });

  test("grow rarer in a long answer, up to one in twenty seconds", async () => {
    const { clock, pass } = createManualClock();
    const shownAt: number[] = [];
    const edits = new LiveEdits(String, async () => void shownAt.push(clock.now()), clock);
    for (let second = 0; second < 3600; second += 1) {
      edits.update(`${second}`);
      await pass(1000);
    }
    await edits.stop();
    const pauses = shownAt.slice(1).map((at, index) => at - (shownAt[index] ?? 0));
    expect(pauses[0]).toBe(4000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(21_000);
    expect(shownAt.length).toBeLessThan(200);
  });

  test("stop at once, after the edit under way", async () => {
    const { clock, pass } = createManualClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    const edits = new LiveEdits(String, () => promise, clock);
    edits.update("One.");
    await pass(800);
    let isStopped = false;
    const stopped = edits.stop().then(() => {
      isStopped = true;
    });
    await turn();
    expect(isStopped).toBe(false);
    resolve();
    await stopped;
  });
});
