import type { ElementContent } from "hast";
import { element } from "../content/hast.ts";
import { findIcon, iconElement } from "../content/icons.ts";
import type { Component } from "../content/placeholder.ts";
import {
  asRecord,
  type ComponentContext,
  type ComponentRenderer,
  inlineText,
  recordsOf,
  textProp,
} from "./component.ts";

interface CardContent {
  readonly title: string | undefined;
  readonly href: string | undefined;
  readonly icon: string | undefined;
  readonly image: string | undefined;
  readonly cta: string | undefined;
  readonly body: readonly ElementContent[];
}

/** A card's title is its link; the style sheet stretches it over the card, so that the text in it stays selectable markup. */
function cardTitle({ title, href }: CardContent): ElementContent | undefined {
  if (title === undefined && href === undefined) return undefined;
  const text = title ?? href ?? "";
  const inner = href === undefined ? text : element("a", { href }, text);
  return element("p", { className: ["card-title"] }, inner);
}

function renderCardContent(card: CardContent): ElementContent {
  const icon = card.icon === undefined ? undefined : findIcon(card.icon);
  return element(
    "div",
    { className: card.href === undefined ? ["card"] : ["card", "card-link"] },
    card.image === undefined ? undefined : element("img", { src: card.image, alt: "" }),
    icon === undefined ? undefined : element("span", { className: ["card-icon"] }, iconElement(icon)),
    cardTitle(card),
    card.body.length === 0 ? undefined : element("div", { className: ["card-body"] }, ...card.body),
    card.cta === undefined ? undefined : element("p", { className: ["card-cta"] }, card.cta),
  );
}

function renderCard(component: Component, context: ComponentContext): ElementContent[] {
  const card = {
    title: textProp(component, "title", "name"),
    href: textProp(component, "href", "to", "url"),
    icon: textProp(component, "icon"),
    image: textProp(component, "img"),
    cta: textProp(component, "cta"),
    body: context.expand(component.children),
  };
  return [renderCardContent(card)];
}

/** A card whose content is its picture and whose text is a property. */
function renderTile(component: Component, context: ComponentContext): ElementContent[] {
  const description = textProp(component, "description");
  const picture = context.expand(component.children);
  const body =
    description === undefined ? picture : [...picture, element("p", {}, ...inlineText(description))];
  return [
    renderCardContent({
      title: textProp(component, "title"),
      href: textProp(component, "href"),
      icon: undefined,
      image: undefined,
      cta: undefined,
      body,
    }),
  ];
}

function columnClass(component: Component): string {
  const columns = Number(textProp(component, "cols", "columns") ?? 2);
  return `columns-${columns >= 1 && columns <= 4 ? Math.trunc(columns) : 2}`;
}

function renderColumns(component: Component, context: ComponentContext): ElementContent[] {
  const children = context.expand(component.children);
  return [element("div", { className: ["columns", columnClass(component)] }, ...children)];
}

/** Cards given as a list of objects. */
function renderCardList(component: Component): ElementContent[] {
  const { cards, examples, items } = component.props;
  const rows = recordsOf(cards ?? examples ?? items).map((props) => {
    const description = textProp({ props }, "description");
    return renderCardContent({
      title: textProp({ props }, "title"),
      href: textProp({ props: asRecord(props) }, "href", "link", "url"),
      icon: textProp({ props }, "icon"),
      image: undefined,
      cta: undefined,
      body: description === undefined ? [] : inlineText(description),
    });
  });
  return rows.length === 0 ? [] : [element("div", { className: ["columns", "columns-2"] }, ...rows)];
}

/** Cards and the grids they stand in. */
export const cards: Readonly<Record<string, ComponentRenderer>> = {
  Card: renderCard,
  CardGroup: renderColumns,
  Cards: renderColumns,
  CardGrid: renderColumns,
  LinkCard: renderCard,
  Tile: renderTile,
  Tiles: renderColumns,
  Columns: renderColumns,
  Column: (component, context) => [element("div", {}, ...context.expand(component.children))],
  IndexCards: renderCardList,
  ExampleLinks: renderCardList,
};
