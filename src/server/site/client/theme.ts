/** Runs before the first paint: applies the reader's colour scheme, and adds the class that scripts run. */
const root = document.documentElement;
root.classList.add("has-scripts");
function applyTheme(): void {
  try {
    const theme = localStorage.getItem("docs-theme");
    if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
  } catch (error) {
    // Browsers may refuse storage to a page opened from disk.
    if (!(error instanceof DOMException)) throw error;
  }
}
// Other sites of the same origin, as are all sites on disk, use the same storage.
if (root.dataset["strict"] === undefined) {
  applyTheme();
  // The reader may have changed the scheme before the browser shows this page again.
  window.addEventListener("pageshow", applyTheme);
}
