/**
 * Part of `404.html`, which servers return for URLs of any depth. If the style sheet is not found, it is requested from the
 * parent folder, and so on. When it loads, all links of the page are resolved against the folder that contains it.
 */
let base = new URL(".", document.baseURI);
const first = base.href;

function isStyleSheet(target: EventTarget | null): target is HTMLLinkElement {
  return target instanceof HTMLLinkElement && target.rel === "stylesheet";
}

function resolveLinks(): void {
  document.documentElement.dataset["root"] = base.href;
  for (const name of ["href", "src"])
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const value = element.getAttribute(name) ?? "";
      if (!/^(?:[a-z][a-z\d+.-]*:|#)/i.test(value)) element.setAttribute(name, new URL(value, base).href);
    }
  for (const script of document.querySelectorAll<HTMLScriptElement>("script[src]")) {
    // A new `src` does not reload a script that was not found; a new element does.
    const copy = document.createElement("script");
    copy.src = script.src;
    script.replaceWith(copy);
  }
}

document.addEventListener(
  "error",
  ({ target }) => {
    const parent = new URL("..", base);
    if (!isStyleSheet(target) || parent.href === base.href) return;
    base = parent;
    target.href = new URL("site-assets/site.css", base).href;
  },
  true,
);
document.addEventListener(
  "load",
  ({ target }) => {
    if (!isStyleSheet(target) || base.href === first) return;
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolveLinks);
    else resolveLinks();
  },
  true,
);
