/**
 * Draws the diagrams of a page with Mermaid. A drawing is shown as an image: it cannot run code, contain links or load
 * resources, and the page's content security policy does not apply to its styles.
 */
import mermaid from "mermaid";

declare global {
  interface Window {
    /** Called by the site's build of Mermaid, which `npm run generate` patches. */
    docsDiagrams: {
      /** Receives the style of the diagram that is drawn next. */
      adoptStyle(rules: string): void;
      serialize(drawing: SVGSVGElement): string;
    };
  }
}

// The page's content security policy forbids style attributes, but not styles that scripts set by the DOM.
const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function (this: HTMLElement, name, value) {
  if (name === "style") this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);
let style = "";
let paper = "#fff";

/** Mermaid's internal form of `#lt;` or `#9829;`, which some diagram types leave in the drawing or escape again. */
const entity = /(?:ﬂ°|&amp;)(°|#)?(\w+)(?:¶ß|;)/g;

function decode(_: string, number: string | undefined, name: string): string {
  const area = document.createElement("textarea");
  area.innerHTML = `&${number === undefined ? "" : "#"}${name};`;
  return area.value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** The start of an HTML tag in a label, which is shown as text. */
const element = /(?<!<)<(?!br\s*\/?>)(?=[/!]?[a-z][^<>]*>)/gi;

window.docsDiagrams = {
  adoptStyle(rules) {
    // Mermaid fills the background of a relation's label with the colour of the text.
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

/** A wider diagram is scrolled instead of made smaller, so that its text can be read. */
const smallestScale = 0.75;

const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
const figures = [...document.querySelectorAll<HTMLElement>("[data-diagram]")];
let count = 0;

/** Draws a diagram, or shows its source if it cannot be drawn. */
async function draw(figure: HTMLElement, isPageDark: boolean): Promise<void> {
  const source = figure.querySelector("code")?.textContent ?? "";
  // A diagram with its own colours is drawn on a light background: its author chose them for that.
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
      // Settings that a diagram cannot override.
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
    await image.decode();
    image.style.setProperty("--readable-width", `${smallestScale * image.naturalWidth}px`);
    image.style.setProperty("--paper", paper);
    image.alt = figure.dataset["diagram"] ?? "";
    figure.prepend(image);
    if (details?.dataset["shown"] === undefined) details?.toggleAttribute("open", false);
    if (details) details.dataset["shown"] = "";
  } catch {
    // The source is shown instead.
    image.remove();
    details?.toggleAttribute("open", true);
  }
}

let drawing = Promise.resolve();

/** Draws all diagrams one after another, in the page's colour scheme. */
function drawAll(): void {
  drawing = drawing.then(async () => {
    const isDark = (root.dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
    for (const figure of figures) await draw(figure, isDark);
  });
}

drawAll();
system.addEventListener("change", drawAll);
new MutationObserver(drawAll).observe(root, { attributeFilter: ["data-theme"] });
