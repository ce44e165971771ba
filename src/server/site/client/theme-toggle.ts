import { readTheme, storeTheme, type Theme } from "./stored-theme.ts";

function currentTheme(): Theme {
  return readTheme() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

/** Lets the button switch between light and dark; without a choice the system's setting counts. */
export function prepareThemeToggle(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-theme-toggle]");
  if (button === null) return;
  let theme = currentTheme();
  button.setAttribute("aria-pressed", String(theme === "dark"));
  button.addEventListener("click", () => {
    theme = theme === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = theme;
    button.setAttribute("aria-pressed", String(theme === "dark"));
    storeTheme(theme);
  });
}
