/** The status page of exports, agent jobs and unanswered questions, for users with an API key. */
import { type Context, Hono } from "hono";
import type { AgentJobs } from "../agents/agent-jobs.ts";
import { presentAgentJob } from "../agents/agent-routes.ts";
import type { RefusedQuestions } from "../assistant/records.ts";
import type { PlatformContext } from "../base/context.ts";
import { pageHeaders } from "../base/html-page.ts";
import { ApiError } from "../base/http.ts";
import { mayAccess } from "../base/keys.ts";
import type { Dated, RecordQuery } from "../base/storage.ts";
import type { ExportJobs } from "../exports/export-jobs.ts";
import { requireJob } from "../exports/export-routes.ts";

/** Number of newest exports and agent jobs on the page. */
const maxJobs = 50;
/** All stored questions, because a frequent question can be old. */
const maxQuestions = 1_000;

interface StatusSources {
  readonly exports: ExportJobs;
  /** `undefined` if agent jobs are disabled. */
  readonly agents: AgentJobs | undefined;
  readonly questions: RefusedQuestions;
}

/** Serves the status page and what it links to. A key shows only its projects and domains. */
export function createStatusRoutes(
  { exports, agents, questions }: StatusSources,
  context: PlatformContext,
): Hono {
  const routes = new Hono();
  const [read, write] = [context.requireKey("read", true), context.requireKey("write", true)];
  /** The rendering code is loaded by the first request. */
  const load = () => import("./render-status.ts");
  const findExport = async (call: Context, id: string) => requireJob(call, await exports.get(id));

  routes.get("/", (call) => call.redirect("status"));
  routes.get("/status", read, async (call) => {
    const key = call.get("apiKey");
    const [exportJobs, agentJobs, refused] = await Promise.all([
      listNewest(exports.list, "domain", key?.domains, maxJobs),
      agents && listNewest(agents.list, "projectId", key?.projects, maxJobs),
      listNewest(questions.list, "domain", key?.domains, maxQuestions),
    ]);
    const page = (await load()).renderStatus({
      exports: exportJobs,
      agents: agentJobs?.map((job) => ({ job, presented: presentAgentJob(job, context) })),
      questions: refused.toSorted((one, other) => other.count - one.count),
      mayDownload: key?.class === "admin",
      time: new Date(context.now()).toISOString(),
    });
    return call.html(page, 200, pageHeaders);
  });
  routes.get("/status/exports/:id/report", read, async (call) => {
    const job = await findExport(call, call.req.param("id"));
    const report = await exports.readReport(job);
    if (report === undefined) throw new ApiError(404, "This export has no report of warnings.");
    return call.html((await load()).renderReport(job, report), 200, pageHeaders);
  });
  routes.get("/status/exports/:id/bundle", write, async (call) => {
    const job = await findExport(call, call.req.param("id"));
    if (job.bundle === undefined) throw new ApiError(404, "This export has no bundle.");
    const { url } = await exports.link(job, job.bundle);
    return new Response(null, { status: 303, headers: { ...pageHeaders, location: url } });
  });
  routes.get("/status/agents/:id/output/:turn{[0-9]+}", read, async (call) => {
    const job = await agents?.get(call.req.param("id"));
    const isVisible = job !== undefined && mayAccess(call, "projects", job.projectId);
    const output = isVisible ? await agents?.readOutput(job, Number(call.req.param("turn"))) : undefined;
    if (output === undefined) throw new ApiError(404, "There is no agent output for this prompt.");
    return call.text(output, 200, pageHeaders);
  });
  return routes;
}

/** Lists the newest records whose field has one of the names; all records if `names` is `undefined`. */
async function listNewest<Value extends Dated>(
  list: (query: RecordQuery<Value>) => Promise<Value[]>,
  field: keyof Value,
  names: readonly string[] | undefined,
  limit: number,
): Promise<Value[]> {
  if (names === undefined) return list({ limit });
  const found = await Promise.all(
    names.map((name) => list({ where: { [field]: name } as Partial<Value>, limit })),
  );
  return found
    .flat()
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    .slice(0, limit);
}
