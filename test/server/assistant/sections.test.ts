import { describe, expect, test } from "vitest";
import { readSections } from "../../../src/server/assistant/sections.ts";

const page = `# Keys

Intro with a [link](/other) and ![picture](p.png).

import { Secret } from "./secret"

<Card title="Rotate often">Every **90 days**.</Card>

<PropertiesTable content={[{ name: "ttl", description: "Seconds until a key expires" }]} />

## Rotate

Text {"literal"} {process.env.SECRET}

\`\`\`sh
keys rotate
\`\`\`

### Twice

More.

## Rotate

Again.
`;

describe("the sections of a page", () => {
  const sections = readSections("keys.mdx", page);

  test("begin at its headings, with the anchors that GitHub gives them", () => {
    expect(sections.map(({ anchor, headings }) => [anchor, headings])).toEqual([
      ["", []],
      ["rotate", ["Rotate"]],
      ["twice", ["Rotate", "Twice"]],
      ["rotate-1", ["Rotate"]],
    ]);
  });

  test("hold what components say in their content and attributes, and run nothing", () => {
    const [intro, rotate] = sections;
    for (const words of ["Intro with a link", "Rotate often", "90 days", "Seconds until a key expires"]) {
      expect(intro?.text.replace(/\s+/g, " ")).toContain(words);
    }
    expect(rotate?.text).toContain("literal");
    expect(rotate?.code).toBe("keys rotate");
    expect(JSON.stringify(sections)).not.toMatch(/SECRET|picture|import/);
  });
});
