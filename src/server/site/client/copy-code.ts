/** Buttons that copy a code block. */

const icons = {
  copy: "M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1",
  done: "M4.5 12.5l5 5L19.5 7",
};

const shownDoneForMs = 2_000;

function drawIcon(button: HTMLButtonElement, path: string): void {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  button.replaceChildren(svg);
}

/** The way to copy that also works where pages from disk may not use the clipboard interface. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "off-screen";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

async function copyBlock(button: HTMLButtonElement, code: Element, status: HTMLElement): Promise<void> {
  const isCopied = await copyText(code.textContent ?? "");
  button.focus();
  status.textContent = isCopied ? "Copied" : "Could not copy";
  if (!isCopied) return;
  drawIcon(button, icons.done);
  button.classList.add("copied");
  setTimeout(() => {
    drawIcon(button, icons.copy);
    button.classList.remove("copied");
    status.textContent = "";
  }, shownDoneForMs);
}

/** Gives every code block a button that copies it, and says so to assistive technology. */
export function addCopyButtons(): void {
  const status = document.createElement("p");
  status.className = "off-screen";
  status.setAttribute("role", "status");
  document.querySelector("main")?.append(status);
  for (const block of document.querySelectorAll(".code-block")) {
    const code = block.querySelector("pre > code");
    if (code === null) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-button";
    button.setAttribute("aria-label", "Copy code");
    drawIcon(button, icons.copy);
    button.addEventListener("click", () => void copyBlock(button, code, status));
    block.append(button);
  }
}
