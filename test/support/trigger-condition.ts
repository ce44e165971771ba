/** The `if:` of a workflow that calls the action, which `examples/` and the tests of the trigger share. */

/** What may stand directly before the phrase: the same characters that `findTrigger` allows there, and a carriage return. */
const precedingCharacters = [" ", "\t", "\n", "\r", "*", "_"];

/**
 * The GitHub expression that is true where the text at `path` (such as `github.event.comment.body`) may call the action by
 * one of the phrases. Of a phrase with a slash, its first letter is enough at the beginning of the text, so that most
 * misspelt ones are answered; mentions are completed by GitHub.
 *
 * It saves runners, it decides nothing: the action parses the text and checks the person.
 */
export function triggerCondition(path: string, phrases: readonly string[]): string {
  const contains = (text: string) => `contains(${path}, ${expressionString(text)})`;
  return phrases
    .flatMap((phrase) => [
      `startsWith(${path}, ${expressionString(phrase.startsWith("/") ? phrase.slice(0, 2) : phrase)})`,
      ...precedingCharacters.map((mark) => contains(mark + phrase)),
    ])
    .join(" || ");
}

/** A string as a literal of GitHub's expression language, which knows no escapes but the doubled quote. */
function expressionString(text: string): string {
  const quoted = (literal: string) => `'${literal.replaceAll("'", "''")}'`;
  return /[\t\n\r]/.test(text) ? `fromJSON(${quoted(JSON.stringify(text))})` : quoted(text);
}
