/** The status page of exports, agent jobs and unanswered questions, for users with an API key. */
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import type { ExportReport } from "../../base/export-report.ts";
import { formatBytes, formatCount, shorten } from "../../base/text.ts";
import type { AgentJobs } from "../agents/agent-jobs.ts";
import { presentAgentJob } from "../agents/agent-routes.ts";
import type { AgentJobRecord } from "../agents/turn.ts";
import type { RefusedQuestion, RefusedQuestions } from "../assistant/records.ts";
import type { PlatformContext } from "../base/context.ts";
import { type Markup, pageHeaders, renderHtmlPage, renderTime, revealHidden } from "../base/html-page.ts";
import { ApiError } from "../base/http.ts";
import { mayAccess } from "../base/keys.ts";
import type { ExportJobRecord, ExportJobs } from "../exports/export-jobs.ts";
import { requireJob } from "../exports/export-routes.ts";

/** Number of newest exports and agent jobs on the page. */
const maxJobs = 50;
/** All stored questions, because a frequent question can be old. */
const maxQuestions = 1_000;

/**
 * Serves the status page and what it links to. A key shows only its projects and domains.
 *
 * @param agents `undefined` if agent jobs are disabled
 */
export function createStatusRoutes(
  exports: ExportJobs,
  agents: AgentJobs | undefined,
  questions: RefusedQuestions,
  context: PlatformContext,
): Hono {
  const routes = new Hono();
  const [read, write] = [context.requireKey("read", true), context.requireKey("write", true)];
  const findExport = async (call: Context, id: string) => requireJob(call, await exports.get(id));

  routes.get("/", (call) => call.redirect("status"));
  routes.get("/status", read, async (call) => {
    const key = call.get("apiKey");
    const [exportJobs, agentJobs, refused] = await Promise.all([
      exports.list({ where: { domain: key?.domains }, limit: maxJobs }),
      agents?.list({ where: { projectId: key?.projects }, limit: maxJobs }),
      questions.list({ where: { domain: key?.domains }, limit: maxQuestions }),
    ]);
    const mayDownload = key?.class === "admin";
    const byCount = refused.toSorted((one, other) => other.count - one.count);
    const page = renderHtmlPage(
      "Status of the documentation platform",
      html`<h1>Status of the documentation platform</h1>
<p>The newest entries at ${renderTime(new Date(context.now()).toISOString())}.</p>`,
      html`<h2>Exports</h2>
${renderList(exportJobs.map((job) => renderExport(job, mayDownload)))}
<h2>Agent jobs</h2>
${agentJobs === undefined ? noAgents : renderList(agentJobs.map((job) => renderAgentJob(job, context)))}
<h2>Questions that the documentation does not answer</h2>
${renderList(byCount.map(renderQuestion))}`,
    );
    return call.html(page, 200, pageHeaders);
  });
  routes.get("/status/exports/:id/report", read, async (call) => {
    const job = await findExport(call, call.req.param("id"));
    const report = await exports.readReport(job);
    if (report === undefined) throw new ApiError(404, "This export has no report of warnings.");
    return call.html(renderReport(job, report), 200, pageHeaders);
  });
  routes.get("/status/exports/:id/bundle", write, async (call) => {
    const job = await findExport(call, call.req.param("id"));
    if (job.bundle === undefined) throw new ApiError(404, "This export has no bundle.");
    const { url } = await exports.link(job, job.bundle.name);
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

function renderReport({ jobId, domain }: ExportJobRecord, report: ExportReport): Markup {
  const { warningCount, warningsByKind, warnings } = report;
  const shown = warnings.slice(0, 1_000);
  const kinds = Object.entries(warningsByKind).map(([kind, count]) => `${kind} ${count}`);
  return renderHtmlPage(
    `Warnings of the export ${jobId}`,
    html`<h1>Warnings of an export of ${domain}</h1>
<p><code>${jobId}</code>: ${warningCount} (${kinds.join(", ")})</p>`,
    html`<ul class="list">
${shown.map(
  ({ kind, page, line, message }) =>
    html`<li><code>${revealHidden(page)}${line === undefined ? "" : `:${line}`}</code> <small>${kind}</small>
<p>${revealHidden(message)}</p></li>`,
)}
</ul>
${shown.length < warningCount ? html`<p>The report in the bundle lists them.</p>` : ""}
<p><a href="../../../status">Status of the platform</a></p>`,
  );
}

const noAgents = html`<p>Agent jobs are not enabled: the platform was started without an agent command.</p>`;

function renderList(items: readonly Markup[]): Markup {
  if (items.length === 0) return html`<p>None.</p>`;
  return html`<ul class="list">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function renderDetails(...details: readonly (Markup | string | false)[]): Markup {
  const shown = details.filter((detail) => detail !== false);
  return html`<p>${shown.map((detail, index) => html`${index > 0 ? " · " : ""}${detail}`)}</p>`;
}

function renderExport(job: ExportJobRecord, mayDownload: boolean): Markup {
  const { jobId, domain, version, paths, status, progress, pageCount, createdAt, error, bundle, report } =
    job;
  const base = `status/exports/${jobId}`;
  const size = bundle && formatBytes(bundle.sizeBytes);
  return html`<h3><span class="state ${status}">${status}</span> ${domain}${version && ` ${version}`}</h3>
${renderDetails(
  status === "running" &&
    html`<progress value="${progress}" max="100" aria-label="Progress">${progress} %</progress> ${progress} %`,
  formatCount(pageCount, "page"),
  paths !== undefined && `only ${shorten(paths.join(", "), 200)}`,
  report !== undefined && html`<a href="${base}/report">${formatCount(report.warningCount, "warning")}</a>`,
  bundle !== undefined &&
    (mayDownload ? html`<a href="${base}/bundle">bundle, ${size}</a>` : `bundle, ${size}`),
  html`started ${renderTime(createdAt)}`,
  html`<code>${jobId}</code>`,
)}
${error === undefined ? "" : html`<p>${revealHidden(error)}</p>`}`;
}

function renderAgentJob(job: AgentJobRecord, context: PlatformContext): Markup {
  const { id, projectId, status, turns, createdAt, error } = job;
  const { prLink, compareLink } = presentAgentJob(job, context);
  const [firstLine = ""] = (turns[0]?.prompt ?? "").trim().split("\n", 1);
  const outputs = turns.flatMap(({ output }, turn) => {
    if (output === undefined) return [];
    const name = turns.length === 1 ? "log" : `log of prompt ${turn + 1}`;
    return [html`<a href="status/agents/${id}/output/${turn}">${name}</a>`];
  });
  return html`<h3><span class="state ${status}">${status}</span> ${revealHidden(shorten(firstLine, 200))}</h3>
${renderDetails(
  `project ${projectId}`,
  turns.length > 1 && `${turns.length} prompts`,
  ...outputs,
  prLink !== null && html`<a href="${prLink}">pull request</a>`,
  prLink !== null && html`<a href="${prLink}.diff">change</a>`,
  compareLink != null && html`<a href="${compareLink}">change</a>`,
  html`started ${renderTime(createdAt)}`,
  html`<code>${id}</code>`,
)}
${error === undefined ? "" : html`<p>${revealHidden(error)}</p>`}`;
}

function renderQuestion({ question, domain, count, updatedAt }: RefusedQuestion): Markup {
  return html`<h3>${revealHidden(question)}</h3>
${renderDetails(count === 1 ? "once" : `${count} times`, domain, html`last ${renderTime(updatedAt)}`)}`;
}
