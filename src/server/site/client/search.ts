/** The search box: a dialog with a combobox over the site's index. */
import MiniSearch from "minisearch";
import { findMatches, type SearchMatch } from "./find-matches.ts";

const root = document.documentElement.dataset["root"] ?? "";
const part = document.documentElement.dataset["part"] ?? "";

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

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function renderMatch(match: SearchMatch, index: number): HTMLElement {
  const hash = match.section === undefined ? "" : `#${encodeURIComponent(match.section.id)}`;
  const title = match.section === undefined ? match.title : `${match.title} › ${match.section.text}`;
  return create(
    "a",
    {
      href: `${root}${encodePath(match.path)}${hash}`,
      role: "option",
      id: `docs-result-${index}`,
      "aria-selected": "false",
      tabindex: "-1",
    },
    create("span", { class: "result-title" }, title),
    create("span", { class: "result-place" }, match.place),
    create("span", { class: "result-summary" }, match.summary),
  );
}

function createSearch(index: MiniSearch): { open(): void } {
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

  function select(position: number): void {
    const options = [...list.querySelectorAll("a")];
    selected = options.length === 0 ? -1 : (position + options.length) % options.length;
    for (const [at, option] of options.entries())
      option.setAttribute("aria-selected", String(at === selected));
    const chosen = options[selected];
    if (chosen === undefined) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", chosen.id);
    chosen?.scrollIntoView({ block: "nearest" });
  }

  function update(): void {
    const query = input.value.trim();
    const matches = query === "" ? [] : findMatches(index, { query, part });
    list.replaceChildren(...matches.map(renderMatch));
    input.setAttribute("aria-expanded", String(matches.length > 0));
    const count = matches.length === 1 ? "1 result" : `${matches.length} results`;
    status.textContent = query === "" ? "" : matches.length === 0 ? `Nothing found for “${query}”` : count;
    select(0);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected - 1);
    else if (event.key === "Enter") list.querySelectorAll("a")[selected]?.click();
    else return;
    event.preventDefault();
  }

  input.addEventListener("input", update);
  input.addEventListener("keydown", onKey);
  close.addEventListener("click", () => dialog.close());
  list.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);

  function open(): void {
    if (!dialog.open) dialog.showModal();
    input.select();
  }

  return { open };
}

window.docsSearch = createSearch(
  MiniSearch.loadJS(window.docsSearchIndex as Parameters<typeof MiniSearch.loadJS>[0], {
    fields: ["title", "headings", "summary", "text"],
    storeFields: ["title", "path", "place", "part", "summary", "sections"],
  }),
);
