/** The search box: a dialog with a combobox over the site's index, loaded when a reader first shows interest. */
import MiniSearch from "minisearch";
import { findMatches, indexOptions, type SearchMatch } from "./find-matches.ts";

const { root = "", part = "" } = document.documentElement.dataset;
const written = window.docsSearchIndex as Parameters<typeof MiniSearch.loadJS>[0];
const index = MiniSearch.loadJS(written, indexOptions);

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const input = create("input", {
  type: "text",
  enterkeyhint: "search",
  role: "combobox",
  "aria-label": "Search the documentation",
  "aria-expanded": "false",
  "aria-controls": "docs-results",
  "aria-autocomplete": "list",
  autocomplete: "off",
  autocapitalize: "off",
  spellcheck: "false",
  placeholder: "Search",
});
const list = create("div", {
  role: "listbox",
  id: "docs-results",
  "aria-label": "Results",
  class: "results",
});
const status = create("p", { role: "status", class: "search-status" });
const close = create("button", { type: "button", class: "search-close" }, "Close");
const bar = create("div", { class: "search-bar" }, input, close);
const dialog = create("dialog", { class: "search-dialog", "aria-label": "Search" }, bar, status, list);
let selected = -1;

function renderMatch(
  { title, path, location, summary, section }: SearchMatch,
  position: number,
): HTMLElement {
  const [id, text] = section ?? [];
  const address = root + path.split("/").map(encodeURIComponent).join("/");
  const href = id === undefined ? address : `${address}#${encodeURIComponent(id)}`;
  return create(
    "a",
    { href, role: "option", id: `docs-result-${position}`, "aria-selected": "false", tabindex: "-1" },
    create("span", { class: "result-title" }, text === undefined ? title : `${title} › ${text}`),
    create("span", { class: "result-location" }, location),
    create("span", { class: "result-summary" }, summary),
  );
}

function select(position: number): void {
  const options = [...list.querySelectorAll("a")];
  selected = options.length === 0 ? -1 : (position + options.length) % options.length;
  for (const [at, option] of options.entries()) option.ariaSelected = String(at === selected);
  input.setAttribute("aria-activedescendant", options[selected]?.id ?? "");
  options[selected]?.scrollIntoView({ block: "nearest" });
}

function update(): void {
  const query = input.value.trim();
  const matches = query === "" ? [] : findMatches(index, query, part);
  list.replaceChildren(...matches.map(renderMatch));
  input.ariaExpanded = String(matches.length > 0);
  const count = matches.length === 1 ? "1 result" : `${matches.length} results`;
  status.textContent = query === "" ? "" : matches.length === 0 ? `Nothing found for “${query}”` : count;
  select(0);
}

input.addEventListener("input", update);
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") select(selected + 1);
  else if (event.key === "ArrowUp") select(selected - 1);
  else if (event.key === "Enter") list.querySelectorAll("a")[selected]?.click();
  else return;
  event.preventDefault();
});
for (const element of [close, list]) element.addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
document.body.append(dialog);

window.openDocsSearch = () => {
  if (!dialog.open) dialog.showModal();
  input.select();
};
