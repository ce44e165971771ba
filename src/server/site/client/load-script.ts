const scripts = new Map<string, Promise<unknown>>();

/**
 * Loads and runs one of the site's own scripts once, by its name in the site's assets; one that could not be loaded is tried
 * again by the next call. Classic scripts are the one way in which a page opened from disk can load something.
 */
export function loadScript(name: string): Promise<unknown> {
  const known = scripts.get(name);
  if (known !== undefined) return known;
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
