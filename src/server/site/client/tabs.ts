/** Tabs as the ARIA practices describe them, and the table of contents, which lists the sections of the tabs that are shown. */

import { decodePercent } from "../../../base/text.ts";

const groups = [...document.querySelectorAll<HTMLElement>("[data-tabs]")].map((container) => ({
  isAlone: container.dataset["tabs"] === "alone",
  tabs: [...container.querySelectorAll<HTMLButtonElement>(':scope > [role="tablist"] > [role="tab"]')],
  panels: [...container.querySelectorAll<HTMLElement>(':scope > [role="tabpanel"]')],
}));

type TabGroup = (typeof groups)[number];

function select({ tabs, panels }: TabGroup, index: number): void {
  for (const [at, tab] of tabs.entries()) {
    tab.ariaSelected = String(at === index);
    tab.tabIndex = at === index ? 0 : -1;
  }
  for (const [at, panel] of panels.entries()) panel.classList.toggle("tab-panel-inactive", at !== index);
  followContents();
}

/** Shows the tab of this title in every group, without moving the chosen one on the screen. */
function choose(chosen: TabGroup, index: number): void {
  const tab = chosen.tabs[index];
  if (tab === undefined) return;
  const before = tab.getBoundingClientRect().top;
  for (const group of groups) {
    const isSame = (other: HTMLElement) => other.textContent === tab.textContent;
    const same = group.isAlone || chosen.isAlone ? -1 : group.tabs.findIndex(isSame);
    if (group === chosen) select(group, index);
    else if (same >= 0) select(group, same);
  }
  window.scrollBy(0, tab.getBoundingClientRect().top - before);
}

/** The element that a fragment names. */
function findTarget(hash: string): HTMLElement | null {
  return document.getElementById(decodePercent(hash.slice(1)));
}

/** Shows the panel or the accordion that holds the section which the address names. */
function revealTarget(): void {
  const target = findTarget(location.hash);
  for (let details = target?.closest("details"); details; details = details.parentElement?.closest("details"))
    details.open = true;
  for (const group of groups) {
    const index = group.panels.findIndex((panel) => panel.contains(target));
    if (target === null || index < 0) continue;
    select(group, index);
    // The title of a panel is its tab.
    if (target.parentElement === group.panels[index]) group.tabs[index]?.scrollIntoView();
  }
}

const entries = [...document.querySelectorAll<HTMLAnchorElement>(".toc a")].map((link) => ({
  link,
  target: findTarget(link.hash),
}));

/** Lists the sections that are shown, and marks the one of the last heading in the upper quarter of the window. */
function followContents(): void {
  for (const { link, target } of entries)
    link.parentElement?.toggleAttribute("hidden", target?.closest(".tab-panel-inactive") !== null);
  const shown = entries.filter(({ link }) => link.parentElement?.hidden === false);
  const passed = shown.findLast(
    ({ target }) => (target?.getBoundingClientRect().top ?? 0) <= innerHeight / 4,
  );
  for (const { link } of entries) link.ariaCurrent = null;
  const current = passed ?? shown[0];
  if (current !== undefined) current.link.ariaCurrent = "true";
}

/** Makes every group of tabs on the page switch, and the table of contents follow. */
export function prepareTabs(): void {
  for (const group of groups) {
    for (const [index, tab] of group.tabs.entries()) {
      tab.addEventListener("click", () => choose(group, index));
      tab.addEventListener("keydown", (event) => {
        const last = group.tabs.length - 1;
        const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        const position = next < 0 ? last : next > last ? 0 : next;
        choose(group, position);
        group.tabs[position]?.focus();
      });
    }
  }
  window.addEventListener("hashchange", revealTarget);
  document.addEventListener("scroll", () => requestAnimationFrame(followContents), { passive: true });
  revealTarget();
  followContents();
}
