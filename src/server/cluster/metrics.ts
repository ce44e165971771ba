/** What an operator's monitoring asks for: the platform's figures in Prometheus' format. */
import { Hono } from "hono";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Observer } from "../base/context.ts";

/** One row for each queue, group and state. */
export interface WorkMeasure {
  readonly queue: string;
  /** A site's domain, or a project. */
  readonly group: string | null;
  readonly state: string;
  readonly count: number;
  /** For how long the oldest has been there, in seconds. */
  readonly age: number;
}

const seconds = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300, 1800];

/** Counts what this process does, and asks for what all of them share when `/metrics` is asked for. */
export function createMetrics(measureWork: () => Promise<readonly WorkMeasure[]>) {
  const registry = new Registry();
  const shared = { registers: [registry] };
  collectDefaultMetrics({ register: registry, prefix: "docs_platform_" });
  const jobs = new Gauge({
    ...shared,
    name: "docs_platform_jobs",
    help: "Jobs that wait (created, retry) or are worked on (active), by queue and by site or project.",
    labelNames: ["queue", "group", "state"],
  });
  const age = new Gauge({
    ...shared,
    name: "docs_platform_queue_age_seconds",
    help: "How long the oldest job of a queue has waited.",
    labelNames: ["queue"],
  });
  const requests = new Histogram({
    ...shared,
    name: "docs_platform_request_seconds",
    help: "Requests by method, route and status; an answer that is streamed counts until it begins.",
    labelNames: ["method", "route", "status"],
    buckets: seconds,
  });
  const finished = new Histogram({
    ...shared,
    name: "docs_platform_job_seconds",
    help: "Jobs that this process worked on to their end, by queue and result.",
    labelNames: ["queue", "result"],
    buckets: seconds,
  });
  const answers = new Counter({
    ...shared,
    name: "docs_platform_answers_total",
    help: "Questions by domain and result: answered, or refused because the documents say nothing of it.",
    labelNames: ["domain", "result"],
  });
  const observer: Observer = {
    request: ({ method, route, status, seconds: taken }) =>
      requests.observe({ method, route, status }, taken),
    job: ({ queue, result, seconds: taken }) => finished.observe({ queue, result }, taken),
    answer: (domain, result) => answers.inc({ domain, result }),
  };
  const routes = new Hono();
  routes.get("/metrics", async (call) => {
    jobs.reset();
    for (const name of ["exports", "agents"]) age.set({ queue: name }, 0);
    const waited = new Map<string, number>();
    // Without its database, what the process itself counts matters most.
    for (const { queue, group, state, count, age: since } of await measureWork().catch(() => [])) {
      jobs.set({ queue, group: group ?? "", state }, count);
      if (state !== "active") waited.set(queue, Math.max(waited.get(queue) ?? 0, since));
    }
    for (const [queue, since] of waited) age.set({ queue }, since);
    return call.text(await registry.metrics(), 200, { "content-type": registry.contentType });
  });
  return { observer, routes };
}
