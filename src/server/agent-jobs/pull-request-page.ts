import { html, raw } from "hono/html";
import type { LocalPullRequest } from "./local-pull-requests.ts";

/** What a pull request's page shows. */
export interface PullRequestView extends LocalPullRequest {
  readonly state: "open" | "merged" | "gone";
  /** `undefined` when its branch is gone, or when there is too much of it. */
  readonly diff: string | undefined;
}

const stateNames = { open: "Open", merged: "Merged", gone: "Branch deleted" };

/** The page's only style sheet, allowed by its hash. */
export const pullRequestStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; }
.state { padding: .1rem .7rem; border-radius: 1rem; color: #fff; background: #1a7f37; }
.state.merged { background: #8250df; }
.state.gone { background: #656d76; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem 0; border: 1px solid #8888; border-radius: .5rem; }
pre span { display: block; padding: 0 .75rem; white-space: pre-wrap; overflow-wrap: anywhere; min-height: 1.5em; }
pre.plain { padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.added { background: #2da44e33; }
.removed { background: #cf222e33; }
.place { color: #0969da; background: #0969da1a; }
.file { font-weight: 600; background: #8882; }
@media (prefers-color-scheme: dark) { .place { color: #79c0ff; } }
`;

/** A pull request as a page: what was asked for, what changed, and how to take it over. */
export function renderPullRequestPage(view: PullRequestView) {
  const { number, title, branch, base, prompts, createdAt } = view;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · pull request ${number}</title>
<style>${raw(pullRequestStyle)}</style>
</head>
<body>
<header>
<h1>${title} <small>#${number}</small></h1>
<p><span class="state ${view.state}">${stateNames[view.state]}</span> <code>${branch}</code> into <code>${base}</code>,
opened <time datetime="${createdAt}">${createdAt.slice(0, 16).replace("T", " ")} UTC</time></p>
</header>
<main>
<h2>Request</h2>
${prompts.map(
  (prompt) => html`<pre class="plain">${reveal(prompt)}</pre>
`,
)}<h2>Changes</h2>
${renderDiff(view)}
<h2>Take it over</h2>
<pre class="plain">git merge ${branch}</pre>
</main>
</body>
</html>`;
}

function renderDiff({ state, diff, number, base, branch }: PullRequestView) {
  if (state === "gone") return html`<p>The branch no longer exists in the repository.</p>`;
  if (diff === undefined) {
    return html`<p>They are too large for a page. To see them:</p>
<pre class="plain">git diff ${base}...${branch}</pre>`;
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
  if (line.startsWith("@@")) return "place";
  if (line.startsWith("+") && !line.startsWith("+++ ")) return "added";
  if (line.startsWith("-") && !line.startsWith("--- ")) return "removed";
  return "same";
}
