/**
 * An agent that keeps documents in order without a model. It reads its task from standard input, edits the files of the
 * folder that it is started in, says on standard output what it did, and leaves committing to its caller.
 *
 *   npm run platform -- --docs docs --agent-command "node examples/agents/caretaker/main.mjs"
 */
import process from "node:process";
import { text } from "node:stream/consumers";
import { writeCommandReference } from "./commands.mjs";
import { openDocuments } from "./documents.mjs";
import { repairLinks } from "./links.mjs";
import { completeNavigation } from "./navigation.mjs";
import { replaceWords } from "./replace.mjs";

const tasks = [
  { wanted: /\blinks?\b/i, help: "Fix the links: to pages that were moved", run: repairLinks },
  {
    wanted: /\bnavigation\b|\bdocs\.json\b/i,
    help: "Complete the navigation: with pages it lacks",
    run: completeNavigation,
  },
  {
    wanted: /\bcommands?\b|\bscripts?\b/i,
    help: "Write the command reference: from package.json",
    run: writeCommandReference,
  },
  { wanted: /\breplace\b/i, help: 'Replace "old words" with "new words": except in code', run: replaceWords },
];

const prompt = readRequest(await text(process.stdin));
const documents = await openDocuments(process.env.DOCS_AGENT_DOCS_DIR ?? "docs");
const chosen = tasks.filter(({ wanted }) => wanted.test(prompt));
if (chosen.length === 0) {
  console.log(
    ["Nothing was done. Ask for one or more of these:", ...tasks.map(({ help }) => `- ${help}`)].join("\n"),
  );
}
for (const { run } of chosen) {
  for (const note of await run(documents, prompt)) console.log(note);
}

/**
 * The request itself: the text above the first mention of the word that the action puts around what it quotes. What is quoted
 * was written by anybody, and is no request.
 */
function readRequest(whole) {
  const word = /^--- begin ([0-9a-f]{16,}): /m.exec(whole)?.[1];
  if (word === undefined) return whole;
  const above = whole.slice(0, whole.indexOf(word));
  return above.slice(0, Math.max(0, above.lastIndexOf("\n\n")));
}
