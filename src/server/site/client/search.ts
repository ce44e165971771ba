/** The search dialog. It is loaded when the search button first gets focus or the pointer. */
import { maxMatches, openSearchIndex, type SearchMatch } from "./find-matches.ts";
import { loadScript, words } from "./page-data.ts";

const { root = "", indexes = "" } = document.documentElement.dataset;
const searched = (indexes.match(/\d+/g) ?? []).map(Number);
const loaded = new Map<string, string>();
window.docsSearchLoaded = (name, content) => loaded.set(name, content);
async function load(name: string): Promise<string> {
  await loadScript(`search/${name}.js`);
  return loaded.get(name) ?? "";
}
const index = openSearchIndex(load);

document.body.insertAdjacentHTML(
  "beforeend",
  `<dialog class="search-dialog" aria-label="${words.search}">
<div class="search-bar"><input type="text" role="combobox" enterkeyhint="search" placeholder="${words.search}" aria-label="${words.searchDocs}" aria-expanded="false" aria-controls="docs-results" aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false"><button type="button" class="search-close">${words.close}</button></div>
<p role="status" class="search-status"></p>
<div role="listbox" id="docs-results" aria-label="${words.results}" class="results"></div>
</dialog>`,
);
const dialog = document.querySelector<HTMLDialogElement>(".search-dialog") as HTMLDialogElement;
const input = dialog.querySelector("input") as HTMLInputElement;
const status = dialog.querySelector(".search-status") as HTMLElement;
const list = dialog.querySelector(".results") as HTMLElement;
let selected = -1;

function renderMatch({ title, path, location, section, snippet }: SearchMatch, position: number): Element {
  const link = document.createElement("a");
  link.href = root + path.split("/").map(encodeURIComponent).join("/");
  if (section !== undefined) link.hash = encodeURIComponent(section.id);
  link.id = `docs-result-${position}`;
  link.role = "option";
  link.tabIndex = -1;
  const line = (name: string, ...content: (string | Node)[]) => {
    const span = document.createElement("span");
    span.className = `result-${name}`;
    span.append(...content);
    link.append(span);
  };
  line("title", section === undefined ? title : `${title} › ${section.heading}`);
  line("location", location);
  const mark = (text: string) => Object.assign(document.createElement("mark"), { textContent: text });
  line("summary", ...snippet.map(({ text, isFound }) => (isFound ? mark(text) : text)));
  return link;
}

function select(position: number): void {
  const options = [...list.querySelectorAll("a")];
  selected = options.length === 0 ? -1 : (position + options.length) % options.length;
  for (const [index, option] of options.entries()) option.ariaSelected = String(index === selected);
  input.setAttribute("aria-activedescendant", options[selected]?.id ?? "");
  options[selected]?.scrollIntoView({ block: "nearest" });
}

async function update(): Promise<void> {
  const query = input.value;
  // `undefined` if the reader typed on while scripts were loading.
  const matches = await index.find(query, searched);
  if (matches === undefined) return;
  list.replaceChildren(...matches.map(renderMatch));
  input.ariaExpanded = String(matches.length > 0);
  const number = `${matches.length}${matches.length === maxMatches ? "+" : ""}`;
  const count = matches.length === 1 ? words.oneResult : words.manyResults.replace("{}", number);
  const trimmed = query.trim();
  const nothing = words.nothingFound.replace("{}", () => trimmed);
  status.textContent = trimmed === "" ? "" : matches.length === 0 ? nothing : count;
  select(0);
}

input.addEventListener("input", () => void update());
input.addEventListener("keydown", (event) => {
  // During composition, the keys belong to the input method. Safari ends it before the last key, which has the code 229.
  if (event.isComposing || event.keyCode === 229) return;
  if (event.key === "ArrowDown") select(selected + 1);
  else if (event.key === "ArrowUp") select(selected - 1);
  else if (event.key === "Enter") list.querySelectorAll("a")[selected]?.click();
  else return;
  event.preventDefault();
});
dialog.addEventListener("click", ({ target }) => {
  if (target === dialog || (target as Element).closest("button, .results")) dialog.close();
});

// Every search needs the summaries of the indexes.
for (const number of searched) void load(`${number}`);
window.openDocsSearch = (typed) => {
  if (!dialog.open) dialog.showModal();
  if (typed === "") return input.select();
  input.value = typed;
  void update();
};
