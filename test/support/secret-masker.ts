/** Hides secrets as the runner does (actions/runner: `SecretMasker`). */

/** The values that the runner hides in everything it shows, for the whole job. */
export interface SecretMasker {
  readonly values: ReadonlySet<string>;
  add(value: string): void;
  mask(text: string): string;
}

/**
 * Makes a masker with the given secrets. Stricter than the runner's own, which hides encoded forms too (Base64, URI,
 * JSON): what leaks here in an encoded form would depend on the runner's list of encodings.
 */
export function createSecretMasker(initial: Iterable<string> = []): SecretMasker {
  const values = new Set<string>();
  const add = (value: string) => {
    for (const secret of [value, ...value.split(/[\r\n]+/)]) if (secret.trim() !== "") values.add(secret);
  };
  for (const value of initial) add(value);
  return { values, add, mask: (text) => replaceMarked(text, markOccurrences(text, values)) };
}

/** Marks every character that belongs to a secret, overlapping ones included. */
function markOccurrences(text: string, secrets: Iterable<string>): Uint8Array {
  const marks = new Uint8Array(text.length);
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
      marks.fill(1, at, at + secret.length);
    }
  }
  return marks;
}

/** Puts three asterisks in the place of every marked stretch. */
function replaceMarked(text: string, marks: Uint8Array): string {
  let masked = "";
  for (let at = 0; at < text.length; at += 1) {
    if (marks[at] !== 1) masked += text[at];
    else if (marks[at - 1] !== 1) masked += "***";
  }
  return masked;
}
