/** A choice of colours. */
export type Theme = "light" | "dark";

const key = "docs-theme";

/** The reader's choice from an earlier visit. Pages opened from disk may have no storage at all. */
export function readTheme(): Theme | undefined {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Keeps the reader's choice where the browser allows it. */
export function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
