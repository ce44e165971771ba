/** Fetches an object with the transfer engine alone, unchecked, and prints what it cost. Arguments as the bundle client's. */
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { ObjectFetch } from "../../src/bundle/transfer/fetch-object.ts";
import { createLinkKeeper } from "../../src/bundle/transfer/link-keeper.ts";
import { createPartFile } from "../../src/bundle/transfer/part-file.ts";
import { SegmentMap } from "../../src/bundle/transfer/segment-map.ts";

const [url = "", path = "", connections = "8"] = process.argv.slice(2);
const ignore = () => undefined;
const log = { debug: ignore, info: ignore, notice: ignore, warning: ignore };
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
const segments = new SegmentMap(Number.POSITIVE_INFINITY);
const stats = { requests: 0, retries: 0, restarts: 0, connections: 0 };
const file = await createPartFile(path);
await new ObjectFetch(
  { ranged: true, maxConnections: Number(connections), stallMs: 30_000 },
  {
    links: createLinkKeeper({ getLink: async () => ({ url }), now: () => Date.now(), log }),
    dispatcher: new Agent(),
    file,
    segments,
    clock: {
      now: () => Date.now(),
      sleep: async (ms, signal) => {
        await delay(ms, undefined, { signal });
      },
    },
    random: Math.random,
    log,
    stats,
    signal: new AbortController().signal,
    onObject: ({ total }) => segments.bound(total ?? 0),
    onWritten: ignore,
    onTick: ignore,
  },
).run();
await file.publish(path);
const wallMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(
  `${JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, size: segments.total, transfer: stats })}\n`,
);
process.exit(0);
