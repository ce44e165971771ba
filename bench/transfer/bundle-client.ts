/**
 * Fetches a bundle as the action does, and prints what it cost. Arguments: URL, path, most connections. Its threads start the
 * same file, as those of the action do; the benchmark builds it a second time `WITHOUT_CHECKS`.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../src/base/runtime.ts";
import type { WorkerThreadInput } from "../../src/base/worker-thread.ts";
import { downloadBundle } from "../../src/bundle/download.ts";
import { runVerification, type VerificationMessage, type VerificationTask } from "../../src/bundle/verify.ts";

declare const WITHOUT_CHECKS: boolean;

async function fetchOnce(): Promise<void> {
  const [url = "", path = "", connections = "8"] = process.argv.slice(2);
  const ignore = () => undefined;
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const { size, transfer } = await downloadBundle(async () => ({ url }), {
    path,
    maxBytes: 1e12,
    connections: Number(connections),
    proxies: {},
    linkPolicy: () => true,
    clock: systemClock,
    random: Math.random,
    log: { debug: ignore, info: ignore, notice: ignore, warning: ignore },
    signal: new AbortController().signal,
  });
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  process.stdout.write(`${JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, size, transfer })}\n`);
  process.exit(0);
}

if (isMainThread) await fetchOnce();
else if (WITHOUT_CHECKS) {
  const archive = { format: "tar.gz", files: 0, totalBytes: 0, report: undefined } as const;
  const verified = { ...archive, size: 0, sha256: "" };
  parentPort?.postMessage({ type: "verified", verified } satisfies VerificationMessage);
} else await runVerification((workerData as WorkerThreadInput).input as VerificationTask);
