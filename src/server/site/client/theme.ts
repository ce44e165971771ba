/** Runs before the first paint: applies the reader's colour scheme, and adds the class that scripts run. */
const root = document.documentElement;
root.classList.add("has-scripts");
try {
  const theme = localStorage.getItem("docs-theme");
  if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
} catch (error) {
  // Browsers may refuse storage to a page opened from disk.
  if (!(error instanceof DOMException)) throw error;
}
