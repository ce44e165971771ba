import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** Whether a process that was told to end still runs; one that has ended but that nobody has waited for does not. */
export async function isRunning(pid: number): Promise<boolean> {
  for (let looks = 0; looks < 100; looks += 1) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "State:\tX");
    if (/^State:\s+[XZ]/m.test(status)) return false;
    await delay(10);
  }
  return true;
}
