import type { ElementContent } from "hast";
import { element, isBlank } from "../content/hast.ts";
import { type IconName, iconElement } from "../content/icons.ts";
import type { Component } from "../content/placeholder.ts";
import { type ComponentContext, type ComponentRenderer, textProp } from "./component.ts";

interface CalloutKind {
  readonly label: string;
  readonly icon: IconName;
}

const kinds = {
  note: { label: "Note", icon: "info" },
  info: { label: "Info", icon: "info" },
  tip: { label: "Tip", icon: "bulb" },
  warning: { label: "Warning", icon: "alert" },
  check: { label: "Check", icon: "check" },
  danger: { label: "Danger", icon: "alert" },
} satisfies Record<string, CalloutKind>;

type Kind = keyof typeof kinds;

/** Names under which other documentation systems write the same kinds. */
const aliases: Record<string, Kind> = {
  note: "note",
  info: "info",
  important: "info",
  tip: "tip",
  hint: "tip",
  success: "check",
  check: "check",
  warning: "warning",
  warn: "warning",
  caution: "danger",
  danger: "danger",
  error: "danger",
};

function renderCallout(kind: Kind, component: Component, context: ComponentContext): ElementContent[] {
  const { label, icon } = kinds[kind];
  const title = textProp(component, "title");
  const heading = title === undefined ? undefined : element("p", { className: ["callout-title"] }, title);
  return [
    element(
      "div",
      { className: ["callout", `callout-${kind}`], role: "note", ariaLabel: label },
      element("span", { className: ["callout-icon"] }, iconElement(icon)),
      element("div", { className: ["callout-body"] }, heading, ...context.expand(component.children)),
    ),
  ];
}

function createCallout(kind: Kind): ComponentRenderer {
  return (component, context) => renderCallout(kind, component, context);
}

function renderMark(icon: IconName, label: string): ElementContent[] {
  return [element("span", { className: ["mark-icon"], role: "img", ariaLabel: label }, iconElement(icon))];
}

/** `<Check>` with content is a callout; without, a tick in a table or a list. */
function renderCheck(component: Component, context: ComponentContext): ElementContent[] {
  return component.children.every(isBlank)
    ? renderMark("check", "Yes")
    : renderCallout("check", component, context);
}

function renderGenericCallout(component: Component, context: ComponentContext): ElementContent[] {
  const kind = aliases[(textProp(component, "type", "variant", "kind") ?? "note").toLowerCase()] ?? "note";
  return renderCallout(kind, component, context);
}

/** Boxes that set a remark apart, and the tick and the cross. */
export const callouts: Readonly<Record<string, ComponentRenderer>> = {
  Note: createCallout("note"),
  Info: createCallout("info"),
  Tip: createCallout("tip"),
  Warning: createCallout("warning"),
  Danger: createCallout("danger"),
  Check: renderCheck,
  Cross: () => renderMark("close", "No"),
  Callout: renderGenericCallout,
  Aside: renderGenericCallout,
  Admonition: renderGenericCallout,
};
