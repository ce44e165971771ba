/** Marks the section being read in the page's table of contents, and leaves out those of tabs that are not shown. */
import { panelsChanged } from "./tabs.ts";

const readingLine = 0.25;

/** Lists the sections that are shown, and keeps `aria-current` on the link of the last heading above the upper quarter of the window. */
export function followContents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".toc a")];
  const targets = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (links.length === 0) return;
  let isScheduled = false;

  const isShown = (target: HTMLElement | null) =>
    target !== null && target.closest(".tab-panel-inactive") === null;

  function listShown(): void {
    for (const [index, link] of links.entries()) {
      const entry = link.parentElement;
      if (entry !== null) entry.hidden = !isShown(targets[index] ?? null);
    }
    mark();
  }

  function mark(): void {
    isScheduled = false;
    const line = innerHeight * readingLine;
    const current = targets.findLastIndex(
      (target) => target !== null && isShown(target) && target.getBoundingClientRect().top <= line,
    );
    for (const [index, link] of links.entries()) {
      if (index === Math.max(current, 0)) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  document.addEventListener(
    "scroll",
    () => {
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(mark);
    },
    { passive: true },
  );
  document.addEventListener(panelsChanged, listShown);
  listShown();
}
