/** Layout of the platform's HTML pages: one inline style sheet, no scripts, no external resources. */
import { hash } from "node:crypto";
import { html, raw } from "hono/html";

/** The only style sheet; the Content-Security-Policy allows it by its hash. */
const style = `
:root { color-scheme: light dark; background: Canvas; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.6rem; }
h3 { margin: 0; font-size: 1rem; }
.state { padding: .1rem .7rem; border-radius: 1rem; color: #fff; background: #1a7f37; }
.state.merged { background: #8250df; }
.state.running, .state.active { background: #0969da; }
.state.failed { background: #cf222e; }
.state.closed, .state.queued, .state.archived { background: #656d76; }
.list { padding: 0; list-style: none; }
.list > li { padding: .75rem 0; border-top: 1px solid #8888; }
.list p { margin: .25rem 0 0; }
time { white-space: nowrap; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { padding: .75rem; border: 1px solid #8888; border-radius: .5rem; white-space: pre-wrap; }
pre span { display: block; min-height: 1.5em; }
.added { background: #2da44e33; }
.removed { background: #cf222e33; }
.hunk, .file { font-weight: 600; background: #8882; }
`;

const styleHash = hash("sha256", style, "base64");

/** Response headers of the pages and of the plain text that they link to. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** A fragment of HTML. Interpolated strings are escaped. */
export type Markup = ReturnType<typeof html>;

/** Renders a complete page. */
export function renderHtmlPage(title: string, header: Markup, main: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<header>
${header}
</header>
<main>
${main}
</main>
</body>
</html>`;
}

/** Renders an ISO 8601 time to the minute. */
export function renderTime(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
}

/** Replaces characters that would hide or reorder text by their code points. */
export function revealHidden(line: string): string {
  return line.replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n])\p{Cc}/gu,
    (character) => `<U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}
