/** Runs before the first paint: applies the reader's choice of colours and tells the style sheet that scripts run. */
const root = document.documentElement;
root.classList.add("has-scripts");
try {
  const theme = localStorage.getItem("docs-theme");
  if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
} catch (error) {
  // A page opened from disk may have no storage.
  if (!(error instanceof DOMException)) throw error;
}
