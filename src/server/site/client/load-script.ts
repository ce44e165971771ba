/**
 * Loads and runs one of the site's own scripts, by its name in the site's assets. Classic scripts are the one way in which a
 * page opened from disk can load something.
 */
export function loadScript(name: string): Promise<unknown> {
  const script = document.createElement("script");
  script.src = `${document.documentElement.dataset["root"] ?? ""}site-assets/${name}`;
  document.head.append(script);
  return new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error(`${name} could not be loaded`)));
  });
}
