/** Parts of a page with a frame of their own: callouts, steps, disclosures, changelog entries, prompts. */
import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import type { Component, ComponentRenderer } from "./component.ts";
import { iconElement } from "./icons.ts";

const calloutKinds = {
  note: { label: "Note", icon: "info" },
  info: { label: "Info", icon: "info" },
  tip: { label: "Tip", icon: "lightbulb" },
  warning: { label: "Warning", icon: "triangle-alert" },
  check: { label: "Check", icon: "check" },
  danger: { label: "Danger", icon: "triangle-alert" },
} as const;

type CalloutKind = keyof typeof calloutKinds;

/** Names under which other documentation systems write the same kinds. */
const calloutAliases: Readonly<Record<string, CalloutKind>> = {
  important: "info",
  hint: "tip",
  success: "check",
  warn: "warning",
  caution: "danger",
  error: "danger",
};

function isCalloutKind(kind: string): kind is CalloutKind {
  return Object.hasOwn(calloutKinds, kind);
}

function renderCallout(kind: CalloutKind, component: Component): Element {
  const { label, icon } = calloutKinds[kind];
  const title = component.text("title");
  return h(`div.callout.callout-${kind}`, { role: "note", ariaLabel: label }, [
    h("span.callout-icon", [iconElement(icon)]),
    h("div.callout-body", [title && h("p.callout-title", [title]), component.content()]),
  ]);
}

function callout(kind: CalloutKind): ComponentRenderer {
  return (component) => renderCallout(kind, component);
}

/** A callout whose kind is a property. */
function renderTypedCallout(component: Component): Element {
  const type = (component.text("type", "variant", "kind") ?? "note").toLowerCase();
  return renderCallout(isCalloutKind(type) ? type : (calloutAliases[type] ?? "note"), component);
}

function renderMark(icon: string, label: string): Element {
  return h("span.mark-icon", { role: "img", ariaLabel: label }, [iconElement(icon)]);
}

/** `<Check>` with content is a callout; without, a tick in a table or a list. */
function renderCheck(component: Component): Element {
  const isEmpty = component.children.every((node) => node.type === "text" && node.value.trim() === "");
  return isEmpty ? renderMark("check", "Yes") : renderCallout("check", component);
}

function renderStep(step: Component): Element {
  const title = step.text("title");
  return h("li.step", [title && h("p.step-title", [title]), step.content()]);
}

function renderSteps(component: Component): Element {
  const steps = component.parts("Step", "Steps.Step");
  // Some systems number the headings inside instead of using `<Step>`.
  if (steps.length === 0) return h("div.steps-plain", component.content());
  return h("ol.steps", steps.map(renderStep));
}

function disclosure(className: string, fallbackTitle: string): ComponentRenderer {
  return (component) => {
    const description = component.text("description");
    const isOpen = component.flag("defaultOpen") || component.flag("open");
    return h(`details.disclosure.${className}`, { open: isOpen }, [
      h("summary", [
        component.text("title", "label", "summary") ?? fallbackTitle,
        description && h("span.summary-note", [description]),
      ]),
      h("div.disclosure-body", component.content()),
    ]);
  };
}

/** An entry of a changelog. */
function renderUpdate(component: Component): Element {
  const label = component.text("label", "title", "date");
  const description = component.text("description");
  const tags = component.list("tags").map((tag) => h("span.tag", [tag]));
  return h("section.update", [
    label && h("h2", [label]),
    description && h("p.update-note", [description]),
    tags.length > 0 ? h("p", tags) : undefined,
    component.content(),
  ]);
}

/** A text to hand to an assistant, under its description. */
function renderPrompt(component: Component): Element {
  return h("figure.frame.prompt", [
    h("figcaption", [component.text("description", "title") ?? "Prompt"]),
    h("div.prompt-body", component.content()),
  ]);
}

/** An exported site is read by people. */
function renderVisibility(component: Component): ElementContent[] {
  return component.text("for") === "agents" ? [] : component.content();
}

/** A component that is only a frame around its content. */
function frame(selector: string): ComponentRenderer {
  return (component) => h(selector, component.content());
}

function contentOnly(component: Component): ElementContent[] {
  return component.content();
}

export const blockComponents: Readonly<Record<string, ComponentRenderer>> = {
  Note: callout("note"),
  Info: callout("info"),
  Tip: callout("tip"),
  Warning: callout("warning"),
  Danger: callout("danger"),
  Check: renderCheck,
  Cross: () => renderMark("x", "No"),
  Callout: renderTypedCallout,
  Aside: renderTypedCallout,
  Admonition: renderTypedCallout,
  Steps: renderSteps,
  Step: (component) => h("ol.steps", [renderStep(component)]),
  Accordion: disclosure("accordion", "Details"),
  AccordionItem: disclosure("accordion", "Details"),
  Details: disclosure("accordion", "Details"),
  Expandable: disclosure("expandable", "Show more"),
  AccordionGroup: frame("div.accordion-group"),
  Accordions: frame("div.accordion-group"),
  RequestExample: frame("div.example"),
  ResponseExample: frame("div.example"),
  Panel: frame("div.panel"),
  Update: renderUpdate,
  Prompt: renderPrompt,
  Visibility: renderVisibility,
  CodeBlock: contentOnly,
  Fragment: contentOnly,
  AppOnly: contentOnly,
  PagesOnly: contentOnly,
};
