import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sanitizeSvg } from "../../../src/server/site/content/sanitize-svg.ts";
import { findBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { caseCount } from "../../support/property-seed.ts";
import { createFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

const namespace = 'xmlns="http://www.w3.org/2000/svg"';
const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const xhtml = "http://www.w3.org/1999/xhtml";
const run = "top.hasRun=1";

function svg(content: string, attributes = "", before = ""): string {
  return `${before}<svg ${namespace} ${xlink} ${attributes}>${content}</svg>`;
}

/** Drawings that run or load something when a browser opens them, or that once got past some filter. */
const hostile: readonly (readonly [what: string, text: string | Uint8Array])[] = [
  ["a handler from the document type", svg("", "", `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "${run}">]>`)],
  ["a script in UTF-16", utf16(svg(`<script>${run}</script>`))],
  [
    "a script in UTF-16 with a declaration",
    utf16(svg(`<script>${run}</script>`, "", '<?xml version="1.0" encoding="UTF-16"?>')),
  ],
  ["a script of XHTML, its prefix not ASCII", svg(`<ж:script>${run}</ж:script>`, `xmlns:ж="${xhtml}"`)],
  [
    "a link whose scheme is spelled with a reference",
    svg(`<a href="&#106;avascript:${run}"><rect width="9" height="9"/></a>`),
  ],
  [
    "a link whose scheme holds a tab",
    svg(`<a xlink:href="java&#9;script:${run}"><rect width="9" height="9"/></a>`),
  ],
  ["a link whose scheme holds a line break", svg(`<a href="java&#xA;script:${run}"/>`)],
  ["a link in other letters", svg(`<a href=" JaVaScRiPt:${run}"/>`)],
  ["a link to data", svg(`<a href="data:text/html,&lt;script>1&lt;/script>"/>`)],
  [
    "a link through an entity",
    svg(`<a href="&x;"/>`, "", `<!DOCTYPE svg [<!ENTITY x "javascript:${run}">]>`),
  ],
  [
    "a link under another prefix",
    svg(`<y:a y:href="javascript:${run}"/>`, `xmlns:y="http://www.w3.org/2000/svg"`),
  ],
  ["a script", svg(`<script>${run}</script>`)],
  ["a script in CDATA", svg(`<script><![CDATA[${run}]]></script>`)],
  ["a script from elsewhere", svg('<script href="https://evil.example/x.js"/>')],
  ["a script with a prefix", svg(`<s:script>${run}</s:script>`, 'xmlns:s="http://www.w3.org/2000/svg"')],
  ["a script of XHTML in its own namespace", svg(`<script xmlns="${xhtml}">${run}</script>`)],
  ["a drawing in the namespace of XHTML", `<svg xmlns="${xhtml}"><script>${run}</script></svg>`],
  ["a part in the namespace of XHTML", svg(`<g xmlns="${xhtml}"/>`)],
  ["a handler", svg("", `onload="${run}"`)],
  ["a handler in other letters", svg("", `onLoad="${run}"`)],
  ["a handler without spaces", `<svg ${namespace}onload="${run}"/>`],
  ["a handler behind a slash", `<svg ${namespace}/onload="${run}"/>`],
  ["a handler of an animation", svg(`<animateTransform attributeName="transform" onbegin="${run}"/>`)],
  ["a handler of a picture", svg(`<image href="data:image/png;base64,AA" onerror="${run}"/>`)],
  ["content of HTML", svg(`<foreignObject><body xmlns="${xhtml}" onload="${run}"/></foreignObject>`)],
  ["a frame", svg(`<foreignObject><iframe xmlns="${xhtml}" src="javascript:${run}"/></foreignObject>`)],
  [
    "a picture in a label",
    svg(`<foreignObject><div><img src="https://evil.example/x"/></div></foreignObject>`),
  ],
  ["an animated link", svg(`<a><animate attributeName="href" to="javascript:${run}"/></a>`)],
  ["an animated style", svg('<path><animate attributeName="style" to="fill:red"/></path>')],
  [
    "a colour that is animated to another file's",
    svg('<path><animate attributeName="fill" values="red;url(https://evil.example/#x)"/></path>'),
  ],
  [
    "a link that is set",
    svg(`<a id="a"/><set href="#a" attributeName="xlink:href" to="javascript:${run}"/>`),
  ],
  [
    "a link that is animated as a place",
    svg(`<a><animateTransform attributeName="href" to="javascript:${run}"/></a>`),
  ],
  ["a part of another file", svg('<use href="other.svg#x"/>')],
  ["a part of data", svg('<use href="data:image/svg+xml,&lt;svg/>#x"/>')],
  ["a picture from elsewhere", svg('<image href="//evil.example/x.png"/>')],
  ["a picture that is a drawing", svg('<image href="data:image/svg+xml;base64,AA"/>')],
  [
    "a filter's picture from elsewhere",
    svg('<filter id="f"><feImage href="https://evil.example/x.png"/></filter>'),
  ],
  ["a style sheet", svg("", "", '<?xml-stylesheet href="https://evil.example/x.css"?>')],
  ["a style sheet that transforms", svg("", "", '<?xml-stylesheet type="text/xsl" href="#x"?>')],
  ["an import", svg('<style>@import "https://evil.example/x.css"</style>')],
  ["an import within one", svg("<style>@im@import x;port 'https://evil.example/x.css';</style>")],
  ["an import behind an escape", svg('<style>@\\69mport "https://evil.example/x.css";</style>')],
  ["an import cut by a comment", svg('<style>@im<!-- -->port "https://evil.example/x.css"</style>')],
  ["an import cut by CDATA", svg('<style>@im<![CDATA[port "https://evil.example/x.css"]]></style>')],
  ["a style's picture from elsewhere", svg("<style>g{fill:url(https://evil.example/x#y)}</style>")],
  ["a style's picture by an escape", svg('<g style="fill:u\\72l(https://evil.example/x#y)"/>')],
  ["a style's set of pictures", svg(`<g style="background:image-set('https://evil.example/x' 1x)"/>`)],
  ["an attribute's picture from elsewhere", svg('<g fill="url( &quot;https://evil.example/x#y&quot; )"/>')],
  ["a cursor from elsewhere", svg('<g cursor="url(https://evil.example/x), auto"/>')],
  [
    "a font from elsewhere beside its own",
    svg('<style>@font-face{src:url(data:font/woff2;base64,AA),url("https://evil.example/x")}</style>'),
  ],
  [
    "a font from elsewhere around another",
    svg("<style>@font-@font-face{}face{src:url(https://evil.example/x)}</style>"),
  ],
  ["elements in a style", svg("<style><g/></style>")],
  ["an entity of its own", svg("&x;", "", '<!DOCTYPE svg [<!ENTITY x "y">]>')],
  ["an entity from elsewhere", svg("&x;", "", '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>')],
  ["a frame of another kind", svg('<iframe src="https://evil.example"/>')],
  ["an embedded page", svg('<embed src="https://evil.example"/>')],
  ["a listener", svg(`<handler type="text/javascript">${run}</handler>`)],
  ["an encoding of seven bits", svg("+ADw-script+AD4-", "", '<?xml version="1.0" encoding="UTF-7"?>')],
  ["an encoding that hides letters", svg("", "", '<?xml version="1.0" encoding="ISO-2022-JP"?>')],
  ["bytes that are not UTF-8", Buffer.from(svg("\xe9"), "latin1")],
  ["a page", `<!DOCTYPE html><html><script>${run}</script></html>`],
  ["a page of XHTML", `<html xmlns="${xhtml}"><script>${run}</script></html>`],
  ["two drawings", svg("") + svg("")],
  ["an attribute twice", svg('<g id="a" id="b"/>')],
  ["crossed elements", svg("<g><a></g></a>")],
  ["an end that is missing", svg("").replace("</svg>", "")],
  ["text behind the end", `${svg("")}x`],
  ["a control character", svg("\u0001")],
  ["a reference to a control character", svg("&#1;")],
  ["a reference to nothing", svg("&#x110000;")],
  ["an ampersand", svg("a & b")],
  ["an element too deep", svg("<g>".repeat(300) + "</g>".repeat(300))],
  ["no element", ""],
];

describe("a drawing", () => {
  it.each(hostile)("with %s is refused", (_, text) => {
    expect(() => sanitizeSvg(Buffer.from(text))).toThrow(/^this image /);
  });

  it("in Latin-1 is written in UTF-8", () => {
    const text = svg("<title>caf\xe9</title>", "", '<?xml version="1.0" encoding="iso-8859-1"?>');
    expect(sanitizeSvg(Buffer.from(text, "latin1"))).toContain("<title>café</title>");
  });

  it.each([
    [1_100_000, "4194304 bytes"],
    [300_000, "300000 tags"],
  ])("of %d elements is refused", (count, limit) => {
    expect(() => sanitizeSvg(Buffer.from(svg("<g/>".repeat(count))))).toThrow(`more than ${limit}`);
  });

  it.each([
    ["refused", "imports", svg(`<style>${"@import ".repeat(400_000)}</style>`)],
    ["read", "fonts", svg(`<style>${"@font-face{".repeat(300_000)}</style>`)],
    ["read", "line breaks", svg("\r".repeat(4_000_000))],
    ["refused", "open elements", `<svg ${namespace}>${"<g>".repeat(290_000)}`],
  ])("is %s where it has many %s", (expected, _, text) => {
    expect(tryToSanitize(text) === undefined ? "refused" : "read").toBe(expected);
  });

  it("keeps what draws, and loses what editors and readers of other languages keep in it", () => {
    const text = `\ufeff<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- made by an editor -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg ${namespace} ${xlink} xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox='0 0 9 9' inkscape:version="1" data-name="x" aria-label="f(x)">
<metadata><rdf:RDF xmlns:rdf="x"><x onclick="y"/></rdf:RDF></metadata>
<sodipodi:namedview id="base"/>
<defs><linearGradient id="a"><stop offset="0" stop-color="rgb(1,2,3)"/></linearGradient></defs>
<style type="text/css"><![CDATA[ .st0 > g { fill: url(#a); } @media print { g { fill: #fff } }
@font-face { font-family: x; src: url(data:font/woff2;base64,AA) format("woff2") } ]]></style>
<a xlink:href="https://example.com/?a=1&amp;b=2" target="_blank"><path class="st0" d="M0 0
  L9 9" style="fill:url('#a');stroke:none"/></a>
<use xlink:href="#a" href="#b"/><image href="data:image/png;base64,AA=="/>
<switch><foreignObject><div xmlns="${xhtml}">text</div></foreignObject><text xml:space="preserve">a &lt; b &#169; &quot;c&quot;</text></switch>
<g><animateTransform attributeName="transform" type="rotate" from="0 4 4" to="360 4 4" dur="1s" repeatCount="indefinite"/></g>
<path d="M0 0"><animate attributeName="opacity" values="0;1;0" dur="2s" begin="1s" fill="freeze" attributeType="CSS"/></path>
</svg>
`;

    const written = sanitizeSvg(Buffer.from(text));

    expect(written).toMatchInlineSnapshot(`
      "<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" aria-label="f(x)">


      <defs><linearGradient id="a"><stop offset="0" stop-color="rgb(1,2,3)"></stop></linearGradient></defs>
      <style type="text/css"> .st0 &#62; g { fill: url(#a); } @media print { g { fill: #fff } }
      @font-face { font-family: x; src: url(data:font/woff2;base64,AA) format("woff2") } </style>
      <a href="https://example.com/?a=1&#38;b=2" target="_blank"><path class="st0" d="M0 0   L9 9" style="fill:url('#a');stroke:none"></path></a>
      <use href="#b"></use><image href="data:image/png;base64,AA=="></image>
      <switch><text xml:space="preserve">a &#60; b © "c"</text></switch>
      <g><animateTransform attributeName="transform" type="rotate" from="0 4 4" to="360 4 4" dur="1s" repeatCount="indefinite"></animateTransform></g>
      <path d="M0 0"><animate attributeName="opacity" values="0;1;0" dur="2s" begin="1s" fill="freeze"></animate></path>
      </svg>
      "
    `);
    expect(sanitizeSvg(Buffer.from(written))).toBe(written);
  });

  it("keeps what a diagram editor drew, without the fonts that it loads", () => {
    const font = `@font-face { font-family: "Virgil"; src: url("https://cdn.example/Virgil.woff2"); }`;
    const style = `<style xmlns="${xhtml}">\n@IMPORT url("https://cdn.example/all.min.css");${font}\n</style>`;
    const written = sanitizeSvg(
      Buffer.from(svg(`${style}<style>@import 'x';#a { fill: red }</style><rect id="a"/>`)),
    );
    expect(written).toBe(
      `<svg ${namespace}><style>\n\n</style><style>#a { fill: red }</style><rect id="a"></rect></svg>\n`,
    );
  });

  it("keeps the labels that a diagram editor wrote as HTML, as text in the middle of their boxes", () => {
    const label = `<div xmlns="${xhtml}" style="color:red"><span class="edgeLabel"><p>A &lt; B</p><p>\n <b>C</b></p></span></div>`;
    const box = `<foreignObject x="10" width="129.5" height="24">${label}</foreignObject>`;
    expect(sanitizeSvg(Buffer.from(svg(`<g>${box}<foreignObject width="0"/></g>`)))).toBe(
      `<svg ${namespace}><g><text x="74.75" y="12" dy="-0.75em" text-anchor="middle" dominant-baseline="central">A &#60; B</text><text x="74.75" y="12" dy="0.75em" text-anchor="middle" dominant-baseline="central">C</text></g></svg>\n`,
    );
  });

  it("of any pieces is written as harmless XML that stays as it is, or refused", () => {
    const piece = fc.constantFrom(
      ..."<g> </g> <g/> <a> </a> ; @import <style> </style> <script> </script> <text> </text> <switch> </switch> <foreignObject> </foreignObject> <metadata> </metadata> <!-- --> <![CDATA[ ]]> <?pi ?> &lt; &gt; &quot; &#60;script&#62; &#x3c; @im port url( # ) \\ javascript: onload= \" ' > onload".split(
        " ",
      ),
      '<g fill="',
      '" onload="',
      '<a href="',
      '"/>',
      '">',
      "<!DOCTYPE svg",
      "<x:script>",
      ' xlink:href="',
      `xmlns="${xhtml}"`,
      "\u00a0",
    );
    let written = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const output = tryToSanitize(svg(pieces.join("")));
        if (output === undefined) return;
        written += 1;
        const tags = [...output.matchAll(/<([^>]*)>/g)].map(([, tag = ""]) => tag);
        const shape =
          /^(?:\/(?:svg|g|a|style|text|switch)|(?:svg|g|a|style|text|switch)(?: (?:xmlns|fill|href|x|y|dy|text-anchor|dominant-baseline)="[^"<>]*")*)$/;
        expect(tags.filter((tag) => !shape.test(tag))).toEqual([]);
        expect(tryToSanitize(output)).toBe(output);
      }),
      { numRuns: caseCount(5000) },
    );
    expect(written).toBeGreaterThan(300);
  });
});

const found = await findBrowser();
const suffix = found.kind === "none" ? ` (skipped: ${found.reason})` : "";

describe.skipIf(found.kind === "none")(`a drawing that is opened by itself${suffix}`, () => {
  let browser: TestBrowser;
  let folder: TemporaryFolder;

  beforeAll(async () => {
    if (found.kind === "none") return;
    folder = await createFolder();
    browser = await startBrowser(found);
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  /** Opens each text as a file, clicks all that is in it, and tells which ran or asked for something. */
  async function findActive(texts: readonly (readonly [string, string | Uint8Array])[]): Promise<string[]> {
    const active: string[] = [];
    await using observed = await browser.openPage();
    let requests = 0;
    for (const [index, [what, text]] of texts.entries()) {
      const path = join(folder.path, `${index}.svg`);
      await writeFile(path, text);
      await observed.page.goto(pathToFileURL(path).href);
      const hasRun = await observed.page.evaluate<boolean>(
        `(async () => {
          for (const link of document.querySelectorAll("*")) link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
          // What a link runs is a task of its own, which a busy browser puts off.
          for (let frames = 0; frames < 4 && window.hasRun !== 1; frames += 1) await new Promise(requestAnimationFrame);
          return window.hasRun === 1;
        })()`,
      );
      if (hasRun || observed.foreignRequests.length > requests) active.push(what);
      requests = observed.foreignRequests.length;
    }
    return active;
  }

  it("runs and loads nothing, although what it was made of does", async () => {
    const issue = hostile.slice(0, 5);
    const repaired = hostile.flatMap(([what, text]) => {
      const output = tryToSanitize(text);
      return output === undefined ? [] : [[what, output] as const];
    });
    const mixed = fc
      .sample(fc.tuple(fc.constantFrom(...hostile), fc.constantFrom(...wrappings)), 200)
      .flatMap(([[what, text], [name, wrap]]) => {
        const output = typeof text === "string" ? tryToSanitize(wrap(text)) : undefined;
        return output === undefined ? [] : [[`${what}, ${name}`, output] as const];
      });

    expect(await findActive(issue)).toEqual(issue.map(([what]) => what));
    expect(await findActive([...repaired, ...mixed.slice(0, 40)])).toEqual([]);
    expect(mixed.length).toBeGreaterThan(20);
  });
});

/** Places in which hostile content is dropped instead of refused. */
const wrappings: readonly (readonly [string, (text: string) => string])[] = [
  ["in a description", (text) => svg(`<metadata>${inner(text)}</metadata><rect width="9" height="9"/>`)],
  ["in an editor's element", (text) => svg(`<i:x>${inner(text)}</i:x>`, `xmlns:i="${xhtml}"`)],
  ["in a comment", (text) => svg(`<!--${inner(text).replaceAll("--", "")}-->`)],
  ["as text", (text) => svg(`<text><![CDATA[${inner(text).replaceAll("]]>", "")}]]></text>`)],
  ["behind a switch", (text) => svg(`<switch><foreignObject>${inner(text)}</foreignObject></switch>`)],
];

function inner(text: string): string {
  return text.replace(/^.*?<svg[^>]*>|<\/svg>$/gs, "");
}

function tryToSanitize(text: string | Uint8Array): string | undefined {
  try {
    return sanitizeSvg(Buffer.from(text));
  } catch {
    return undefined;
  }
}

function utf16(text: string): Uint8Array {
  return Buffer.from(`\ufeff${text}`, "utf16le");
}
