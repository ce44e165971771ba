import { describe, expect, test } from "vitest";
import { calibrateThreshold, estimateRelevance } from "../../../src/server/assistant/relevance.ts";

describe("relevance", () => {
  const evidence = { score: 2, phrases: 0.4, terms: 6 };

  test("rises with the best section's score and the share of phrases, and falls with the question's length", () => {
    const usual = estimateRelevance(evidence);
    expect(estimateRelevance({ ...evidence, score: 3 })).toBeGreaterThan(usual);
    expect(estimateRelevance({ ...evidence, phrases: 0.5 })).toBeGreaterThan(usual);
    expect(estimateRelevance({ ...evidence, terms: 7 })).toBeLessThan(usual);
  });

  test("of a question that nothing matches is far below every threshold", () => {
    expect(estimateRelevance({ score: 0, phrases: 0, terms: 3 })).toBeLessThan(-3);
  });
});

describe("the threshold", () => {
  const descriptions = (count: number) => Array.from({ length: count }, (_, index) => String(index));

  test("refuses about one in twenty of a site's own descriptions", () => {
    const threshold = calibrateThreshold(descriptions(100), 100, (question) => Number(question) / 100);
    expect(threshold).toBe(0.04);
  });

  test("asks no more than 150 descriptions, from the whole site", () => {
    const asked: number[] = [];
    calibrateThreshold(descriptions(3000), 3000, (question) => asked.push(Number(question)));
    expect(asked).toHaveLength(150);
    expect(asked[0]).toBe(0);
    expect(asked.at(-1)).toBeGreaterThan(2900);
  });

  test("stays within bounds where descriptions say little of their pages, or all of them", () => {
    expect(calibrateThreshold(descriptions(50), 50, () => -20)).toBe(-3);
    expect(calibrateThreshold(descriptions(50), 50, () => 20)).toBe(1.5);
  });

  test("follows the size of a site without enough descriptions", () => {
    const thresholds = [1, 15, 60, 250, 5000].map((pages) => calibrateThreshold([], pages, () => 0));
    expect(thresholds.map((value) => value.toFixed(2))).toEqual([
      "-2.00",
      "-2.00",
      "-1.21",
      "-0.40",
      "-0.40",
    ]);
  });
});
