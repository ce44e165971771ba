/** Icons by the names that documents write: those of Lucide as they are, any other by its meaning. */
import type { Element } from "hast";
import { h } from "hastscript";
import { readPacked } from "./packed-data.ts";

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

/** Lucide's drawings, and what its icons were called before. */
type Lucide = Readonly<Record<"drawings" | "aliases", Readonly<Record<string, string>>>>;
let lucide: Lucide | undefined;

/** An icon's drawing, by its name in Lucide. */
function drawingOf(name: string): string | undefined {
  lucide ??= JSON.parse(readPacked("icons").toString()) as Lucide;
  const { drawings, aliases } = lucide;
  const current = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  return Object.hasOwn(drawings, current) ? drawings[current] : undefined;
}

/**
 * An icon, hidden from assistive technology: the text beside it carries the meaning. The style sheet strokes its shapes.
 * None for a name without meaning.
 */
export function iconElement(name: string): Element | undefined {
  const lowerCase = name.replace(/([a-z\d])([A-Z])/g, "$1-$2").toLowerCase();
  // Lucide's `bolt` is a screw, and not Font Awesome's.
  const exact = lowerCase === "bolt" ? undefined : drawingOf(lowerCase);
  const drawing = exact ?? drawingOf(meanings.find(([pattern]) => pattern.test(lowerCase))?.[1] ?? "");
  if (drawing === undefined) return undefined;
  const shapes = [...drawing.matchAll(/<(\w+)([^>]*)\/>/g)].map(([, tagName = "", attributes = ""]) => {
    const own = [...attributes.matchAll(/ (?!fill="none"|stroke=)(\w+)="([^"]*)"/g)];
    return h(tagName, Object.fromEntries(own.map(([, key, value]) => [key, value])));
  });
  return h("svg.icon", { viewBox: "0 0 24 24", ariaHidden: "true", focusable: "false" }, shapes);
}
