/**
 * Part of `404.html`, which servers show at addresses of any depth: as long as the style sheet is not found, it is looked for one
 * folder further up. Then every link of the page is pointed to the site whose style sheet that is.
 */
let base = new URL(".", document.baseURI);
const first = base.href;

function isStyleSheet(target: EventTarget | null): target is HTMLLinkElement {
  return target instanceof HTMLLinkElement && target.rel === "stylesheet";
}

function pointToSite(): void {
  document.documentElement.dataset["root"] = base.href;
  for (const name of ["href", "src"])
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const written = element.getAttribute(name) ?? "";
      if (!/^(?:[a-z][a-z\d+.-]*:|#)/i.test(written)) element.setAttribute(name, new URL(written, base).href);
    }
  for (const script of document.querySelectorAll<HTMLScriptElement>("script[src]")) {
    // One that was not found is not loaded again.
    const other = document.createElement("script");
    other.src = script.src;
    script.replaceWith(other);
  }
}

document.addEventListener(
  "error",
  ({ target }) => {
    const above = new URL("..", base);
    if (!isStyleSheet(target) || above.href === base.href) return;
    base = above;
    target.href = new URL("site-assets/site.css", base).href;
  },
  true,
);
document.addEventListener(
  "load",
  ({ target }) => {
    if (!isStyleSheet(target) || base.href === first) return;
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", pointToSite);
    else pointToSite();
  },
  true,
);
