import { describe, expect, test } from "vitest";
import { calibrateThreshold, estimateRelevance } from "../../../src/server/assistant/docs-index.ts";

describe("relevance", () => {
  test("rises with the best section's score and the share of phrases, and falls with the question's length", () => {
    const usual = estimateRelevance(2, 0.4, 6);
    expect(estimateRelevance(3, 0.4, 6)).toBeGreaterThan(usual);
    expect(estimateRelevance(2, 0.5, 6)).toBeGreaterThan(usual);
    expect(estimateRelevance(2, 0.4, 7)).toBeLessThan(usual);
  });

  test("of a question that nothing matches is far below every threshold", () => {
    expect(estimateRelevance(0, 0, 3)).toBeLessThan(-3);
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
