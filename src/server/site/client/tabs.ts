/** Tabs as the ARIA practices describe them: arrow keys, Home and End move; the chosen title is kept across a page's groups. */

/** Event of the document: other panels are shown than before. */
export const panelsChanged = "docs-panels-changed";

interface TabGroup {
  readonly tabs: readonly HTMLButtonElement[];
  readonly panels: readonly HTMLElement[];
}

function readGroup(container: Element): TabGroup {
  return {
    tabs: [...container.querySelectorAll<HTMLButtonElement>(':scope > [role="tablist"] > [role="tab"]')],
    panels: [...container.querySelectorAll<HTMLElement>(':scope > [role="tabpanel"]')],
  };
}

function select({ tabs, panels }: TabGroup, index: number): void {
  for (const [position, tab] of tabs.entries()) {
    tab.setAttribute("aria-selected", String(position === index));
    tab.tabIndex = position === index ? 0 : -1;
  }
  for (const [position, panel] of panels.entries())
    panel.classList.toggle("tab-panel-inactive", position !== index);
  document.dispatchEvent(new Event(panelsChanged));
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

/** Shows the same choice everywhere, without moving what the reader looks at. */
function choose(groups: readonly TabGroup[], chosen: TabGroup, index: number): void {
  const tab = chosen.tabs[index];
  if (tab === undefined) return;
  const before = tab.getBoundingClientRect().top;
  const title = tab.textContent;
  for (const group of groups) {
    const same = group === chosen ? index : group.tabs.findIndex(({ textContent }) => textContent === title);
    if (same >= 0) select(group, same);
  }
  window.scrollBy(0, tab.getBoundingClientRect().top - before);
}

/** The panel that holds the section an address points to is shown. */
function revealTarget(groups: readonly TabGroup[]): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  for (const group of groups) {
    const index = group.panels.findIndex((panel) => panel.contains(target));
    if (index >= 0) select(group, index);
  }
}

/** Makes every group of tabs on the page switch. */
export function prepareTabs(): void {
  const groups = [...document.querySelectorAll("[data-tabs]")].map(readGroup);
  for (const group of groups) {
    for (const [index, tab] of group.tabs.entries()) {
      tab.addEventListener("click", () => choose(groups, group, index));
      tab.addEventListener("keydown", (event) => {
        const next = nextIndex(event.key, index, group.tabs.length);
        if (next === undefined) return;
        event.preventDefault();
        choose(groups, group, next);
        group.tabs[next]?.focus();
      });
    }
  }
  revealTarget(groups);
  window.addEventListener("hashchange", () => revealTarget(groups));
}
