/** Behaviour of every page. Everything here adds to a page that can be read without it. */
import { addCopyButtons } from "./copy-code.ts";
import { followContents } from "./follow-contents.ts";
import { prepareMenu } from "./menu.ts";
import { prepareSearch } from "./open-search.ts";
import { prepareTabs } from "./tabs.ts";
import { prepareThemeToggle } from "./theme-toggle.ts";

prepareMenu();
prepareThemeToggle();
prepareTabs();
addCopyButtons();
followContents();
prepareSearch();
