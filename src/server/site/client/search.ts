/** The search box: a dialog with a combobox over the site's index, loaded when a reader first shows interest. */
import MiniSearch from "minisearch";
import { findMatches, indexOptions, type SearchMatch } from "./find-matches.ts";

const { root = "", part = "" } = document.documentElement.dataset;
const written = window.docsSearchIndex as Parameters<typeof MiniSearch.loadJS>[0];
const index = MiniSearch.loadJS(written, indexOptions);

document.body.insertAdjacentHTML(
  "beforeend",
  `<dialog class="search-dialog" aria-label="Search">
<div class="search-bar"><input type="text" role="combobox" enterkeyhint="search" placeholder="Search" aria-label="Search the documentation" aria-expanded="false" aria-controls="docs-results" aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false"><button type="button" class="search-close">Close</button></div>
<p role="status" class="search-status"></p>
<div role="listbox" id="docs-results" aria-label="Results" class="results"></div>
</dialog>`,
);
const dialog = document.querySelector<HTMLDialogElement>(".search-dialog") as HTMLDialogElement;
const input = dialog.querySelector("input") as HTMLInputElement;
const close = dialog.querySelector("button") as HTMLButtonElement;
const status = dialog.querySelector(".search-status") as HTMLElement;
const list = dialog.querySelector(".results") as HTMLElement;
let selected = -1;

function renderMatch({ title, path, location, summary, section }: SearchMatch, position: number): Element {
  const [id, text] = section ?? [];
  const link = document.createElement("a");
  link.href = root + path.split("/").map(encodeURIComponent).join("/");
  if (id !== undefined) link.hash = encodeURIComponent(id);
  link.id = `docs-result-${position}`;
  link.role = "option";
  link.tabIndex = -1;
  const parts = { title: text === undefined ? title : `${title} › ${text}`, location, summary };
  for (const [name, content] of Object.entries(parts)) {
    const span = document.createElement("span");
    span.className = `result-${name}`;
    span.textContent = content;
    link.append(span);
  }
  return link;
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

window.openDocsSearch = () => {
  if (!dialog.open) dialog.showModal();
  input.select();
};
