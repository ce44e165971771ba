/** The site's icons: strokes on a 24 by 24 grid, drawn for this project. */
import type { Element } from "hast";
import { element } from "./hast.ts";
import { Html } from "./html.ts";

/** Path data by name; one icon is one path. */
const paths = {
  alert: "M12 4 2.8 19.5h18.4L12 4zM12 10v4.5M12 17v.2",
  arrow: "M5 12h14M13 6l6 6-6 6",
  book: "M12 6.5C10 5 7 4.5 3.5 4.5v13c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2v-13C17 4.5 14 5 12 6.5zM12 6.5v13",
  check: "M4.5 12.5l5 5L19.5 7",
  chevron: "M9 5.5l6.5 6.5L9 18.5",
  close: "M6 6l12 12M18 6 6 18",
  code: "M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5",
  copy: "M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1",
  database: "M4.5 6.5C4.5 3.5 19.5 3.5 19.5 6.5S4.5 9.5 4.5 6.5v11c0 3 15 3 15 0v-11M4.5 12c0 3 15 3 15 0",
  external: "M9 5.5H5.5v13h13V15M13.5 4.5h6v6M19.5 4.5 11 13",
  file: "M6 3.5h8l4.5 4.5v12.5H6zM14 3.5V8h4.5",
  flag: "M5.5 21V4M5.5 4.5h12l-2.5 4 2.5 4h-12",
  folder: "M3.5 6h6l2 2.5h9V19h-17z",
  gear: "M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12 3v2.5M12 18.5V21M3 12h2.5M18.5 12H21M5.6 5.6l1.8 1.8M16.6 16.6l1.8 1.8M5.6 18.4l1.8-1.8M16.6 7.4l1.8-1.8",
  globe: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c-5 5-5 12 0 17 5-5 5-12 0-17z",
  heart: "M12 20C5 15.5 3 12 3 9c0-5 6.5-6.5 9-2 2.5-4.5 9-3 9 2 0 3-2 6.5-9 11z",
  image: "M3.5 5h17v14h-17zM3.5 16l5-5 4.5 4.5 2.5-2.5 5 5M15.5 8.5v.2",
  info: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.6v.2",
  key: "M8 10.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM11.3 12 20 3.5M16 7.5l3 3",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5",
  list: "M9 6.5h11.5M9 12h11.5M9 17.5h11.5M4.5 6.5v.1M4.5 12v.1M4.5 17.5v.1",
  lock: "M5.5 10.5h13v10h-13zM8.5 10.5V7.5c0-5 7-5 7 0v3",
  mail: "M3.5 5.5h17v13h-17zM3.5 6.5 12 13l8.5-6.5",
  menu: "M4 7h16M4 12h16M4 17h16",
  message: "M4 5h16v11h-9l-4.5 4v-4H4z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  package: "M12 3 4 7v10l8 4 8-4V7zM4 7l8 4 8-4M12 11v10",
  play: "M7 4.5v15l12-7.5z",
  question:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9.5 10c0-3.5 5-3.5 5-.5 0 2-2.5 2-2.5 4.2M12 16.5v.2",
  rocket: "M9 15c0-5 2.5-10 10.5-10.5C19 12.5 14 15 9 15zM9 15l-3.5-1 3-4M9 15l1 3.5 4-3M5 19l2.5-2.5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20.5 20.5",
  server: "M4 4.5h16v6.5H4zM4 13h16v6.5H4zM7.5 7.7v.1M7.5 16.2v.1",
  shield: "M12 3.5 5 6v5.5c0 4 2.5 7 7 9 4.5-2 7-5 7-9V6z",
  spark: "M12 3.5l2 6.5 6.5 2-6.5 2-2 6.5-2-6.5-6.5-2 6.5-2z",
  star: "M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17.1 6.7 20l1.1-6L3.4 9.8l6-.8z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  terminal: "M4 6.5l5.5 5.5L4 17.5M12 18h8.5",
  bulb: "M9 18h6M10 21h4M9 15c-5-3.5-3-11.5 3-11.5S20 11.5 15 15z",
  tool: "M20 6.5a5 5 0 0 1-6.5 6L7 19a2.1 2.1 0 0 1-3-3l6.5-6.5a5 5 0 0 1 6-6.5L13.5 6l.5 3.5 3.5.5z",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.5-7.5 14.5-7.5 15 0",
  zap: "M13 3 5 13.5h6L10.5 21 19 10h-6.5z",
} as const;

/** Name of an icon of this site. */
export type IconName = keyof typeof paths;

/** Words in the names that documents use (Lucide's and Font Awesome's), with the icon of that meaning. */
const meanings: readonly (readonly [RegExp, IconName])[] = [
  [/triangle|exclamation|alert|warn|caution|bug/, "alert"],
  [/info/, "info"],
  [/question|help|life-?ring/, "question"],
  [/rocket|launch|paper-plane|send/, "rocket"],
  [/book|graduation|school|lesson/, "book"],
  [/terminal|console|prompt|keyboard/, "terminal"],
  [/code|brackets|curly|git|branch|js|python/, "code"],
  [/database|sql|table/, "database"],
  [/server|cloud|host|cpu|chip/, "server"],
  [/key|password/, "key"],
  [/lock/, "lock"],
  [/shield|secur/, "shield"],
  [/gear|cog|setting|slider/, "gear"],
  [/wrench|tool|hammer|screw/, "tool"],
  [/bolt|zap|lightning|flash/, "zap"],
  [/bulb|idea/, "bulb"],
  [/wand|magic|spark|robot|brain|\bai\b/, "spark"],
  [/star/, "star"],
  [/heart/, "heart"],
  [/user|people|person|team/, "user"],
  [/message|comment|chat|discord|slack/, "message"],
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
  [/arrow/, "arrow"],
  [/external|share/, "external"],
];

/** The icon for a name that a document wrote; `undefined` where none comes near its meaning. */
export function findIcon(name: string): IconName | undefined {
  const wanted = name.toLowerCase();
  return meanings.find(([pattern]) => pattern.test(wanted))?.[1];
}

/** An icon as a tree, hidden from assistive technology: the text beside it carries the meaning. */
export function iconElement(name: IconName): Element {
  return element(
    "svg",
    { className: ["icon"], viewBox: "0 0 24 24", ariaHidden: "true", focusable: "false" },
    element("path", { d: paths[name] }),
  );
}

/** An icon as markup, hidden from assistive technology. */
export function iconHtml(name: IconName): Html {
  return new Html(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${paths[name]}"/></svg>`,
  );
}
