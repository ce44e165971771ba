import { createHash } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { html, raw } from "hono/html";
import { ApiError } from "../base/http.ts";
import type { LocalHost, PullRequestView } from "./local-host.ts";

/** The pages' only style sheet, allowed by its hash. */
const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; }
.state { padding: .1rem .7rem; border-radius: 1rem; color: #fff; background: #1a7f37; }
.state.merged { background: #8250df; }
.state.gone { background: #656d76; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { padding: .75rem; border: 1px solid #8888; border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre span { display: block; min-height: 1.5em; }
.added { background: #2da44e33; }
.removed { background: #cf222e33; }
.hunk, .file { font-weight: 600; background: #8882; }
`;

const styleHash = createHash("sha256").update(style).digest("base64");
const securityHeaders = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

const loopbackName = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** A name that a website gave to this machine must not let it read what is served here without a key. */
const requireLoopbackName: MiddlewareHandler = async (call, next) => {
  if (!loopbackName.test(call.req.header("host") ?? "")) {
    throw new ApiError(403, "This page is served under the addresses of this machine only.");
  }
  await next();
};

/**
 * The pages of the pull requests that have no other place.
 *
 * @param mayRead Whether a request may see the work of a job.
 * @param guard What lets requests pass; without it, they must come from this machine, which alone reaches the pages.
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
    return call.html(renderPage(view), 200, securityHeaders);
  });
  pages.get(`${host.repository}/pull/:file{[0-9]+\\.diff}`, guard, async (call) => {
    const { diff } = await read(call, call.req.param("file"));
    if (diff === undefined) throw new ApiError(404, "The changes of this pull request cannot be shown here.");
    return call.text(`${diff}\n`, 200, securityHeaders);
  });
  return pages;
}

const stateNames = { open: "Open", merged: "Merged", gone: "Branch deleted" };

/** A pull request as a page: what was asked for, what changed, and how to take it over. */
function renderPage(view: PullRequestView) {
  const { number, title, branch, base, prompts, createdAt, state } = view;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · pull request ${number}</title>
<style>${raw(style)}</style>
</head>
<body>
<header>
<h1>${title} <small>#${number}</small></h1>
<p><span class="state ${state}">${stateNames[state]}</span> <code>${branch}</code> into <code>${base}</code>,
opened <time datetime="${createdAt}">${createdAt.slice(0, 16).replace("T", " ")} UTC</time></p>
</header>
<main>
<h2>Request</h2>
${prompts.map((prompt) => html`<pre>${reveal(prompt)}</pre>`)}
<h2>Changes</h2>
${renderDiff(view)}
<h2>Take it over</h2>
<pre>git merge ${branch}</pre>
</main>
</body>
</html>`;
}

function renderDiff({ state, diff, number, base, branch }: PullRequestView) {
  if (state === "gone") return html`<p>The branch no longer exists in the repository.</p>`;
  if (diff === undefined) {
    return html`<p>They are too large for a page. To see them:</p>
<pre>git diff ${base}...${branch}</pre>`;
  }
  if (diff === "") return html`<p>The branch holds nothing that its base does not.</p>`;
  const lines = diff.split("\n").map((line) => html`<span class="${classOf(line)}">${reveal(line)}</span>`);
  return html`<pre tabindex="0" aria-label="Changes">${lines}</pre>
<p><a href="${number}.diff">The changes as a file</a></p>`;
}

/** Characters that would hide or reorder what a reader sees, as their code points. */
function reveal(line: string): string {
  return line.replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n])\p{Cc}/gu,
    (character) => `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

function classOf(line: string): string {
  if (line.startsWith("diff --git ")) return "file";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+") && !line.startsWith("+++ ")) return "added";
  if (line.startsWith("-") && !line.startsWith("--- ")) return "removed";
  return "same";
}
