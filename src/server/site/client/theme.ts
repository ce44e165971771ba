/** Runs before the first paint: applies the reader's choice of colours and tells the style sheet that scripts run. */
import { readTheme } from "./stored-theme.ts";

const root = document.documentElement;
root.classList.add("has-scripts");
const theme = readTheme();
if (theme !== undefined) root.dataset["theme"] = theme;
