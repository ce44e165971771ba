/** Okapi BM25 over documents of several weighted fields (BM25F). */

export interface FieldWeight {
  /** How much more a word counts here. */
  readonly weight: number;
  /** How far a field's length is held against it, 0 to 1. */
  readonly lengthNormalization: number;
}

/** Terms of a question, and how much each counts. */
export type WeightedTerms = ReadonlyMap<string, number>;

export interface Bm25Index {
  /** Scores of the documents, by their number, that hold one of the terms; each term counts by its weight. */
  search(terms: WeightedTerms): Map<number, number>;
  /** How much a term tells documents apart; a term that no document holds tells the most. */
  idf(term: string): number;
}

const saturation = 1.2;

/** Indexes documents given as one list of terms for each field. */
export function createBm25Index(
  documents: readonly (readonly (readonly string[])[])[],
  fields: readonly FieldWeight[],
): Bm25Index {
  const averages = fields.map(
    (_, field) =>
      documents.reduce((sum, document) => sum + (document[field]?.length ?? 0), 0) / documents.length || 1,
  );
  const postings = new Map<string, Map<number, number>>();
  for (const [number, document] of documents.entries()) {
    for (const [field, { weight, lengthNormalization: b }] of fields.entries()) {
      const terms = document[field] ?? [];
      const share = weight / (1 - b + (b * terms.length) / (averages[field] ?? 1));
      for (const term of terms) addPosting(postings, { term, number, share });
    }
  }

  function idf(term: string): number {
    const count = postings.get(term)?.size ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  }

  return {
    idf,
    search(terms) {
      const scores = new Map<number, number>();
      for (const [term, share] of terms) {
        const weight = share * idf(term);
        for (const [number, frequency] of postings.get(term) ?? []) {
          const score = (weight * frequency) / (saturation + frequency);
          scores.set(number, (scores.get(number) ?? 0) + score);
        }
      }
      return scores;
    },
  };
}

function addPosting(
  postings: Map<string, Map<number, number>>,
  { term, number, share }: { term: string; number: number; share: number },
): void {
  let documents = postings.get(term);
  if (documents === undefined) {
    documents = new Map();
    postings.set(term, documents);
  }
  documents.set(number, (documents.get(number) ?? 0) + share);
}
