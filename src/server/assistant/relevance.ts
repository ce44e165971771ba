/** How likely the documents answer a question at all. */

/** What speaks for or against an answer. */
export interface Evidence {
  /** Score of the best section, for each unit of what the question's terms are worth. */
  readonly score: number;
  /** The share of the question's pairs of neighbouring words, 0 to 1, that one page holds as such. */
  readonly phrases: number;
  /** Number of the question's terms. */
  readonly terms: number;
}

/**
 * The log-odds that a question is answered: a logistic regression that tells descriptions of a site's own pages from
 * those of other sites; docs/assistant.md says what it achieves.
 */
export function estimateRelevance({ score, phrases, terms }: Evidence): number {
  return 4.03 * Math.log(1 + score) + 3.13 * phrases - 2.11 * Math.log(1 + terms) - 5.4;
}

const calibration = { fewest: 20, most: 150, refusedShare: 0.045, lowest: -3, highest: 1.5 };

/** Without enough to calibrate on: on a small site even a good match says little, and a chance one is rare. */
const usual = { small: { pages: 15, threshold: -2 }, large: { pages: 250, threshold: -0.4 } };

/**
 * The threshold below which the documents do not answer. Authors' descriptions of their own pages are questions that
 * are known to be answered: almost all of them must pass.
 */
export function calibrateThreshold(
  descriptions: readonly string[],
  pages: number,
  relevanceOf: (question: string) => number,
): number {
  if (descriptions.length < calibration.fewest) return usualThreshold(pages);
  const step = Math.max(1, descriptions.length / calibration.most);
  const sample = descriptions.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
  const relevances = sample.map(relevanceOf).sort((left, right) => left - right);
  const threshold = relevances[Math.floor(relevances.length * calibration.refusedShare)] ?? 0;
  return Math.min(calibration.highest, Math.max(calibration.lowest, threshold));
}

/** Between the small and the large site by the logarithm of the number of pages. */
function usualThreshold(pages: number): number {
  const { small, large } = usual;
  const position = Math.log(pages / small.pages) / Math.log(large.pages / small.pages);
  return small.threshold + Math.min(1, Math.max(0, position)) * (large.threshold - small.threshold);
}
