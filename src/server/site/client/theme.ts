/** Runs before the first paint: applies the reader's colour scheme, and adds the class that scripts run. */
import { applyTheme } from "./settings.ts";

const root = document.documentElement;
root.classList.add("has-scripts");
// On a site with fixed colours, the selected scheme is that of another site of the origin; all sites on disk have one.
if (root.dataset["strict"] === undefined) applyTheme();
