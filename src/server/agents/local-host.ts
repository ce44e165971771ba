/** The host of a served repository without a remote: its branches, and the pages that show them as pull requests. */
import { basename } from "node:path";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { JobFailedError } from "../../base/errors.ts";
import { pageHeaders, renderHtmlPage, renderTime, revealHidden } from "../base/html-page.ts";
import { ApiError } from "../base/http.ts";
import { mayAccess } from "../base/keys.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { GitError, optionalOutput } from "./git.ts";
import { describeSubject, type PublishedJob, type PullRequestHost } from "./published-change.ts";
import type { AgentJobRecord } from "./turn.ts";

/**
 * Creates a host that puts branches into the served repository. The records of jobs are its pull requests, each with a page of the
 * platform.
 *
 * @param configuredBase Base branch; defaults to the branch that is checked out.
 */
export function createLocalHost(configuredBase: string | undefined, agents: AgentRepository) {
  const repository = `/local/${basename(agents.served.root).replaceAll(/[^\w.-]+/g, "-") || "repository"}`;
  const runInServed = (signal: AbortSignal, ...args: string[]) => agents.runInServed(args, signal);
  /** Lists the branches once. The base of a job that no longer exists is replaced by the default one. */
  const readTips = async (job: Pick<PublishedJob, "branch" | "base">, signal: AbortSignal) => {
    const format = "--format=%(HEAD)%(if)%(worktreepath)%(then)+%(else)-%(end) %(objectname) %(refname)";
    const listing = await runInServed(signal, "for-each-ref", format, "refs/heads");
    const branches = [...listing.matchAll(/^(.)(.) (\S+) refs\/heads\/(.+)$/gm)];
    const tips = new Map(branches.map(([, , , tip = "", name = ""]) => [name, tip]));
    // On a detached HEAD, the base is a commit instead of a branch.
    const tipOf = (name = "") => (/^[\da-f]{40,64}$/.test(name) ? name : tips.get(name));
    const checkedOut = branches.find(([, mark]) => mark === "*")?.[4];
    const named = tipOf(job.base) === undefined ? configuredBase : job.base;
    const base = named ?? checkedOut ?? (await runInServed(signal, "rev-parse", "HEAD^{commit}"));
    const isCheckedOut = branches.some(([, , mark, , name]) => mark === "+" && name === job.branch);
    return { base, baseTip: tipOf(base), tip: tips.get(job.branch), isCheckedOut };
  };
  const host: PullRequestHost = {
    repository,
    // A job without a record has no pull request.
    findOpen: async () => undefined,
    /** `closed` if the branch was deleted. */
    async readState(job, signal) {
      const { baseTip, tip } = await readTips(job, signal);
      if (tip === undefined || baseTip === undefined) return "closed";
      const isAncestor = runInServed(signal, "merge-base", "--is-ancestor", tip, baseTip);
      return (await optionalOutput(isAncestor)) === undefined ? "open" : "merged";
    },
    async findStart(job, signal) {
      const { base, baseTip, tip, isCheckedOut } = await readTips(job, signal);
      if (isCheckedOut)
        throw new JobFailedError(`The branch ${job.branch} is checked out: check out another branch first.`);
      const commit = tip ?? baseTip;
      if (commit !== undefined) return { commit, base, hasBranch: tip !== undefined };
      throw new JobFailedError(`The served repository has no branch ${base}.`);
    },
    async publish({ jobId, branch, start, commit, isPushed }, signal) {
      // Git rejects this if a user changed the branch meanwhile.
      const expected = start.hasBranch ? start.commit : "";
      if (!isPushed) await runInServed(signal, "update-ref", `refs/heads/${branch}`, commit, expected);
      return `${repository}/pull/${jobId}`;
    },
  };
  return {
    ...host,
    /** The diff of a pull request that is not closed; `undefined` if it is too long for a page. */
    async readDiff(job: PublishedJob, signal: AbortSignal): Promise<string | undefined> {
      const { baseTip, tip } = await readTips(job, signal);
      const plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
      try {
        return await runInServed(signal, "diff", ...plain, `${baseTip}...${tip}`, "--");
      } catch (error) {
        if (error instanceof GitError && error.isOutputTooLong) return undefined;
        throw error;
      }
    },
  };
}

/**
 * The pages of pull requests in a local repository.
 *
 * @param guard Authorizes requests.
 */
export function createPullRequestPages(
  host: ReturnType<typeof createLocalHost>,
  getJob: (id: string) => Promise<AgentJobRecord | undefined>,
  guard: MiddlewareHandler,
): Hono {
  const pages = new Hono();
  const read = async (call: Context, id: string) => {
    const job = await getJob(id);
    if (!job?.pullRequest || !mayAccess(call, "projects", job.projectId))
      throw new ApiError(404, "There is no pull request of such a job.");
    const { signal } = call.req.raw;
    const state = await host.readState(job, signal);
    return { job, state, diff: state === "closed" ? undefined : await host.readDiff(job, signal) };
  };
  // The repository's folder may have had another name when the link was made.
  pages.get("/local/:repository/pull/:id{\\w+}", guard, async (call) => {
    const view = await read(call, call.req.param("id"));
    return call.html(renderPullRequestPage(view), 200, pageHeaders);
  });
  pages.get("/local/:repository/pull/:file{\\w+\\.diff}", guard, async (call) => {
    const { diff } = await read(call, call.req.param("file").replace(/\.diff$/, ""));
    if (diff === undefined) throw new ApiError(404, "The diff of this pull request is not available.");
    return call.text(`${diff}\n`, 200, pageHeaders);
  });
  return pages;
}

const stateNames = { open: "Open", merged: "Merged", closed: "Branch deleted" };

interface PullRequestView {
  readonly job: AgentJobRecord;
  readonly state: keyof typeof stateNames;
  /** `undefined` if the branch was deleted, or the diff is too long. */
  readonly diff: string | undefined;
}

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
