/** Metrics in the Prometheus format. */
import { Hono } from "hono";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Observer } from "../base/context.ts";

/** Jobs of a queue, group and state. */
export interface WorkMeasure {
  readonly queue: string;
  /** A site's domain, or a project. */
  readonly group: string | null;
  readonly state: string;
  readonly count: number;
  /** Seconds since the oldest job was created. */
  readonly age: number;
}

const buckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300, 1800];

/** Measures this process, and reads the shared job queues for each request of `/metrics`. */
export function createMetrics(measureWork: () => Promise<readonly WorkMeasure[]>) {
  const registry = new Registry();
  const shared = { registers: [registry] };
  collectDefaultMetrics({ register: registry, prefix: "docs_platform_" });
  const jobs = new Gauge({
    ...shared,
    name: "docs_platform_jobs",
    help: "Waiting (created, retry) and running (active) jobs by queue and by site or project.",
    labelNames: ["queue", "group", "state"],
  });
  const age = new Gauge({
    ...shared,
    name: "docs_platform_queue_age_seconds",
    help: "Waiting time of the oldest job in a queue.",
    labelNames: ["queue"],
  });
  const requests = new Histogram({
    ...shared,
    name: "docs_platform_request_seconds",
    help: "Requests by method, route and status. A streamed response is measured until it starts.",
    labelNames: ["method", "route", "status"],
    buckets,
  });
  const finished = new Histogram({
    ...shared,
    name: "docs_platform_job_seconds",
    help: "Jobs that this process finished, by queue and result.",
    labelNames: ["queue", "result"],
    buckets,
  });
  const answers = new Counter({
    ...shared,
    name: "docs_platform_answers_total",
    help: "Questions by domain and result: answered, refused because the documents do not contain the answer, or failed.",
    labelNames: ["domain", "result"],
  });
  const observer: Observer = {
    request: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    job: ({ queue, result, seconds }) => finished.observe({ queue, result }, seconds),
    answer: (domain, result) => answers.inc({ domain, result }),
  };
  const routes = new Hono();
  routes.get("/metrics", async (call) => {
    // If the database is unavailable, report only this process's own metrics: an age of 0 would end alerts and remove workers.
    const work = await measureWork().catch(() => undefined);
    jobs.reset();
    age.reset();
    if (work !== undefined) for (const name of ["exports", "agents"]) age.set({ queue: name }, 0);
    const waited = new Map<string, number>();
    for (const { queue, group, state, count, age: seconds } of work ?? []) {
      jobs.set({ queue, group: group ?? "", state }, count);
      if (state !== "active") waited.set(queue, Math.max(waited.get(queue) ?? 0, seconds));
    }
    for (const [queue, seconds] of waited) age.set({ queue }, seconds);
    return call.text(await registry.metrics(), 200, { "content-type": registry.contentType });
  });
  return { observer, routes };
}
