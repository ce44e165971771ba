import { type Context, Hono, type MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { isLoopback } from "../../base/network.ts";
import { pageHeaders, renderHtmlPage, renderTime, revealHidden } from "../base/html-page.ts";
import { ApiError } from "../base/http.ts";
import type { LocalHost, PullRequestView } from "./local-host.ts";

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
 * @param mayRead Whether a request may read the pull request of a job.
 * @param guard Authorizes requests; by default, they only need a loopback host name.
 */
export function createPullRequestPages(
  host: LocalHost,
  mayRead: (call: Context, jobId: string) => Promise<boolean>,
  guard = requireLoopbackName,
): Hono {
  const pages = new Hono();
  const read = async (call: Context, number: string) => {
    const view = await host.read(Number.parseInt(number, 10), call.req.raw.signal);
    if (view === undefined || !(await mayRead(call, view.jobId)))
      throw new ApiError(404, "There is no pull request with this number.");
    return view;
  };
  pages.get(`${host.repository}/pull/:number{[0-9]+}`, guard, async (call) => {
    const view = await read(call, call.req.param("number"));
    return call.html(renderPage(view), 200, pageHeaders);
  });
  pages.get(`${host.repository}/pull/:file{[0-9]+\\.diff}`, guard, async (call) => {
    const { diff } = await read(call, call.req.param("file"));
    if (diff === undefined) throw new ApiError(404, "The diff of this pull request is not available.");
    return call.text(`${diff}\n`, 200, pageHeaders);
  });
  return pages;
}

const stateNames = { open: "Open", merged: "Merged", closed: "Branch deleted" };

/** Renders a pull request: the prompts, the diff, and the command to merge it. */
function renderPage(view: PullRequestView) {
  const { number, title, branch, base, prompts, createdAt, state } = view;
  return renderHtmlPage(
    `${title} · pull request ${number}`,
    html`<h1>${title} <small>#${number}</small></h1>
<p><span class="state ${state}">${stateNames[state]}</span> <code>${branch}</code> into <code>${base}</code>,
opened ${renderTime(createdAt)}</p>`,
    html`<h2>Request</h2>
${prompts.map((prompt) => html`<pre>${revealHidden(prompt)}</pre>`)}
<h2>Changes</h2>
${renderDiff(view)}
<h2>Merge</h2>
<pre>git merge ${branch}</pre>`,
  );
}

function renderDiff({ state, diff, number, base, branch }: PullRequestView) {
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
<p><a href="${number}.diff">Download the diff</a></p>`;
}

function classOf(line: string): string {
  if (line.startsWith("diff --git ")) return "file";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+") && !line.startsWith("+++ ")) return "added";
  if (line.startsWith("-") && !line.startsWith("--- ")) return "removed";
  return "same";
}
