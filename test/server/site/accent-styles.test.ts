import { expect, test } from "vitest";
import { accentStyles } from "../../../src/server/site/accent-styles.ts";

test("without a configured colour the style sheet's own stays", () => {
  expect(accentStyles(undefined)).toBe("");
  expect(accentStyles({ light: "#fff" })).toBe("");
});

test("a colour that can be read is kept, and one that cannot is moved until it can", () => {
  expect(accentStyles({ primary: "#004080", light: "#9cf" })).toMatchInlineSnapshot(`
    ":root{--accent:rgb(0 64 128)}:root[data-theme=dark]{--accent:rgb(153 204 255)}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--accent:rgb(153 204 255)}}
    "
  `);
  expect(accentStyles({ primary: "#ffee00" })).toMatchInlineSnapshot(`
    ":root{--accent:rgb(102 95 0)}:root[data-theme=dark]{--accent:rgb(255 238 0)}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--accent:rgb(255 238 0)}}
    "
  `);
});
