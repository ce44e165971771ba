/**
 * Draws a page's diagrams: loaded by pages that have one. The drawing is shown as a picture, so nothing in it can run, be
 * followed or load something, and its styles need no permission of the page.
 */
import mermaid from "mermaid";

declare global {
  interface Window {
    /** What Mermaid calls, as it is built for the site. */
    docsDiagrams: {
      /** Takes the style of the diagram that is drawn next. */
      adoptStyle(rules: string): void;
      /** Gives a drawing as a file that needs nothing else. */
      serialize(drawing: SVGSVGElement): string;
    };
  }
}

// The page's policy allows no styles in its text, but allows them to its scripts.
const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function (this: HTMLElement, name, value) {
  if (name === "style") this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);
let style = "";
let paper = "#fff";

/** How Mermaid writes `#lt;` or `#9829;` until a drawing is finished, and what some of its kinds make of that. */
const entity = /(?:ﬂ°|&amp;)(°|#)?(\w+)(?:¶ß|;)/g;

function decode(_: string, number: string | undefined, name: string): string {
  const area = document.createElement("textarea");
  area.innerHTML = `&${number === undefined ? "" : "#"}${name};`;
  return area.value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** What would be an element in HTML is text in a label. */
const element = /(?<!<)<(?!br\s*\/?>)(?=[/!]?[a-z][^<>]*>)/gi;

window.docsDiagrams = {
  adoptStyle(rules) {
    // Mermaid fills what is behind the words of a relation as if it were one of them.
    style = `${rules}[aria-roledescription="er"] .edgeLabel rect{fill:${paper}!important}`;
    sheet.replaceSync(style);
  },
  serialize(drawing) {
    const { width, height } = drawing.viewBox.baseVal;
    drawing.setAttribute("width", String(width));
    drawing.setAttribute("height", String(height));
    const rules = style.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const text = new XMLSerializer().serializeToString(drawing);
    return text.replace(entity, decode).replace(">", () => `><style>${rules}</style>`);
  },
};

const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
const figures = [...document.querySelectorAll<HTMLElement>("[data-diagram]")];
let count = 0;

/** Draws a diagram, or leaves its source open where it cannot be drawn. */
async function draw(figure: HTMLElement, isPageDark: boolean): Promise<void> {
  const source = figure.querySelector("code")?.textContent ?? "";
  // Colours of its own are made for a light page.
  const isDark = isPageDark && !/\b(?:fill|background|theme['"]?)\s*:|^\s*rect\s+rgb/m.test(source);
  paper = isDark ? "#14171d" : "#fff";
  figure.classList.toggle("diagram-light", isPageDark && !isDark);
  const details = figure.querySelector("details");
  const image = figure.querySelector("img") ?? document.createElement("img");
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      suppressErrorRendering: true,
      logLevel: "fatal",
      theme: isDark ? "dark" : "default",
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      class: { htmlLabels: false },
      fontFamily: "system-ui, sans-serif",
      // What a diagram's own settings may not change.
      secure: [
        "secure",
        "securityLevel",
        "startOnLoad",
        "maxTextSize",
        "maxEdges",
        "suppressErrorRendering",
        "htmlLabels",
        "themeCSS",
        "fontFamily",
        "logLevel",
        "dompurifyConfig",
        "layout",
      ],
    });
    count += 1;
    const { svg } = await mermaid.render(
      `docs-diagram-${count}`,
      source.replace(element, "#lt;").replaceAll("&nbsp;", "\u00a0"),
    );
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    image.alt = figure.dataset["diagram"] ?? "";
    figure.prepend(image);
    if (details?.dataset["shown"] === undefined) details?.toggleAttribute("open", false);
    if (details) details.dataset["shown"] = "";
  } catch {
    // Its source is there, and open.
    image.remove();
    details?.toggleAttribute("open", true);
  }
}

let drawing = Promise.resolve();

/** One after the other, each in the page's colours. */
function drawAll(): void {
  drawing = drawing.then(async () => {
    const isDark = (root.dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
    for (const figure of figures) await draw(figure, isDark);
  });
}

drawAll();
system.addEventListener("change", drawAll);
new MutationObserver(drawAll).observe(root, { attributeFilter: ["data-theme"] });
