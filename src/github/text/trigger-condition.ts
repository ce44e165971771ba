/** The workflow's `if:` for a trigger phrase: cheap, and true for everything that `findTrigger` accepts. */

/** What may stand directly before the phrase: the same characters that `findTrigger` allows there, and a carriage return. */
const precedingCharacters = [" ", "\t", "\n", "\r", "*", "_"];

/**
 * The GitHub expression that is true where the text at `path` (such as `github.event.comment.body`) may call the action.
 *
 * It saves runners, it decides nothing: the action parses the text and checks the person.
 */
export function triggerCondition(path: string, phrase: string): string {
  const terms = precedingCharacters.map(
    (character) => `contains(${path}, ${expressionString(character + phrase)})`,
  );
  return [`startsWith(${path}, ${expressionString(phrase)})`, ...terms].join(" || ");
}

/** A string as a literal of GitHub's expression language, which knows no escapes but the doubled quote. */
function expressionString(text: string): string {
  const quoted = (literal: string) => `'${literal.replaceAll("'", "''")}'`;
  return /[\t\n\r]/.test(text) ? `fromJSON(${quoted(JSON.stringify(text))})` : quoted(text);
}
