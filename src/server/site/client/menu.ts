/** The navigation on narrow screens, and the place of the current entry in it. */

function setOpen(button: HTMLButtonElement, isOpen: boolean): void {
  document.documentElement.classList.toggle("menu-open", isOpen);
  button.setAttribute("aria-expanded", String(isOpen));
}

/** Lets the menu button open and close the navigation, Escape close it, and the current page's entry be in view. */
export function prepareMenu(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-menu]");
  const sidebar = document.querySelector<HTMLElement>(".sidebar");
  if (button === null || sidebar === null) return;
  button.addEventListener("click", () => setOpen(button, button.getAttribute("aria-expanded") !== "true"));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || button.getAttribute("aria-expanded") !== "true") return;
    setOpen(button, false);
    button.focus();
  });
  const current = sidebar.querySelector<HTMLElement>('[aria-current="page"]');
  if (current === null) return;
  const offset = current.getBoundingClientRect().top - sidebar.getBoundingClientRect().top;
  if (offset > sidebar.clientHeight * 0.75) sidebar.scrollTop = offset - sidebar.clientHeight / 3;
}
