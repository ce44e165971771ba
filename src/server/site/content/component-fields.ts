/** Parameters and properties of an interface. */
import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import { type Component, type ComponentRenderer, inlineText, type Props } from "./component.ts";

/** The parts of a request that a parameter may stand in. */
const locations = ["path", "query", "header", "body", "cookie"];

/** One field; `dataField` becomes its identifier when the page is finished. */
function fieldElement(props: Props, body: ElementContent[]): Element {
  const name = props.text("name", "prop", ...locations);
  const value = props.text("default", "defaultValue");
  const labels = [
    ["type", props.text("type")],
    ["place", locations.find((location) => props.text(location) !== undefined)],
    ["required", props.flag("required") && "required"],
    ["place", props.flag("isOptional") && "optional"],
    ["deprecated", props.flag("deprecated") && "deprecated"],
    ["default", value && `default: ${value}`],
  ] as const;
  return h("div.field", { dataField: name }, [
    h("p.field-head", [
      name && h("code.field-name", [name]),
      labels.map(([kind, text]) => (text ? h(`span.field-${kind}`, [text]) : undefined)),
    ]),
    body.length > 0 ? h("div.field-body", body) : undefined,
  ]);
}

function renderField(component: Component): Element {
  return fieldElement(component, component.content());
}

const maxNesting = 8;

/** A field given as an object, with the fields that it holds; those of each of its types under the type's name. */
function renderRow(row: Props, depth = 0): Element {
  const description = row.text("description");
  const nested: ElementContent[] = [];
  const addRows = (rows: readonly Props[]) =>
    nested.push(...rows.map((inner) => renderRow(inner, depth + 1)));
  if (depth < maxNesting) {
    addRows(row.rows("parameters"));
    for (const inner of row.rows("properties")) {
      const type = inner.text("type");
      const isType = inner.values["parameters"] !== undefined;
      if (isType && type !== undefined) nested.push(h("p.field-type", [type]));
      addRows(isType ? inner.rows("parameters") : [inner]);
    }
  }
  return fieldElement(row, [
    ...(description === undefined ? [] : [h("p", inlineText(description))]),
    ...(nested.length === 0 ? [] : [h("div.field-nested", nested)]),
  ]);
}

/** A reference given as a list of objects. */
function renderTable(component: Component): ElementContent[] {
  const rows = component.rows("content", "data", "properties", "type");
  return rows.length === 0
    ? []
    : [
        h(
          "div.fields",
          rows.map((row) => renderRow(row)),
        ),
      ];
}

export const fieldComponents: Readonly<Record<string, ComponentRenderer>> = {
  ParamField: renderField,
  ResponseField: renderField,
  Property: renderField,
  PropertiesTable: renderTable,
  TypeTable: renderTable,
};
