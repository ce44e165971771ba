/** Pages like those of real documentation, from a seed: the same on every machine. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** `markdown`: what every generator reads. `mdx`: the same pages, with the components that they mean. */
export type Dialect = "markdown" | "mdx";

const pagesPerFolder = 25;
const foldersPerArea = 20;

/** Writes so many pages into a folder. */
export async function makeDocs(folder: string, count: number, dialect: Dialect): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const path = join(folder, `${addressOf(number)}.${dialect === "mdx" ? "mdx" : "md"}`);
    if (number % pagesPerFolder === 0) await mkdir(dirname(path), { recursive: true });
    await writeFile(path, writePage(number, count, dialect));
  }
  const home = `---\ntitle: Home\n---\n\nStart with [the first page](./${addressOf(0)}).\n`;
  await writeFile(join(folder, `index.${dialect === "mdx" ? "mdx" : "md"}`), home);
}

/** The folder of a page's neighbours, by its number: areas with sections, as navigations have them. */
function folderOf(number: number): string {
  const section = Math.floor(number / pagesPerFolder);
  return `area-${Math.floor(section / foldersPerArea)}/section-${section % foldersPerArea}`;
}

/** Address of a page from the documents' root. */
const addressOf = (number: number) => `${folderOf(number)}/page-${String(number).padStart(5, "0")}`;

/** Questions whose words are those of pages all over the documents. */
export function makeQuestions(count: number, pages: number): string[] {
  return Array.from({ length: count }, (_, number) => {
    const random = createRandom(Math.floor((number * pages) / count));
    return `How do I ${titleOf(random).toLowerCase()}?`;
  });
}

export type Random = () => number;

/** Mulberry32: 32 bits of state are enough for a page. */
export function createRandom(seed: number): Random {
  let state = (seed + 1) * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const common =
  "the of a to and in is for with that on by from as it this when an are be can you not or each if must only which your all its at one new uses after before so has no same more".split(
    " ",
  );
const verbs =
  "configure create deploy restart inspect rotate revoke migrate export schedule validate monitor throttle retry publish archive restore encrypt replicate compress".split(
    " ",
  );
const stems =
  "access account agent alert archive backup balance batch block branch broker bucket buffer build cache certificate channel client cluster commit config connection console container content cookie credential cursor dashboard data database deadline delivery device digest disk domain driver endpoint engine environment event export field file filter firewall flag flow folder format function gateway graph group handler hash header health history hook host image import index inspector instance interface job journal key label latency layer leader lease license limit link listener load lock log manifest member memory message metric migration mirror model module monitor namespace network node notice object operator order output owner package page parser partition password patch path payload peer permission pipeline plan platform plugin policy pool port process profile project prompt protocol provider proxy query queue quota range rate record region registry release replica report request resource response retry role rollout route rule runner runtime sample schedule schema scope script search secret section segment sensor server service session setting shard signal signature site snapshot socket source stage state storage stream string subject subscription switch table tag target task team template tenant thread timeout token topic trace transfer trigger tunnel update upload user value variable version view volume webhook window worker workflow zone".split(
    " ",
  );
const endings = ["", "s", "", "d", "-id", "-name", "ing", "-policy", "-limit", "-state"];

const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)] as Item;

/** Few words are frequent and most are rare, as in any text. */
function wordOf(random: Random): string {
  if (random() < 0.45) return pick(common, random);
  const rank = Math.floor(stems.length * endings.length * random() ** 3);
  return (stems[rank % stems.length] ?? "") + (endings[Math.floor(rank / stems.length)] ?? "");
}

function words(count: number, random: Random): string {
  return Array.from({ length: count }, () => wordOf(random)).join(" ");
}

function titleOf(random: Random): string {
  const title = `${pick(verbs, random)} ${pick(stems, random)} ${pick(stems, random)}s`;
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function sentence(random: Random): string {
  const text = words(8 + Math.floor(random() * 14), random);
  const shape = random();
  const marked =
    shape < 0.12
      ? text.replace(/(\S+) (\S+)$/, "`$1_$2`")
      : shape < 0.2
        ? text.replace(/(\S+ \S+)$/, "**$1**")
        : text;
  return `${marked.charAt(0).toUpperCase()}${marked.slice(1)}.`;
}

function paragraph(random: Random): string {
  return Array.from({ length: 2 + Math.floor(random() * 4) }, () => sentence(random)).join(" ");
}

/** A link to another page of the documents, as files link to each other. */
function link(pages: number, random: Random): string {
  const target = Math.floor(random() * pages);
  return `[${titleOf(createRandom(target))}](../../${addressOf(target)}.md)`;
}

type CodeWriter = (name: string, random: Random) => string;

const codes: readonly (readonly [language: string, write: CodeWriter])[] = [
  [
    "bash",
    (name, random) =>
      `# Starts the ${name}.\nexport ${name.toUpperCase()}_TOKEN="$(cat /run/secrets/${name})"\ncurl --fail --header "Authorization: Bearer $${name.toUpperCase()}_TOKEN" \\\n  "https://api.example.com/v1/${name}s?limit=${Math.floor(random() * 100)}" | jq '.items[].id'`,
  ],
  [
    "json",
    (name, random) =>
      JSON.stringify(
        {
          [name]: {
            id: Math.floor(random() * 1e6),
            enabled: true,
            tags: [wordOf(random), wordOf(random)],
            limits: { rate: 12.5, burst: null },
          },
        },
        undefined,
        2,
      ),
  ],
  [
    "typescript",
    (name, random) =>
      `import { createClient, type ${name}Options } from "@example/${name}";\n\n/** ${sentence(random)} */\nexport async function open${name}(options: ${name}Options): Promise<string[]> {\n  const client = await createClient({ retries: ${Math.floor(random() * 9)}, ...options });\n  const items = await client.${name}s.list({ limit: 50 });\n  return items.filter(({ state }) => state !== "deleted").map(({ id }) => \`${name}-\${id}\`);\n}`,
  ],
  [
    "python",
    (name, random) =>
      `from example import ${name}\n\n\ndef read_${name}(path: str, limit: int = ${Math.floor(random() * 50)}) -> list[str]:\n    """${sentence(random)}"""\n    with ${name}.open(path) as source:\n        return [f"{item.id}: {item.state}" for item in source if item.size < limit]`,
  ],
  [
    "yaml",
    (name, random) =>
      `${name}:\n  image: "registry.example.com/${name}:1.${Math.floor(random() * 20)}"\n  replicas: ${Math.floor(random() * 8)} # ${words(4, random)}\n  env:\n    - name: ${name.toUpperCase()}_LEVEL\n      value: debug`,
  ],
];

function codeBlock(random: Random, at = pick(codes, random)): string {
  const [language, write] = at;
  return `\`\`\`${language}\n${write(pick(stems, random), random)}\n\`\`\``;
}

function table(random: Random): string {
  const rows = Array.from({ length: 3 + Math.floor(random() * 5) }, () => {
    const [name, type] = [pick(stems, random), pick(["string", "number", "boolean"], random)];
    return `| \`${name}\` | ${type} | ${words(7, random)} |`;
  });
  return ["| Name | Type | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Cards, tabs and callouts: as components, or as the Markdown that says the same. */
const componentWriters: Readonly<Record<Dialect, readonly ((pages: number, random: Random) => string)[]>> = {
  mdx: [
    (_, random) => `<Note>\n  ${paragraph(random)}\n</Note>`,
    (pages, random) => {
      const cards = cardsOf(pages, random).map(
        ({ title, href, text }) =>
          `  <Card title="${title}" icon="${pick(["rocket", "key", "server"], random)}" href="${href}">\n    ${text}\n  </Card>`,
      );
      return `<CardGroup cols={2}>\n${cards.join("\n")}\n</CardGroup>`;
    },
    (_, random) => {
      const tabs = codes
        .slice(1, 4)
        .map((code) => `  <Tab title="${code[0]}">\n\n${codeBlock(random, code)}\n\n  </Tab>`);
      return `<Tabs>\n${tabs.join("\n")}\n</Tabs>`;
    },
  ],
  markdown: [
    (_, random) => `> **Note:** ${paragraph(random)}`,
    (pages, random) =>
      cardsOf(pages, random)
        .map(({ title, href, text }) => `- [${title}](${href}): ${text}`)
        .join("\n"),
    (_, random) =>
      codes
        .slice(1, 4)
        .map((code) => `**${code[0]}**\n\n${codeBlock(random, code)}`)
        .join("\n\n"),
  ],
};

function cardsOf(pages: number, random: Random) {
  return Array.from({ length: 4 }, () => {
    const target = Math.floor(random() * pages);
    const title = titleOf(createRandom(target));
    return { title, href: `../../${addressOf(target)}.md`, text: sentence(random) };
  });
}

function section(pages: number, dialect: Dialect, random: Random): string {
  const shape = random();
  const writeComponent = pick(componentWriters[dialect], random);
  const special =
    shape < 0.4
      ? codeBlock(random)
      : shape < 0.55
        ? table(random)
        : shape < 0.7
          ? Array.from({ length: 4 }, () => `- ${sentence(random)}`).join("\n")
          : writeComponent(pages, random);
  const blocks = [
    `${random() < 0.7 ? "##" : "###"} ${titleOf(random)}`,
    paragraph(random),
    special,
    `${paragraph(random)} See ${link(pages, random)}.`,
  ];
  return blocks.join("\n\n");
}

function writePage(number: number, pages: number, dialect: Dialect): string {
  const random = createRandom(number);
  const title = titleOf(random);
  const sections = Array.from({ length: 3 + Math.floor(random() * 5) }, () =>
    section(pages, dialect, random),
  );
  const head = `---\ntitle: ${title}\ndescription: ${sentence(random).replace(/[`*]/g, "")}\n---`;
  return `${[head, paragraph(random), ...sections].join("\n\n")}\n`;
}
