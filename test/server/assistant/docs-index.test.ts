import { describe, expect, test } from "vitest";
import type { RetrievalQuery } from "../../../src/server/assistant/docs-index.ts";
import { createDocsIndex } from "../../../src/server/assistant/docs-index.ts";
import type { DocsPage } from "../../../src/server/assistant/sections.ts";
import { readSections } from "../../../src/server/assistant/sections.ts";
import { parseMarkdown } from "../../../src/server/site/content/parse-page.ts";

function page(slug: string, body: string, facts: Partial<DocsPage> = {}): DocsPage {
  const title = /^# (.+)/.exec(body)?.[1] ?? slug;
  const source = `${slug}.md`;
  return {
    slug,
    source,
    title,
    description: undefined,
    version: undefined,
    isDefaultVersion: true,
    language: undefined,
    sections: readSections(parseMarkdown(body)),
    ...facts,
  };
}

const pages = [
  page("en/limits", "# Limits\n\nEach key may send 100 requests a minute.", { language: "en" }),
  page("de/limits", "# Limits\n\nJeder Schlüssel darf 100 requests pro Minute senden.", { language: "de" }),
  page("webhooks", "# Webhooks\n\n## Verify a signature\n\nCompare the digest.\n\n## Retry\n\nFive times."),
  page("v2/install", "# Install\n\nRun the installer of version two.", { version: "v2" }),
];

/** Indexes pages to ask about them. */
async function openIndex(found: readonly DocsPage[]) {
  const index = await createDocsIndex(found);
  const nowhere = { currentPath: undefined, version: undefined, language: undefined };
  const ask = (question: string, more: Partial<RetrievalQuery> = {}, size = 5) =>
    index.search({ question, earlier: [], context: [], ...nowhere, ...more }, size);
  return {
    ask,
    best: (question: string, more?: Partial<RetrievalQuery>) => ask(question, more).passages[0],
    /** Slugs of the retrieved pages, best first. */
    rank: (question: string, more?: Partial<RetrievalQuery>) =>
      ask(question, more).passages.map(({ page }) => page.slug),
  };
}

describe("the index of the documentation", async () => {
  const { ask: find, rank } = await openIndex(pages);

  test("finds the section that answers, at most one per page", () => {
    const { passages } = find("How do I verify the signature of a webhook?");
    expect(passages[0]).toMatchObject({
      page: { slug: "webhooks" },
      section: { anchor: "verify-a-signature" },
    });
    expect(passages.filter(({ page }) => page.slug === "webhooks")).toHaveLength(1);
  });

  test("treats short forms like the full words", async () => {
    const limits = await openIndex([
      page("limits", "# Limits\n\n## Maximum size of a field\n\nOne megabyte."),
      page(
        "functions",
        "# Functions\n\nThe size of a field, and a field of any size, is what this page is about.",
      ),
    ]);
    expect(limits.best("max size of a field")?.section.anchor).toBe("maximum-size-of-a-field");
  });

  test("tolerates typing errors and finds synonyms", async () => {
    expect(find("how to verfy signatrues of webhoooks").passages[0]?.page.slug).toBe("webhooks");
    const said = await openIndex([
      page("billing", "# Billing\n\nThe charge is per second.", {}),
      ...["a", "b", "c"].map((slug) => page(slug, `# Page ${slug}\n\nSomething of ${slug} per second.`)),
    ]);
    expect(said.best("price per second")?.page.slug).toBe("billing");
  });

  test("recognizes the question's language, or takes that of the first page without its region", async () => {
    const cache = await openIndex([
      page("cache", "# Cache\n\nO cache fica no disco.", { language: "pt-BR" }),
    ]);
    expect(cache.ask("Where is the cache?").language).toBe("en");
    expect(cache.ask("cache disco").language).toBe("pt");
    expect(find("webhooks signature").language).toBe("");
  });

  test("prefers a guide to an API reference page with the same content", async () => {
    const text = "The quota of a token is 100 a day.";
    const both = await openIndex([
      page("api/a", `# Alpha\n\n${text}`, { isReference: true }),
      page("guides/b", `# Beta\n\n${text}`),
    ]);
    expect(both.best("quota of a token")?.page.slug).toBe("guides/b");
  });

  test("answers a question about the open page from that page, and other questions from the best page", async () => {
    const pointed = await openIndex([
      page("members", "# Members\n\n## Roles\n\nOwner and viewer are the roles."),
      page("groups", "# Groups\n\n## Rights\n\nAdmin and guest are the roles of a group."),
      page("cookies", "# Cookies\n\nThey are small.\n\n## Remove\n\nPress the bin to delete a cookie."),
      page("history", "# History\n\n## Delete\n\nDelete all entries."),
      page("expire", "# EXPIRE\n\nSets a time.\n\n## Response\n\nIt returns 1."),
      page("command", "# COMMAND\n\nLists them.\n\n## Response\n\nThe command returns a list."),
    ]);
    const best = (question: string, currentPath: string) => pointed.best(question, { currentPath });
    expect(best("What roles are there?", "/members")?.page.slug).toBe("members");
    expect(best("What roles are there?", "/groups")?.page.slug).toBe("groups");
    expect(best("How do I delete one?", "/cookies")?.page.slug).toBe("cookies");
    expect(best("What is this page about?", "/cookies")).toMatchObject({
      page: { slug: "cookies" },
      section: { anchor: "" },
    });
    expect(best("How often?", "/cookies")?.page.slug).toBe("cookies");
    expect(best("Give me an example", "/cookies")?.page.slug).toBe("cookies");
    expect(best("What does this command return?", "/expire")?.page.slug).toBe("expire");
    expect(best("groups", "/cookies")?.page.slug).toBe("groups");
    expect(best("delete history", "/cookies")?.page.slug).toBe("history");
  });

  test("prefers a page with all terms in one statement to one where they are scattered", async () => {
    const words = ["Documents", "An index", "A number", "A batch"].map(
      (name) => `${name} of the task, as it was sent.`,
    );
    const scattered = await openIndex([
      page("response", `# Get statistics\n\n## Response\n\n${words.join("\n\n")}`),
      page(
        "limits",
        "# Limits\n\n## Sizes\n\n- An index has a number of documents below four billion.\n- Keys are short.",
      ),
    ]);
    expect(scattered.best("number of documents of an index")?.page.slug).toBe("limits");
  });

  test("answers a question for a definition from the introduction of the page named X", async () => {
    const { best } = await openIndex([
      page(
        "events",
        "# Work pool events\n\n## Status\n\nA work pool was paused: the work pool event of a work pool.",
      ),
      page(
        "pools",
        "# Work pools\n\nThey bridge two layers.\n\n## Work pool types\n\nEach work pool has a type.",
      ),
      page("queues", "# Work queues\n\nRuns wait there.\n\n## Pause a work queue\n\nA work queue pauses."),
    ]);
    expect(best("What is a work pool?")).toMatchObject({ page: { slug: "pools" }, section: { anchor: "" } });
    expect(best("What is a work queue?")?.section).toMatchObject({ anchor: "", text: "Runs wait there." });
    expect(best("How do I pause a work queue?")?.section.anchor).toBe("pause-a-work-queue");
    expect(best("Where do I find a work queue?")?.section.anchor).toBe("");
  });

  test("takes an overview as the page of its folder", async () => {
    const cli = "# Command line\n\nFor apps.\n\n## Commands\n\n`flash init` creates a Flash project.";
    const { ask, best, rank } = await openIndex([
      page("flash/cli", cli),
      page(
        "flash/overview",
        "# Overview\n\nFlash is a library for apps.\n\n## Settings\n\nFlash has some settings.",
      ),
      page("cloud_pods/index", "# Introduction\n\nThey run containers.\n\n## Limits\n\nTen cloud pods."),
      page("index", "# Overview\n\nEverything."),
    ]);
    expect(best("What is Flash?")).toMatchObject({
      page: { slug: "flash/overview" },
      section: { anchor: "" },
    });
    expect(ask("What is Flash?").certainty).toBe("clear");
    expect(best("what are cloud pods")?.section.text).toBe("They run containers.");
    expect(rank("overview")).toContain("index");
  });

  test("quotes the statement that explains a common word of a page", async () => {
    const { best } = await openIndex([
      page("reply", "# Reply\n\nIt is sent.\n\n## Fields\n\n- `help`: a link.\n- `code`: a number."),
    ]);
    expect(best("What does help mean in Reply?")?.section.anchor).toBe("fields");
  });

  test("answers a question about the product from the site's first page", async () => {
    const { best } = await openIndex([
      page("keys", "# Acme keys\n\nAcme is reached with a key of Acme.\n\n## Rotate\n\nAcme rotates keys."),
      page("quickstart", "# Quick start\n\nRun the installer of Acme."),
      page("welcome", "# Welcome\n\n## Overview\n\nThe billing of teams, with Acme.", {
        siteName: "Acme Docs",
      }),
    ]);
    for (const question of ["What is Acme?", "What does Acme do?", "Why should I use Acme?"])
      expect(best(question)).toMatchObject({ page: { slug: "welcome" }, section: { anchor: "overview" } });
    expect(best("How do I rotate keys of Acme?")?.page.slug).toBe("keys");
    expect(best("How do I get started with Acme?")?.page.slug).toBe("quickstart");
  });

  test("prefers the default version and the question's language, and then those of the open page", async () => {
    const limits = (version: string, lang: string, text: string) =>
      page(`${version}/${lang}/limits`, `# Limits\n\n${text}`, {
        version,
        isDefaultVersion: version === "v2",
        language: lang,
      });
    const versions = await openIndex([
      ...["v1", "v2", "draft"].map((version) => limits(version, "en", "Each key may send 100 requests.")),
      ...["v1", "v2"].map((version) => limits(version, "es", "Cada key puede enviar 100 requests.")),
    ]);
    const best = (question: string, more?: Partial<RetrievalQuery>) =>
      versions.best(question, more)?.page.slug;
    expect(best("How many requests may a key send?")).toBe("v2/en/limits");
    expect(best("requests of a key")).toBe("v2/en/limits");
    expect(best("¿Cuál es el límite de requests que puede enviar una key?")).toBe("v2/es/limits");
    expect(best("100 requests key", { currentPath: "/v1/es/limits" })).toBe("v1/es/limits");
    expect(best("How many requests may a key send?", { currentPath: "/v1/en/limits" })).toBe("v1/en/limits");
    expect(best("requests of a key", { version: "draft" })).toBe("draft/en/limits");
  });

  test("prefers the first language of a site without English if the question's is not known", async () => {
    const site = await openIndex([
      page("de/limits", "# Limits\n\n100 requests.", { language: "de" }),
      page("fr/limits", "# Limits\n\n100 requests, requests.", { language: "fr" }),
    ]);
    expect(site.best("100 requests")?.page.slug).toBe("de/limits");
  });

  test("recognizes the open page by its whole path, not by its end", async () => {
    const about = (slug: string) => page(slug, "# Start\n\nInstall the tool and start the server.");
    const alike = await openIndex([about("start"), about("guides/start"), about("guides/cloud/index")]);
    const best = (currentPath: string) => alike.best("install the tool", { currentPath })?.page.slug;
    expect(best("/guides/start")).toBe("guides/start");
    expect(best("/start?x=1")).toBe("start");
    expect(best("https://docs.example.com/docs/start")).toBe("start");
    expect(best("/guides/cloud/")).toBe("guides/cloud/index");
  });

  test("finds pages by a word that thousands of pages in another language contain", async () => {
    const german = page("de/a", "# A\n\nZorgle widget.", { language: "de" });
    const pages = Array.from({ length: 2_100 }, (_, number) => ({ ...german, slug: `de/${number}` }));
    const own = ["One widget.", "Two widgets."].map((text, number) =>
      page(`en/${number}`, `# B\n\n${text}`, { language: "en" }),
    );
    const many = await openIndex([...pages, ...own]);
    expect(many.rank("zorgle widget", { language: "en" }).sort()).toEqual(["en/0", "en/1"]);
  });

  test("filters by language and version, and includes pages without them", () => {
    expect(rank("limits requests", { language: "de" })).toEqual(["de/limits"]);
    expect(rank("limits requests", { language: "en-GB" })).toEqual(["en/limits"]);
    expect(rank("installer version", { version: "v1" })).not.toContain("v2/install");
    expect(find("verify signature", { version: "v1" }).passages[0]?.page.slug).toBe("webhooks");
  });

  test.each(["verfy webhoks", "webhoooks"])("corrects the typing errors of %j", (question) => {
    expect(find(question).passages[0]?.page.slug).toBe("webhooks");
  });

  test("corrects swapped letters, also of function words", () => {
    const right = find("How do I verify the signature of a webhook?");
    expect(right.certainty).toBe("clear");
    expect(find("hwo do I verify teh signautre of a webohok")).toMatchObject({ ...right, language: "en" });
  });

  test("corrects neither a short word with another letter nor a name", async () => {
    const others = await openIndex([page("tips", "# Tips\n\nA wise brain knows them.")]);

    expect(others.rank("braain")).toEqual(["tips"]);
    expect(["the wife", "a Braain"].flatMap((question) => others.rank(question))).toEqual([]);
  });

  test("returns no more pages than the page size", () => {
    expect(find("limits requests", {}, 1).passages).toHaveLength(1);
  });

  test("does not consider a question answered whose words occur nowhere", async () => {
    expect(find("How hot must a printing bed be?")).toMatchObject({ certainty: "none" });
    expect((await openIndex([])).ask("x")).toMatchObject({ passages: [], certainty: "none" });
  });
});

describe("a word that no page contains", async () => {
  const others = Array.from({ length: 30 }, (_, at) =>
    page(`part-${at}`, `# Part ${at}\n\nSubject ${at}, its settings and its members.`),
  );
  const deploy = page("deploy", "# Deploy\n\nDeploy an app to a cluster with one command.");
  const { ask } = await openIndex([...others, deploy]);

  test.each([
    ["How do I deploy an app to a cluster?", "clear"],
    ["How do I deploy an app to a Solana cluster?", "possible"],
    ["Which command deploys an app to a cluster over ssh from my laptop?", "none"],
  ])("makes an answer less certain: %s", (question, certainty) => {
    expect(ask(question).certainty).toBe(certainty);
  });
});

test("a question with an endless word takes hardly any memory", async () => {
  const docs = await openIndex([page("start", "# Start\n\nStart the installer.")]);
  const before = process.memoryUsage().arrayBuffers;
  docs.ask(`How do I start ${"installer".repeat(2_000)}?`);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
});

test("indexing many pages does not block other work", async () => {
  const many = Array.from({ length: 200 }, (_, at) => page(`part-${at}`, `# Part ${at}\n\nIts settings.`));
  let turns = 0;
  let isDone = false;
  const otherWork = () => {
    turns += 1;
    if (!isDone) setImmediate(otherWork);
  };
  otherWork();
  await createDocsIndex(many);
  isDone = true;
  // A turn for each ten sections.
  expect(turns).toBeGreaterThanOrEqual(20);
});

test.each([
  [
    "one statement covers most of it",
    "Invoices go to an accountant as a spreadsheet on the first day.",
    "clear",
  ],
  [
    "one section does, but no statement",
    "Invoices come monthly. Ask your accountant.\n\nInvoices are files, such as a spreadsheet.\n\nThe accountant may go.",
    "possible",
  ],
  [
    "its words are scattered",
    "Invoices come monthly.\n\n## Roles\n\nAn owner pays.\n\n## Files\n\nOpen a spreadsheet.",
    "none",
  ],
])("how certain an answer is if %s", async (_, body, certainty) => {
  const others = Array.from({ length: 30 }, (_, at) =>
    page(`part-${at}`, `# Part ${at}\n\nSubject ${at}, its settings and its members.`),
  );
  const docs = await openIndex([...others, page("money", `# Money\n\n${body}`)]);
  expect(docs.ask("Which invoices go to an accountant as a spreadsheet?").certainty).toBe(certainty);
});

test.each([
  ["What does it cost?", "possible"],
  ["How much does it cost?", "possible"],
  ["Is it free?", "possible"],
  ["Is it fast?", "clear"],
  ["What about `retry-limit`?", "clear"],
  ["What is the cost in time?", "clear"],
])("a single word answers only where a section is named after it: %s", async (question, certainty) => {
  const speed = "# Benchmarks\n\nWhat a run costs in time.\n\n## How fast it is\n\nA run takes a second.";
  const errors =
    "# Errors\n\nNo space is free on the disk.\n\n| name | value |\n|-|-|\n| `retry-limit` | 3 |";
  const docs = await openIndex([page("speed", speed), page("errors", errors), ...pages]);
  expect(docs.ask(question).certainty).toBe(certainty);
});

test("neither a word of most sections nor a small number makes a page answer", async () => {
  const links = Array.from({ length: 30 }, (_, at) =>
    page(`part-${at}`, `# Part ${at}\n\nAcme has part ${at}.`),
  );
  const roles = page("roles", "# Roles\n\nEmployees of Acme have roles, and an owner.");
  const expiry = page("expiry", "# Expiration\n\nA link may expire after some days.");
  const docs = await openIndex([...links, roles, expiry]);
  expect(docs.ask("How many employees does Acme have?").certainty).toBe("possible");
  expect(docs.ask("Make a link expire after 77 days").certainty).toBe("clear");
});

test("a frequent word finds no sections of its own if rarer words occur often enough", async () => {
  const [subject, other] = ["Webhooks have settings.", "These are settings."].map((body) => {
    return page("a", `# Page\n\n${body}`).sections;
  });
  const pages = Array.from({ length: 2200 }, (_, at) => {
    const sections = (at < 2100 ? subject : other) ?? [];
    return { ...page(`part-${at}`, ""), title: `Page ${at}`, sections };
  });
  const search = async (among: readonly DocsPage[]) =>
    (await openIndex(among)).ask("settings of webhooks", {}, 3000).passages;
  expect(await search(pages.slice(1000))).toHaveLength(1200);
  expect(await search(pages)).toHaveLength(2100);
});

test("a heading that says more than the question counts less", async () => {
  const docs = [
    ...Array.from({ length: 10 }, (_, at) => page(`part-${at}`, `# Part ${at}\n\nThe port of part ${at}.`)),
    page(
      "other",
      "# Files\n\n## Environment variable substitution in all strings\n\nEach variable, each variable.",
    ),
    page("right", "# Options\n\nAn environment variable is read at the start. It is for the port."),
  ];
  expect((await rank(docs, "Which environment variable is for the port?"))[0]).toBe("right");
});

const rank = async (found: readonly DocsPage[], question: string, more?: Partial<RetrievalQuery>) =>
  (await openIndex(found)).rank(question, more);

const filler = "Some words about other things.";

describe("the ranking", () => {
  test.each([
    ["a title", page("b", `# Widgets\n\n${filler}`)],
    ["an address", page("widgets/b", `# B\n\n${filler}`)],
    ["a heading", page("b", `# B\n\n## Widgets\n\n${filler}`)],
    ["code", page("b", "# B\n\n```sh\nwidgets\n```")],
    ["a description", page("b", `# B\n\n${filler}`, { description: "All about widgets." })],
  ])("finds a word in %s", async (_name, found) => {
    expect(await rank([page("a", `# A\n\n${filler}`), found], "widgets")).toEqual([found.slug]);
  });

  test("a page whose title is what is asked for is the first", async () => {
    const pages = [
      page("work-pool-events", "# Work pool events\n\nA work pool sends an event when it is ready."),
      page("work-pools", `# Work pools\n\nThey give flows a place to run. ${filler}`),
      ...Array.from({ length: 6 }, (_, at) => page(`other-${at}`, `# Other ${at}\n\n${filler}`)),
    ];
    expect(await rank(pages, "What is a work pool?")).toEqual(["work-pools", "work-pool-events"]);
  });

  test("ranks a word in the title above a word in the text, and that above a word in code", async () => {
    const pages = [
      page("code", "# Code\n\n```sh\nwidgets\n```"),
      page("text", "# Text\n\nwidgets"),
      page("title", "# Widgets\n\nothers"),
      page("none", `# None\n\n${filler}`),
    ];
    expect(await rank(pages, "widgets")).toEqual(["title", "text", "code"]);
  });

  test.each([
    ["a heading", "## Widgets\n\nturn widgets"],
    ["code", "## Other\n\nturn widgets\n\n```sh\nwidgets\n```"],
  ])("weighs a word in %s besides the same word in the text", async (_name, body) => {
    const more = page("more", `# More\n\n${body}`);
    const less = page("less", "# Less\n\n## Other\n\nturn widgets\n\n```sh\nothers\n```");
    expect(await rank([more, less], "widgets")).toEqual(["more", "less"]);
    expect(await rank([less, more], "widgets")).toEqual(["more", "less"]);
  });

  test("counts a page's second-best section", async () => {
    const one = page("one", `# One\n\n## First\n\nturn widgets\n\n## Second\n\n${filler}`);
    const two = page("two", "# Two\n\n## First\n\nturn widgets\n\n## Second\n\nthe widgets are fine");
    expect(await rank([one, two], "turn widgets")).toEqual(["two", "one"]);
    expect(await rank([two, one], "turn widgets")).toEqual(["two", "one"]);
  });

  test("prefers the page that the user has open", async () => {
    const slugs = ["a/one", "b/two", "b/three", "ガイド/鍵"];
    const pages = slugs.map((slug) => page(slug, "# Same\n\nturn widgets"));
    for (const [currentPath, slug] of [
      ["https://docs.example.com/b/three?x#y", "b/three"],
      ["/ガイド/鍵", "ガイド/鍵"],
      [encodeURI("/ガイド/鍵"), "ガイド/鍵"],
    ] as const)
      expect((await rank(pages, "turn widgets", { currentPath }))[0]).toBe(slug);
  });

  test("considers the earlier question and the context, but weighs the question most", async () => {
    const pages = [
      page("gears", "# Gears\n\nturn gears"),
      page("widgets", "# Widgets\n\nturn widgets"),
      page("knobs", "# Knobs\n\nturn knobs"),
    ];
    expect((await rank(pages, "turn", { earlier: ["widgets"] }))[0]).toBe("widgets");
    expect((await rank(pages, "turn", { context: ["knobs"] }))[0]).toBe("knobs");
    expect((await rank(pages, "turn gears", { earlier: ["widgets"], context: ["knobs"] }))[0]).toBe("gears");
  });

  test("judges a question with a subject of its own without the words of its context", async () => {
    const pages = [
      page("keys", "# Keys\n\n## Rotate an API key\n\nPress Rotate; the old key works for a day."),
      page("session", "# Sessions\n\nThe session timeout is read from the config."),
      ...["colours", "shapes", "sizes"].map((name) => page(name, `# ${name}\n\nAll ${name} of the widgets.`)),
    ];
    const { ask } = await openIndex(pages);
    const context = ["const idleSlots = poolOf(env.MAX_SLOTS_MS ?? 3000);\nqueue.drain(worker, idleSlots);"];
    for (const question of ["How do I rotate a key?", "How do I rotate?", "Is this how I rotate a key?"]) {
      const { certainty, passages } = ask(question, { context });
      expect([certainty, passages[0]?.page.slug]).toEqual(["clear", "keys"]);
    }
    for (const [question, code] of [
      ["How do I bake bread?", "Press Rotate; the old key works for a day."],
      ["Explain this", context[0] ?? ""],
    ] as const)
      expect(ask(question, { context: [code] }).certainty).toBe("none");
    expect(ask("What does this do?", { context: ["the session timeout"] })).toMatchObject({
      certainty: "clear",
      passages: [{ page: { slug: "session" } }],
    });
  });

  test("considers the earlier question only if the question seems to continue it", async () => {
    const pages = [page("turn", "# One\n\nturn"), page("gears", "# Two\n\ngears knobs levers springs bolts")];
    const first = async (question: string) =>
      (await rank(pages, question, { earlier: ["gears knobs levers springs bolts"] }))[0];
    expect(await first("How do I turn big wheels?")).toBe("turn");
    for (const question of ["And how do I turn big wheels?", "How do they turn wheels?", "How do I turn?"])
      expect(await first(question)).toBe("gears");
  });

  test("follows a conversation back to the question that names its subject", async () => {
    const pages = [
      page("gears", "# Gears\n\nGears turn clockwise. Linux needs a driver."),
      page("knobs", "# Knobs\n\nKnobs turn clockwise. Linux needs a driver."),
    ];
    const first = async (...earlier: string[]) => (await rank(pages, "And on Linux?", { earlier }))[0];
    for (const [subject, slug] of [
      ["How do I turn the big knobs?", "knobs"],
      ["How do I turn the big gears?", "gears"],
    ] as const) {
      expect(await first(subject, "Why?")).toBe(slug);
      expect(await first("Which gears and knobs are made of steel?", subject, "How many?", "Why?")).toBe(
        slug,
      );
    }
  });

  test.each(["turn", "turn its big wheels"])(
    "lets words around %j outweigh one of its own",
    async (question) => {
      const pages = [
        page("turn", "# One\n\nturn"),
        page("rest", "# Two\n\ngears knobs levers springs bolts"),
      ];
      expect(await rank(pages, question)).toEqual(["turn"]);
      expect(await rank(pages, question, { earlier: ["gears knobs levers springs bolts"] })).toEqual([
        "rest",
        "turn",
      ]);
      expect(await rank(pages, question, { context: ["gears knobs levers springs bolts"] })).toEqual([
        "rest",
        "turn",
      ]);
    },
  );
});
