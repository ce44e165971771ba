/** Opens the search box; its code and index are loaded when a reader first shows interest. */

interface DocsSearch {
  open(): void;
}

declare global {
  interface Window {
    docsSearch?: DocsSearch;
    docsSearchIndex?: unknown;
  }
}

/** Classic scripts are the one way in which a page opened from disk can load something. */
function loadScript(name: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const script = document.createElement("script");
  script.src = `${document.documentElement.dataset["root"] ?? ""}site-assets/${name}`;
  // Scripts that are not `async` run in the order they were added: the index before the search box that reads it.
  script.async = false;
  script.addEventListener("load", () => resolve());
  script.addEventListener("error", () => reject(new Error(`${name} could not be loaded`)));
  document.head.append(script);
  return promise;
}

let loading: Promise<unknown> | undefined;

function load(): Promise<unknown> {
  loading ??= Promise.all([loadScript("search-index.js"), loadScript("search.js")]);
  return loading;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

async function open(): Promise<void> {
  await load();
  window.docsSearch?.open();
}

/** Lets the search button, `/` and Ctrl+K (⌘K) open the search. */
export function prepareSearch(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-search]");
  if (button === null) return;
  button.addEventListener("focus", () => void load());
  button.addEventListener("pointerenter", () => void load());
  button.addEventListener("click", () => void open());
  document.addEventListener("keydown", (event) => {
    const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    const isSlash =
      event.key === "/" && !isTyping(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isShortcut && !isSlash) return;
    event.preventDefault();
    void open();
  });
}
