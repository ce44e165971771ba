/** What the scripts read from the page's `data-` attributes: the interface's texts, and the address of further scripts. */
import type { scriptWords } from "../interface-words.ts";

/** The texts in the page's language. `{}` is a placeholder in some of them. */
export const words = JSON.parse(document.documentElement.dataset["words"] ?? "{}") as Readonly<
  Record<(typeof scriptWords)[number], string>
>;

const scripts = new Map<string, Promise<unknown>>();

/**
 * Loads and runs one of the site's scripts once; `name` is its path in `site-assets/`. The next call retries after a failure.
 * A page opened from disk can load data only by classic scripts.
 */
export function loadScript(name: string): Promise<unknown> {
  const existing = scripts.get(name);
  if (existing !== undefined) return existing;
  const script = document.createElement("script");
  script.src = `${document.documentElement.dataset["root"] ?? ""}site-assets/${name}`;
  const loading = new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => {
      scripts.delete(name);
      reject(new Error(`${name} could not be loaded`));
    });
  });
  scripts.set(name, loading);
  document.head.append(script);
  return loading;
}
