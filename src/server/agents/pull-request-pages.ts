import { type Context, Hono, type MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { isLoopback } from "../../base/network.ts";
import { pageHeaders, renderHtmlPage, renderTime, revealHidden } from "../base/html-page.ts";
import { ApiError } from "../base/http.ts";
import { mayAccess } from "../base/keys.ts";
import type { LocalChange, LocalHost } from "./local-host.ts";
import { describeSubject } from "./published-change.ts";
import type { AgentJobRecord } from "./turn.ts";

/** Requires a loopback host name. Otherwise a website could read pages that need no key through DNS rebinding. */
const requireLoopbackName: MiddlewareHandler = async (call, next) => {
  const address = URL.parse(`http://${call.req.header("host")}`);
  if (address === null || !isLoopback(address))
    throw new ApiError(403, "This page is served under the addresses of this machine only.");
  await next();
};

/**
 * The pages of pull requests in a local repository.
 *
 * @param guard Authorizes requests; by default, they only need a loopback host name.
 */
export function createPullRequestPages(
  host: LocalHost,
  getJob: (id: string) => Promise<AgentJobRecord | undefined>,
  guard = requireLoopbackName,
): Hono {
  const pages = new Hono();
  const read = async (call: Context, id: string) => {
    const job = await getJob(id);
    if (!job?.pullRequest || !mayAccess(call, "projects", job.projectId))
      throw new ApiError(404, "There is no pull request of such a job.");
    return { job, ...(await host.readChange(job, call.req.raw.signal)) };
  };
  pages.get(`${host.repository}/pull/:id{\\w+}`, guard, async (call) => {
    const view = await read(call, call.req.param("id"));
    return call.html(renderPullRequestPage(view), 200, pageHeaders);
  });
  pages.get(`${host.repository}/pull/:file{\\w+\\.diff}`, guard, async (call) => {
    const { diff } = await read(call, call.req.param("file").replace(/\.diff$/, ""));
    if (diff === undefined) throw new ApiError(404, "The diff of this pull request is not available.");
    return call.text(`${diff}\n`, 200, pageHeaders);
  });
  return pages;
}

const stateNames = { open: "Open", merged: "Merged", closed: "Branch deleted" };

interface PullRequestView extends LocalChange {
  readonly job: AgentJobRecord;
}

/** Renders a pull request: the prompts, the diff, and the command to merge it. */
function renderPullRequestPage(view: PullRequestView) {
  const { state, job } = view;
  const { id, branch, base, turns, createdAt } = job;
  const title = describeSubject(turns[0]?.prompt ?? "");
  return renderHtmlPage(
    `${title} · pull request`,
    html`<h1>${title} <small>${id}</small></h1>
<p><span class="state ${state}">${stateNames[state]}</span> <code>${branch}</code> into <code>${base}</code>,
requested ${renderTime(createdAt)}</p>`,
    html`<h2>Request</h2>
${turns.map(({ prompt }) => html`<pre>${revealHidden(prompt)}</pre>`)}
<h2>Changes</h2>
${renderDiff(view)}
<h2>Merge</h2>
<pre>git merge ${branch}</pre>`,
  );
}

function renderDiff({ state, diff, job: { id, base, branch } }: PullRequestView) {
  if (state === "closed") return html`<p>The branch no longer exists in the repository.</p>`;
  if (diff === undefined) {
    return html`<p>The changes are too large for this page. To see them, run:</p>
<pre>git diff ${base}...${branch}</pre>`;
  }
  if (diff === "") return html`<p>There are no changes between the branch and its base.</p>`;
  const lines = diff
    .split("\n")
    .map((line) => html`<span class="${classOf(line)}">${revealHidden(line)}</span>`);
  return html`<pre tabindex="0" aria-label="Changes">${lines}</pre>
<p><a href="${id}.diff">Download the diff</a></p>`;
}

function classOf(line: string): string {
  if (line.startsWith("diff --git ")) return "file";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+") && !line.startsWith("+++ ")) return "added";
  if (line.startsWith("-") && !line.startsWith("--- ")) return "removed";
  return "same";
}
