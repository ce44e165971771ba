import { html } from "../content/html.ts";

/** The page at an address that has moved: it leads on by itself, and by a link where a browser does not. */
export function renderRedirectPage({
  href,
  title,
}: {
  readonly href: string;
  readonly title: string;
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=${href}">
<title>${title}</title>
<link rel="canonical" href="${href}">
</head>
<body>
<main><h1>This page has moved</h1><p><a href="${href}">${title}</a></p></main>
</body>
</html>
`.markup;
}
