/** Builds the HTML around a page's content: every interpolated value is escaped unless it is `Html` already. */

/** Markup that is safe to print as it is. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }

  toString(): string {
    return this.markup;
  }
}

type Interpolated = Html | string | number | false | undefined | readonly Interpolated[];

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for element content and quoted attribute values. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function toMarkup(value: Interpolated): string {
  if (value instanceof Html) return value.markup;
  if (value === undefined || value === false) return "";
  if (typeof value === "object") return value.map(toMarkup).join("");
  return escapeHtml(String(value));
}

/** Template tag: interpolated strings are escaped, `Html` is kept, `false` and `undefined` print nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Interpolated[]): Html {
  let markup = strings[0] ?? "";
  for (const [index, value] of values.entries()) markup += toMarkup(value) + (strings[index + 1] ?? "");
  return new Html(markup);
}
