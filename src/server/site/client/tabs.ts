/** Tabs by the ARIA Authoring Practices, and the table of contents, which lists only sections in visible tabs. */
import { decodePercent } from "../../../base/text.ts";

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
  }
  for (const [position, panel] of panels.entries())
    panel.classList.toggle("tab-panel-inactive", position !== index);
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

function findTarget(hash: string): HTMLElement | null {
  return document.getElementById(decodePercent(hash.slice(1)));
}

/** Shows the tab panels and accordions that contain the target of the URL's fragment. */
function revealTarget(): void {
  const target = findTarget(location.hash);
  for (let details = target?.closest("details"); details; details = details.parentElement?.closest("details"))
    details.open = true;
  for (const group of groups) {
    const index = group.panels.findIndex((panel) => panel.contains(target));
    if (target === null || index < 0) continue;
    select(group, index);
    // The title of a panel is hidden, so that its tab is shown instead.
    (target.matches(".tab-panel-title") ? group.tabs[index] : target)?.scrollIntoView();
  }
}

const entries = [...document.querySelectorAll<HTMLAnchorElement>(".toc a")].map((link) => ({
  link,
  target: findTarget(link.hash),
}));

/** Lists the visible sections, and marks the one whose heading is the last above the upper quarter of the window. */
function updateContents(): void {
  for (const { link, target } of entries)
    link.parentElement?.toggleAttribute("hidden", target?.closest(".tab-panel-inactive") !== null);
  const visible = entries.filter(({ link }) => link.parentElement?.hidden === false);
  const passed = visible.findLast(
    ({ target }) => (target?.getBoundingClientRect().top ?? 0) <= innerHeight / 4,
  );
  for (const { link } of entries) link.ariaCurrent = null;
  const current = passed ?? visible[0];
  if (current !== undefined) current.link.ariaCurrent = "true";
}

/** Activates the tabs and the table of contents. */
export function prepareTabs(): void {
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
