/** What the reader has set, which pages of one origin share. */

/** Browsers may refuse storage, for example to a page opened from disk. */
function openSettings(): Storage | undefined {
  try {
    return localStorage;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return undefined;
  }
}

export const settings = openSettings();

/** Applies the colour scheme that the reader has selected. */
export function applyTheme(): void {
  const theme = settings?.getItem("docs-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
}
