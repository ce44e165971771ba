/** Cards and the grids they stand in. */
import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import { type Component, type ComponentRenderer, inlineText, type Props } from "./component.ts";
import { iconElement } from "./icons.ts";

/** A card's title is its link; the style sheet stretches it over the card, so that the text in it stays selectable. */
function cardElement(props: Props, body: ElementContent[]): Element {
  const title = props.text("title", "name");
  const href = props.text("href", "to", "url", "link");
  const image = props.text("img");
  const icon = iconElement(props.text("icon") ?? "");
  const callToAction = props.text("cta");
  const name = title ?? href;
  return h(href === undefined ? "div.card" : "div.card.card-link", [
    image && h("img", { src: image, alt: "" }),
    icon && h("span.card-icon", [icon]),
    name && h("p.card-title", [href === undefined ? name : h("a", { href }, [name])]),
    body.length > 0 ? h("div.card-body", body) : undefined,
    callToAction && h("p.card-cta", [callToAction]),
  ]);
}

function renderCard(component: Component): Element {
  return cardElement(component, component.content());
}

/** A card whose content is its picture and whose text is a property. */
function renderTile(component: Component): Element {
  const description = component.text("description");
  const text = description === undefined ? [] : [h("p", inlineText(description))];
  return cardElement(component, [...component.content(), ...text]);
}

function renderColumns(component: Component): Element {
  const columns = Math.trunc(Number(component.text("cols", "columns")));
  return h(`div.columns.columns-${columns >= 1 && columns <= 4 ? columns : 2}`, component.content());
}

/** Cards given as a list of objects. */
function renderCardList(component: Component): ElementContent[] {
  const rows = component.rows("cards", "examples", "items");
  const cards = rows.map((row) => cardElement(row, inlineText(row.text("description") ?? "")));
  return cards.length === 0 ? [] : [h("div.columns.columns-2", cards)];
}

export const cardComponents: Readonly<Record<string, ComponentRenderer>> = {
  Card: renderCard,
  LinkCard: renderCard,
  Tile: renderTile,
  CardGroup: renderColumns,
  Cards: renderColumns,
  CardGrid: renderColumns,
  Tiles: renderColumns,
  Columns: renderColumns,
  Column: (component) => h("div", component.content()),
  IndexCards: renderCardList,
  ExampleLinks: renderCardList,
};
