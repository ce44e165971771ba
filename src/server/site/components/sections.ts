import type { ElementContent } from "hast";
import { element } from "../content/hast.ts";
import type { Component } from "../content/placeholder.ts";
import {
  type ComponentContext,
  type ComponentRenderer,
  childComponents,
  flagProp,
  textProp,
} from "./component.ts";

const stepNames = new Set(["Step", "Steps.Step"]);

function renderStep(step: Component, context: ComponentContext): ElementContent {
  const title = textProp(step, "title");
  return element(
    "li",
    { className: ["step"] },
    title === undefined ? undefined : element("p", { className: ["step-title"] }, title),
    ...context.expand(step.children),
  );
}

function renderSteps(component: Component, context: ComponentContext): ElementContent[] {
  const steps = childComponents(component.children).filter(({ name }) => stepNames.has(name));
  // Some systems number the headings inside instead of using `<Step>`.
  if (steps.length === 0)
    return [element("div", { className: ["steps-plain"] }, ...context.expand(component.children))];
  return [element("ol", { className: ["steps"] }, ...steps.map((step) => renderStep(step, context)))];
}

function renderDetails(className: string, fallbackTitle: string): ComponentRenderer {
  return (component, context) => {
    const title = textProp(component, "title", "label", "summary") ?? fallbackTitle;
    const description = textProp(component, "description");
    const isOpen = flagProp(component, "defaultOpen") || flagProp(component, "open");
    return [
      element(
        "details",
        { className: ["disclosure", className], ...(isOpen ? { open: true } : {}) },
        element(
          "summary",
          {},
          title,
          description === undefined
            ? undefined
            : element("span", { className: ["summary-note"] }, description),
        ),
        element("div", { className: ["disclosure-body"] }, ...context.expand(component.children)),
      ),
    ];
  };
}

function renderGroup(className: string): ComponentRenderer {
  return (component, context) => [
    element("div", { className: [className] }, ...context.expand(component.children)),
  ];
}

/** An entry of a changelog. */
function renderUpdate(component: Component, context: ComponentContext): ElementContent[] {
  const label = textProp(component, "label", "title", "date");
  const description = textProp(component, "description");
  const { tags } = component.props;
  const tagList = Array.isArray(tags)
    ? tags.map((tag) => element("span", { className: ["tag"] }, String(tag)))
    : [];
  return [
    element(
      "section",
      { className: ["update"] },
      label === undefined ? undefined : element("h2", {}, label),
      description === undefined ? undefined : element("p", { className: ["update-note"] }, description),
      tagList.length === 0 ? undefined : element("p", {}, ...tagList),
      ...context.expand(component.children),
    ),
  ];
}

/** Parts of a page with a structure of their own. */
export const sections: Readonly<Record<string, ComponentRenderer>> = {
  Steps: renderSteps,
  Step: (component, context) => [element("ol", { className: ["steps"] }, renderStep(component, context))],
  Accordion: renderDetails("accordion", "Details"),
  AccordionItem: renderDetails("accordion", "Details"),
  AccordionGroup: renderGroup("accordion-group"),
  Accordions: renderGroup("accordion-group"),
  Expandable: renderDetails("expandable", "Show more"),
  Details: renderDetails("accordion", "Details"),
  RequestExample: renderGroup("example"),
  ResponseExample: renderGroup("example"),
  Panel: renderGroup("panel"),
  Update: renderUpdate,
};
