/** Icons by the names that documents write: those of Lucide as they are, any other by its meaning. */
import { icons as lucide } from "@iconify-json/lucide";
import type { Element } from "hast";
import { h } from "hastscript";
import { Html } from "./html.ts";

/** Font Awesome's names that mean something else in Lucide. */
const fontAwesome: Readonly<Record<string, string>> = { bolt: "zap" };

/** Words in names that Lucide does not have, with the icon of that meaning. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/chevron/, "chevron-right"],
  [/triangle|exclamation|alert|warn|caution|bug/, "triangle-alert"],
  [/info/, "info"],
  [/question|help|life-?ring/, "circle-question-mark"],
  [/rocket|launch|paper-plane|send/, "rocket"],
  [/book|graduation|school|lesson/, "book-open"],
  [/terminal|console|prompt|keyboard/, "terminal"],
  [/code|brackets|curly|git|branch|js|python/, "code"],
  [/database|sql|table/, "database"],
  [/server|cloud|host|cpu|chip/, "server"],
  [/key|password/, "key"],
  [/lock/, "lock"],
  [/shield|secur/, "shield"],
  [/gear|cog|setting|slider/, "settings"],
  [/wrench|tool|hammer|screw/, "wrench"],
  [/bolt|zap|lightning|flash/, "zap"],
  [/bulb|idea/, "lightbulb"],
  [/wand|magic|spark|robot|brain|\bai\b/, "sparkles"],
  [/star/, "star"],
  [/heart/, "heart"],
  [/user|people|person|team/, "user"],
  [/message|comment|chat|discord|slack/, "message-square"],
  [/mail|envelope|inbox/, "mail"],
  [/globe|world|language|earth|browser|compass/, "globe"],
  [/image|photo|picture|palette|brush|paint/, "image"],
  [/link|chain|plug|webhook/, "link"],
  [/folder|directory/, "folder"],
  [/box|package|cube|puzzle|layer|component/, "package"],
  [/play|video|film|start/, "play"],
  [/flag|map|route/, "flag"],
  [/list|check-?square|clipboard|tasks/, "list"],
  [/check|done|circle-tick/, "check"],
  [/file|page|document|pen|pencil|edit/, "file"],
  [/search|magnif/, "search"],
  [/arrow/, "arrow-right"],
  [/external|share/, "external-link"],
];

const svgAttributes = { viewBox: "0 0 24 24", ariaHidden: "true", focusable: "false" };

/** An icon's shapes; the style sheet strokes them. */
function shapesOf(lucideName: string): string | undefined {
  const name = lucide.aliases?.[lucideName]?.parent ?? lucideName;
  const body = lucide.icons[name]?.body;
  return body?.replace(/<\/?g\b[^>]*>| fill="none"| stroke(?:-\w+)?="[^"]*"/g, "");
}

function findShapes(name: string): string | undefined {
  const lowerCase = name.replace(/([a-z\d])([A-Z])/g, "$1-$2").toLowerCase();
  const exact = shapesOf(fontAwesome[lowerCase] ?? lowerCase);
  return exact ?? shapesOf(meanings.find(([pattern]) => pattern.test(lowerCase))?.[1] ?? "");
}

/** An icon as a tree, hidden from assistive technology: the text beside it carries the meaning. None for a name without meaning. */
export function iconElement(name: string): Element | undefined {
  const shapes = findShapes(name)?.matchAll(/<(\w+)([^>]*)\/>/g);
  if (shapes === undefined) return undefined;
  const children = [...shapes].map(([, tagName = "", attributes = ""]) =>
    h(
      tagName,
      Object.fromEntries([...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
    ),
  );
  return h("svg.icon", svgAttributes, children);
}

/** An icon as markup, hidden from assistive technology. */
export function iconHtml(name: string): Html {
  return new Html(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${findShapes(name) ?? ""}</svg>`,
  );
}
