import type { ElementContent } from "hast";
import { element } from "../content/hast.ts";
import type { Component } from "../content/placeholder.ts";
import type { StaticValue } from "../content/static-value.ts";
import {
  type ComponentContext,
  type ComponentRenderer,
  flagProp,
  inlineText,
  recordsOf,
  textProp,
} from "./component.ts";

interface Field {
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly place?: string | undefined;
  readonly defaultValue?: string | undefined;
  readonly isRequired?: boolean;
  readonly isOptional?: boolean;
  readonly isDeprecated?: boolean;
  readonly body: readonly ElementContent[];
}

function label(className: string, text: string | undefined): ElementContent | undefined {
  return text === undefined ? undefined : element("span", { className: [className] }, text);
}

function renderField(field: Field): ElementContent {
  return element(
    "div",
    { className: ["field"], ...(field.name === undefined ? {} : { dataField: field.name }) },
    element(
      "p",
      { className: ["field-head"] },
      field.name === undefined ? undefined : element("code", { className: ["field-name"] }, field.name),
      label("field-type", field.type),
      label("field-place", field.place),
      field.isRequired ? label("field-required", "required") : undefined,
      field.isOptional ? label("field-place", "optional") : undefined,
      field.isDeprecated ? label("field-deprecated", "deprecated") : undefined,
      field.defaultValue === undefined ? undefined : label("field-default", `default: ${field.defaultValue}`),
    ),
    field.body.length === 0 ? undefined : element("div", { className: ["field-body"] }, ...field.body),
  );
}

const places = ["path", "query", "header", "body", "cookie"];

function renderFieldComponent(component: Component, context: ComponentContext): ElementContent[] {
  const place = places.find((name) => textProp(component, name) !== undefined);
  return [
    renderField({
      name: textProp(component, "name", ...places),
      type: textProp(component, "type"),
      place,
      defaultValue: textProp(component, "default"),
      isRequired: flagProp(component, "required"),
      isDeprecated: flagProp(component, "deprecated"),
      body: context.expand(component.children),
    }),
  ];
}

type Row = Readonly<Record<string, StaticValue>>;

const maxNesting = 8;

/** The rows a row holds, under each type that it may have. */
function nestedRows(row: Row, depth: number): ElementContent[] {
  if (depth >= maxNesting) return [];
  const direct = recordsOf(row["parameters"]).map((inner) => renderRow(inner, depth + 1));
  const typed = recordsOf(row["properties"]).flatMap((inner) => {
    const type = textProp({ props: inner }, "type");
    const rows = recordsOf(inner["parameters"]).map((parameter) => renderRow(parameter, depth + 1));
    if (inner["parameters"] === undefined) return [renderRow(inner, depth + 1)];
    return [type === undefined ? undefined : element("p", { className: ["field-type"] }, type), ...rows];
  });
  const rows = [...direct, ...typed].filter((node) => node !== undefined);
  return rows.length === 0 ? [] : [element("div", { className: ["field-nested"] }, ...rows)];
}

function renderRow(row: Row, depth: number): ElementContent {
  const component = { props: row };
  const description = textProp(component, "description");
  const text = description === undefined ? [] : [element("p", {}, ...inlineText(description))];
  return renderField({
    name: textProp(component, "name", "prop"),
    type: textProp(component, "type"),
    defaultValue: textProp(component, "default", "defaultValue"),
    isRequired: row["required"] === true,
    isOptional: row["isOptional"] === true,
    isDeprecated: row["deprecated"] === true,
    body: [...text, ...nestedRows(row, depth)],
  });
}

/** A reference given as a list of objects. */
function renderProperties(component: Component): ElementContent[] {
  const { content, data, properties, type } = component.props;
  const rows = recordsOf(content ?? data ?? properties ?? type);
  return rows.length === 0
    ? []
    : [element("div", { className: ["fields"] }, ...rows.map((row) => renderRow(row, 0)))];
}

/** Parameters and properties of an interface. */
export const fields: Readonly<Record<string, ComponentRenderer>> = {
  ParamField: renderFieldComponent,
  ResponseField: renderFieldComponent,
  Property: renderFieldComponent,
  PropertiesTable: renderProperties,
  TypeTable: renderProperties,
};
