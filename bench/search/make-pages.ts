/** Pages as an index takes them, from a seed, with as many different words as real sites of their size have. */
import type { IndexedSection } from "../../src/server/site/client/index-format.ts";
import { stopWords } from "../../src/server/site/client/words.ts";
import { createRandom, type Random } from "../platform/make-docs.ts";

export interface MadePage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly sections: readonly IndexedSection[];
}

const consonants = "b c d f g h k l m n p r s t v w br cl cr dr fl gr pl pr sp st str th tr".split(" ");
const vowels = "a e i o u ai ea io ou".split(" ");
const ends = ["", "n", "r", "s", "t", "l", "m", "nd", "st", "ck"];
const vocabularySize = 60_000;

/** The words, the most frequent first: a word's share of a text is one by its rank (Zipf). */
export const vocabulary: readonly string[] = makeVocabulary();

function makeVocabulary(): string[] {
  const random = createRandom(1);
  const words = new Set<string>();
  while (words.size < vocabularySize) {
    const syllables = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      return pick(consonants, random) + pick(vowels, random);
    });
    const word = syllables.join("") + pick(ends, random);
    if (word.length > 2 && !stopWords.has(word)) words.add(word);
  }
  return [...words];
}

function pick(items: readonly string[], random: Random): string {
  return items[Math.floor(random() * items.length)] ?? "";
}

const fillers = [...stopWords].filter((word) => word.length > 1);

function wordOf(random: Random): string {
  const zipf = () => vocabulary[Math.floor(vocabularySize ** random()) - 1] ?? "";
  const kind = random();
  if (kind < 0.45) return pick(fillers, random);
  return kind < 0.97 ? zipf() : `${zipf()}${zipf().replace(/^./, (letter) => letter.toUpperCase())}`;
}

const textOf = (count: number, random: Random) =>
  Array.from({ length: count }, () => wordOf(random)).join(" ");

export function makePage(number: number): MadePage {
  const random = createRandom(number + 2);
  const sections = Array.from({ length: 3 + Math.floor(random() * 5) }, (_, at): IndexedSection => {
    return [`section-${at}`, textOf(3, random), `${textOf(60 + Math.floor(random() * 120), random)}.`];
  });
  return {
    path: `pages/${number}.html`,
    title: textOf(4, random),
    description: textOf(14, random),
    sections,
  };
}
