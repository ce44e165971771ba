/** The script of every page. Pages are readable without it. */
import { decodePercent } from "../../../base/text.ts";
import { plainSlug } from "../content/heading-slugs.ts";
import { loadScript, words } from "./page-data.ts";
import { applyTheme, settings } from "./settings.ts";

declare global {
  interface Window {
    /** Set by `search.js`. What was `typed` while it was loading is searched for. */
    openDocsSearch?: (typed: string) => void;
    /** Called by each script of the search index with its content. */
    docsSearchLoaded?: (name: string, content: string) => void;
  }
}

const root = document.documentElement;

/** Scrolls the navigation or the table of contents to an entry. The page keeps its position, unlike with `scrollIntoView`. */
function scrollToEntry(entry: Element): void {
  const box = entry.closest("nav");
  if (box === null) return;
  const offset = entry.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (offset < 0 || offset > box.clientHeight * 0.75) box.scrollTop += offset - box.clientHeight / 3;
}

/** Scrolls the navigation to the current page when it is shown. */
function prepareMenu(): void {
  const sidebar = document.querySelector(".sidebar");
  const current = sidebar?.querySelector('[aria-current="page"]');
  if (!current) return;
  sidebar?.addEventListener("toggle", () => scrollToEntry(current));
  scrollToEntry(current);
}

/** Scrolls the tab bar to the current tab. */
function prepareTabBar(): void {
  const current = document.querySelector(".tab-bar [aria-current]");
  const bar = current?.closest("ul");
  if (!current || !bar) return;
  const [tab, box] = [current, bar].map((element) => element.getBoundingClientRect());
  if (tab && box) bar.scrollLeft += tab.left + tab.width / 2 - box.left - box.width / 2;
}

/** Opens the table of contents where it is beside the text. Browsers before 2025 do not support this in style sheets. */
function prepareContents(): void {
  const contents = document.querySelector(".toc details");
  const wide = matchMedia("(min-width: 75.01rem)");
  const update = () => contents?.toggleAttribute("open", wide.matches);
  wide.addEventListener("change", update);
  update();
}

/** Makes the button switch between light and dark. The default is the system's setting. */
function prepareThemeToggle(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-theme-toggle]");
  if (button === null) return;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const update = () => {
    applyTheme();
    const theme = root.dataset["theme"] ?? (system.matches ? "dark" : "light");
    button.ariaPressed = String(theme === "dark");
  };
  button.addEventListener("click", () => {
    const theme = button.ariaPressed === "true" ? "light" : "dark";
    root.dataset["theme"] = theme;
    settings?.setItem("docs-theme", theme);
    update();
  });
  system.addEventListener("change", update);
  // Another page may have changed it before the browser shows this one again.
  window.addEventListener("pageshow", update);
  update();
}

/** Lets the reader close the banner. It appears again when its text changes. */
function prepareBanner(): void {
  const banner = document.querySelector<HTMLElement>(".banner[data-dismissible]");
  const text = banner?.textContent ?? "";
  banner?.toggleAttribute("hidden", settings?.getItem("docs-banner") === text);
  banner?.querySelector("button")?.addEventListener("click", () => {
    banner.hidden = true;
    settings?.setItem("docs-banner", text);
  });
}

const groups = [...document.querySelectorAll<HTMLElement>("[data-tabs]")].map((container) => ({
  isAlone: container.dataset["tabs"] === "alone",
  tabs: [...container.querySelectorAll<HTMLButtonElement>(':scope > [role="tablist"] > [role="tab"]')],
  panels: [...container.querySelectorAll<HTMLElement>(':scope > [role="tabpanel"]')],
}));

type TabGroup = (typeof groups)[number];

function select({ tabs, panels }: TabGroup, index: number): void {
  for (const [position, tab] of tabs.entries()) {
    tab.ariaSelected = String(position === index);
    tab.tabIndex = position === index ? 0 : -1;
    panels[position]?.classList.toggle("tab-panel-inactive", position !== index);
  }
  updateContents();
}

/** Selects a tab, and tabs with the same title in other groups. The selected tab keeps its position on the screen. */
function selectInAllGroups(selected: TabGroup, index: number): void {
  const tab = selected.tabs[index];
  if (tab === undefined) return;
  const top = tab.getBoundingClientRect().top;
  for (const group of groups) {
    const hasSameTitle = (other: HTMLElement) => other.textContent === tab.textContent;
    const sameTitle = group.isAlone || selected.isAlone ? -1 : group.tabs.findIndex(hasSameTitle);
    if (group === selected) select(group, index);
    else if (sameTitle >= 0) select(group, sameTitle);
  }
  window.scrollBy(0, tab.getBoundingClientRect().top - top);
}

/** The target of a fragment, which may be written in upper case or with other punctuation. */
function findTarget(hash: string): HTMLElement | null {
  const id = decodePercent(hash.slice(1));
  const targets = () => [...document.querySelectorAll<HTMLElement>("main [id]")];
  const isMeant = (target: HTMLElement) => plainSlug(target.id) === plainSlug(id);
  return document.getElementById(id) ?? (id === "" ? null : (targets().find(isMeant) ?? null));
}

/** Shows the tab panels and accordions that contain the target of the URL's fragment. */
function revealTarget(): void {
  const target = findTarget(location.hash);
  if (target === null) return;
  // The browser itself scrolls to a target that the fragment names exactly.
  let shown = document.getElementById(decodePercent(location.hash.slice(1))) ? undefined : target;
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details:not([open])"))
    if (details.contains(target)) {
      details.open = true;
      shown = target;
    }
  for (const group of groups) {
    const index = group.panels.findIndex((panel) => panel.contains(target));
    if (index < 0) continue;
    select(group, index);
    // The title of a panel is hidden, so that its tab is shown instead.
    shown = (target.matches(".tab-panel-title") && group.tabs[index]) || target;
  }
  shown?.scrollIntoView();
}

const entries = [...document.querySelectorAll<HTMLAnchorElement>(".toc a")].map((link) => ({
  link,
  target: findTarget(link.hash),
}));

/** Lists the visible sections, and marks the last one whose heading is in or above the window's upper quarter; at the end of the page, in it. */
function updateContents(): void {
  for (const { link, target } of entries)
    link.parentElement?.toggleAttribute("hidden", target?.closest(".tab-panel-inactive") !== null);
  const visible = entries.filter(({ link }) => link.parentElement?.hidden === false);
  const isAtEnd = scrollY > 0 && scrollY + innerHeight > root.scrollHeight - 2;
  const line = isAtEnd ? innerHeight : innerHeight / 4;
  // A section in a closed accordion is listed, but not on the screen.
  const passed = visible.findLast(
    ({ target }) => target?.checkVisibility() && target.getBoundingClientRect().top <= line,
  );
  const current = (passed ?? visible[0])?.link;
  if (current === undefined || current.ariaCurrent === "true") return;
  for (const { link } of entries) link.ariaCurrent = null;
  current.ariaCurrent = "true";
  scrollToEntry(current);
}

/** Activates the tabs, by the ARIA Authoring Practices, and the table of contents, which lists only sections in visible tabs. */
function prepareTabs(): void {
  for (const group of groups) {
    for (const [index, tab] of group.tabs.entries()) {
      tab.addEventListener("click", () => selectInAllGroups(group, index));
      tab.addEventListener("keydown", (event) => {
        const step = tab.matches(":dir(rtl)") ? -1 : 1;
        const next = { ArrowLeft: index - step, ArrowRight: index + step, Home: 0, End: -1 }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        const position = (next + group.tabs.length) % group.tabs.length;
        selectInAllGroups(group, position);
        group.tabs[position]?.focus();
      });
    }
  }
  window.addEventListener("hashchange", revealTarget);
  document.addEventListener("scroll", () => requestAnimationFrame(updateContents), { passive: true });
  revealTarget();
  updateContents();
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Some browsers refuse the clipboard API to pages opened from disk, but can copy the selection.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "sr-only";
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}

const copyIcon = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1"/></svg>`;
const doneIcon = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M4.5 12.5l5 5L19.5 7"/></svg>`;

/** Adds copy buttons to code blocks and prompts; the result is announced to assistive technology. */
function prepareCopyButtons(): void {
  const status = document.createElement("p");
  status.className = "sr-only";
  status.role = "status";
  document.querySelector("main")?.append(status);
  for (const block of document.querySelectorAll(".code-block, .prompt")) {
    const text = block.querySelector<HTMLElement>(".prompt-body");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-button";
    button.ariaLabel = text === null ? words.copyCode : words.copyPrompt;
    button.innerHTML = copyIcon + doneIcon;
    button.addEventListener("click", async () => {
      const isCopied = await copyText(text?.innerText ?? block.querySelector("code")?.textContent ?? "");
      button.focus();
      button.classList.toggle("copied", isCopied);
      status.textContent = isCopied ? words.copied : words.copyFailed;
      setTimeout(() => {
        button.classList.remove("copied");
        status.textContent = "";
      }, 2_000);
    });
    block.append(button);
  }
}

/** Makes the buttons of collapsed code blocks show the whole code. */
function prepareLongCode(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(".code-expand"))
    button.addEventListener("click", () => {
      button.ariaExpanded = "true";
      button.parentElement?.querySelector("pre")?.focus();
    });
}

/** Makes the search button, `/` and Ctrl+K (⌘K) open the search. Focus or hover of the button already loads its script. */
function prepareSearch(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-search]");
  const load = () => loadScript("search.js");
  /** Keys since the search was asked for; `undefined` while it is not being opened. */
  let typed: string | undefined;
  const open = async () => {
    if (typed !== undefined) return;
    typed = "";
    try {
      await load();
      window.openDocsSearch?.(typed);
    } finally {
      typed = undefined;
    }
  };
  for (const type of ["focus", "pointerenter"]) button?.addEventListener(type, load);
  button?.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const isTyping =
      target instanceof Element && target.matches("input, textarea, select, [contenteditable]");
    const isText = key.length === 1 && !isTyping && !ctrlKey && !metaKey && !altKey;
    const isShortcut = key.toLowerCase() === "k" && (ctrlKey || metaKey);
    if (!isShortcut && !(isText && (key === "/" || typed !== undefined))) return;
    event.preventDefault();
    if (isText && typed !== undefined) typed += key;
    else void open();
  });
}

/** Loads the script that draws diagrams when the first one is about to scroll into view. */
function prepareDiagrams(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void loadScript("diagrams.js");
    },
    { rootMargin: "600px" },
  );
  for (const figure of document.querySelectorAll("[data-diagram]")) observer.observe(figure);
}

prepareMenu();
prepareTabBar();
prepareContents();
prepareThemeToggle();
prepareBanner();
prepareTabs();
prepareCopyButtons();
prepareLongCode();
prepareSearch();
prepareDiagrams();
