/**
 * Security rules for workflows, after the audits of zizmor, which cannot be installed everywhere the checks run. Where zizmor
 * guesses whether a value is dangerous, these rules are strict: scripts hold no expressions, and actions come from a list.
 * Passwords of containers and deprecated workflow commands are actionlint's.
 */
import { type Expr, Lexer, Parser } from "@actions/expressions";
import {
  Binary,
  ContextAccess,
  FunctionCall,
  Grouping,
  IndexAccess,
  Literal,
  Logical,
  Unary,
} from "@actions/expressions/ast";
import { TokenType } from "@actions/expressions/lexer";
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import { commandNames } from "../src/commands/outputs.ts";

export interface SecurityProblem {
  readonly rule: SecurityRule;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

type Path = readonly (string | number)[];
type Fields = Readonly<Record<string, unknown>>;

/** One expression, as GitHub would evaluate it. */
interface Expression {
  readonly path: Path;
  readonly root: Expr;
}

interface Step {
  readonly path: Path;
  readonly fields: Fields;
  readonly inputs: Fields;
  /** Empty, or `owner/name/path` without what stands after `@`. */
  readonly action: string;
  readonly script: string;
}

interface Job {
  readonly path: Path;
  readonly fields: Fields;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly fields: Fields;
  readonly triggers: ReadonlyMap<string, unknown>;
  readonly jobs: readonly Job[];
  /** Every text, with its place. */
  readonly texts: readonly { readonly path: Path; readonly text: string }[];
  readonly expressions: readonly Expression[];
  readonly containers: readonly { readonly path: Path; readonly image: string }[];
  /** Every action, called workflow and image of an action. */
  readonly uses: readonly { readonly path: Path; readonly name: string }[];
  readonly unreadable: readonly Finding[];
  /** The comment at the end of a value's line. */
  commentAt(path: Path): string;
}

interface Finding {
  readonly path: Path;
  readonly message: string;
}

const thisAction = "docs-automation/docs-automation-action";

/** What this repository offers: the action for all commands, one for each, and a reusable workflow. */
const ownActions = [
  thisAction,
  ...commandNames.map((command) => `${thisAction}/${command}`),
  `${thisAction}/.github/workflows/export-sites.yml`,
];

/** The same of the commit that is checked out, for this repository's own workflows. */
const ownFolders = commandNames.map((command) => `./${command}`);

/** Its examples name them by the tag that moves to each release. */
const usesThisAction = (name: string) =>
  /@v\d+$/.test(name) && ownActions.includes(name.replace(/@v\d+$/, ""));

const allowedActions = new Set([
  "actions/attest",
  "actions/attest-build-provenance",
  "actions/cache/restore",
  "actions/cache/save",
  "actions/checkout",
  "actions/deploy-pages",
  "actions/download-artifact",
  "actions/setup-node",
  "actions/upload-artifact",
  ...ownActions,
  ...ownFolders,
]);

/** Inputs of actions that are run as code. */
const codeInputs = /^(?:agent-command|args|cmd|command|entrypoint|inline-?script|run|script|shell)$/i;

/** Fields of an event that a stranger cannot fill with text; every other field counts as a stranger's. */
const harmlessFields = /^(?:action|after|before|draft|id|merged|node_id|number|schedule|sha)$/;

/** Events that anybody can cause, and whose runs have the repository's rights. */
const openTriggers =
  /^(?:discussion(?:_comment)?|fork|gollum|issue_comment|issues|pull_request_review(?:_comment)?|pull_request_target|watch|workflow_run)$/;

/** Of these, the ones that check out the pull request, not the default branch, if nothing is said. */
const pullRequestTriggers = /^(?:pull_request_review(?:_comment)?|workflow_run)$/;

const contexts = [
  "env",
  "github",
  "inputs",
  "job",
  "jobs",
  "matrix",
  "needs",
  "runner",
  "secrets",
  "steps",
  "strategy",
  "vars",
];

const functions = [
  ...["always", "cancelled", "failure", "success"].map((name) => ({ name, minArgs: 0, maxArgs: 9 })),
  { name: "hashFiles", minArgs: 1, maxArgs: 255 },
];

const rules = {
  // Packages are installed from the lock file, not by name.
  "adhoc-packages": (workflow) =>
    findInScripts(
      workflow,
      [
        /\bnpm\b[^\n;&|]*\s(?:i|install|add|exec|x)\b/,
        /\b(?:npx|bunx|dlx)\s/,
        /\b(?:pnpm|yarn|bun)\s+(?:add|global)\b/,
        /\b(?:pip[x3]?|gem|cargo|go|uv(?:\s+(?:pip|tool))?)\s+(?:install|get)\b|\buvx\s/,
        /\b(?:curl|wget)\b[^\n]*\|\s*(?:sudo\s+)?(?:\S*\/)?(?:ba|z|da)?sh\b/,
      ],
      (command) => `\`${command}\` takes the newest version, or runs what it downloads`,
    ),

  // A checkout leaves no token on the disk.
  artipacked: ({ jobs }) =>
    steps(jobs)
      .filter(
        ({ action, inputs }) => action === "actions/checkout" && inputs["persist-credentials"] !== false,
      )
      .map(({ path }) => ({ path, message: "the checkout needs `persist-credentials: false`" })),

  // The name or association of an actor is no proof of who wrote something.
  "bot-conditions": ({ expressions }) =>
    expressions
      .filter(({ path }) => path.at(-1) === "if")
      .flatMap(({ path, root }) =>
        references(root)
          .filter((name) => /^github\.(?:actor|triggering_actor|actor_id)$|\.author_association$/.test(name))
          .map((name) => ({ path, message: `\`${name}\` does not say who is behind the content` })),
      ),

  // A workflow that publishes takes nothing from a cache.
  "cache-poisoning": (workflow) =>
    publishes(workflow)
      ? steps(workflow.jobs)
          .filter(readsCache)
          .map(({ path, action }) => ({
            path,
            message: `${action} restores a cache in a workflow that publishes`,
          }))
      : [],

  // `pull_request_target` and `workflow_run` run with rights on a stranger's content.
  "dangerous-triggers": ({ triggers }) =>
    ["pull_request_target", "workflow_run"]
      .filter((name) => triggers.has(name))
      .map((name) => ({
        path: ["on"],
        message: `\`${name}\` gives a stranger's content the repository's rights`,
      })),

  // Nothing is granted at the top, and each job names what it needs.
  "excessive-permissions": ({ fields, jobs }) => [
    ...(isReadOnly(fields["permissions"])
      ? []
      : [{ path: [], message: "the top needs `permissions: {}`, or a list that only reads" }]),
    ...jobs
      .filter(({ fields: { permissions } }) => !isFields(permissions))
      .map(({ path }) => ({ path, message: "the job needs a list of its `permissions:`" })),
  ],

  // Only listed actions are used.
  "forbidden-uses": ({ uses }) =>
    uses
      .filter(({ name }) => !allowedActions.has(name.replace(/@.*$/s, "")))
      .map(({ path, name }) => ({ path, message: `${name} is not on the list of actions` })),

  // No step changes the environment of later steps.
  "github-env": (workflow) =>
    findInScripts(workflow, [/\bGITHUB_(?:ENV|PATH)\b/i], (name) => `the script writes to ${name}`),

  // Workflow commands that set variables stay switched off.
  "insecure-commands": ({ texts }) =>
    texts
      .filter(({ path }) => path.some((key) => /^actions_allow_unsecure_commands$/i.test(String(key))))
      .map(({ path }) => ({
        path,
        message: "ACTIONS_ALLOW_UNSECURE_COMMANDS lets any output set variables",
      })),

  // The workflow, and each expression in it, can be read.
  obfuscation: ({ unreadable }) => unreadable,

  // A secret is named, and given to the step that needs it only.
  "overprovisioned-secrets": ({ expressions }) =>
    expressions.flatMap(({ path, root }) => {
      const names = references(root);
      const isShared = path[0] === "env" || (path[0] === "jobs" && path[2] === "env");
      return names
        .filter((name) => /^(?:secrets|github)(?:\.\*|$)/.test(name) || (isShared && isSecret(name)))
        .map((name) => ({
          path,
          message: isShared ? `every step gets \`${name}\`` : `\`${name}\` is more than one secret`,
        }));
    }),

  // A job that may write runs no code that packages bring along.
  "privileged-build": ({ jobs }) =>
    jobs
      .filter(({ fields: { permissions } }) => mayWrite(permissions))
      .flatMap(({ steps: all }) =>
        all
          .filter(({ script }) => runsPackages(script))
          .map(({ path }) => ({ path, message: "the job may write, and the script runs code of packages" })),
      ),

  // A called workflow gets the secrets that it needs by name.
  "secrets-inherit": ({ jobs }) =>
    jobs
      .filter(({ fields }) => fields["secrets"] === "inherit")
      .map(({ path }) => ({ path: [...path, "secrets"], message: "the called workflow gets every secret" })),

  // Jobs run on GitHub's own, fresh runners.
  "self-hosted-runner": ({ jobs }) =>
    jobs
      .filter(({ fields }) => fields["uses"] === undefined)
      .filter(
        ({ fields }) => !runnersOf(fields).every((name) => /^(?:ubuntu|windows|macos)-[\w.-]+$/.test(name)),
      )
      .map(({ path }) => ({ path, message: "`runs-on` names no label of GitHub's own runners" })),

  // No expression becomes part of a script, and no stranger's text an input.
  "template-injection": ({ texts, expressions }) => [
    ...texts
      .filter(({ path, text }) => text.includes("${{") && isCode(path))
      .map(({ path }) => ({ path, message: "an expression becomes code: pass it in `env:`" })),
    ...expressions
      .filter(({ path }) => !isCode(path) && !isInert(path))
      .flatMap(({ path, root }) =>
        references(root)
          .filter(isStrangersText)
          .map((name) => ({ path, message: `\`${name}\` is a text that a stranger can write` })),
      ),
  ],

  // Each permission to write has its reason beside it.
  "undocumented-permissions": ({ jobs, commentAt }) =>
    jobs.flatMap(({ path, fields: { permissions } }) =>
      entriesOf(permissions)
        .map(([name, level]) => ({ path: [...path, "permissions", name], level }))
        .filter((permission) => permission.level === "write" && commentAt(permission.path) === "")
        .map((permission) => ({ path: permission.path, message: "what is it needed for?" })),
    ),

  // Images are named by their digest; by a tag only with its reason beside it, in a job without rights and secrets.
  "unpinned-images": (workflow) =>
    [
      ...workflow.containers
        .filter((container) => !isExplainedTag(workflow, container))
        .map(({ path, image }) => ({ path, name: image })),
      ...workflow.uses.filter(({ name }) => isImage(name)),
    ]
      .filter(({ name }) => !/@sha256:[0-9a-f]{64}$/.test(name))
      .map(({ path, name }) => ({ path, message: `${name} is not named by its digest` })),

  // Actions are named by a commit, with the version beside it.
  "unpinned-uses": ({ uses, commentAt }) =>
    uses
      .filter(({ name }) => !isImage(name) && !usesThisAction(name) && !ownFolders.includes(name))
      .filter(({ name, path }) => !/@[0-9a-f]{40}$/.test(name) || !/^v\d+(?:\.\d+)*$/.test(commentAt(path)))
      .map(({ path, name }) => ({ path, message: `${name} needs a commit, and its version as comment` })),

  // Parts of a secret are not masked in the log.
  "unredacted-secrets": ({ expressions }) =>
    expressions.flatMap(({ path, root }) =>
      callsOf(root, "fromJSON")
        .filter((call) => references(call).some(isSecret))
        .map(() => ({ path, message: "GitHub masks the secret, not what is inside it" })),
    ),

  // A condition can be true and false.
  "unsound-condition": ({ texts, expressions }) => [
    ...texts
      .filter(({ path, text }) => path.at(-1) === "if" && text.includes("${{"))
      .filter(({ text }) => text !== `\${{${fences(text)[0]}}}`)
      .map(({ path }) => ({
        path,
        message: "with text or an end of line around `${{ }}` it is always true",
      })),
    ...expressions
      .filter(({ path, root }) => path.at(-1) === "if" && isConstant(root))
      .map(({ path }) => ({ path, message: "the condition is a constant" })),
  ],

  // `contains` looks for an element of a list, not for a piece of a fixed text.
  "unsound-contains": ({ expressions }) =>
    expressions.flatMap(({ path, root }) =>
      callsOf(root, "contains")
        .filter(({ args: [list, element] }) => list instanceof Literal && element && !isConstant(element))
        .map(() => ({ path, message: "any piece of the fixed text passes: write a list, with `fromJSON`" })),
    ),

  // The middle of `a && b || c` is never false.
  "unsound-ternary": ({ expressions }) =>
    expressions.flatMap(({ path, root }) =>
      parts(root)
        .filter((part): part is Logical => part instanceof Logical && part.operator.type === TokenType.OR)
        .flatMap(({ args }) => args.slice(0, -1).map(ungroup))
        .filter((part): part is Logical => part instanceof Logical && part.operator.type === TokenType.AND)
        .filter(({ args }) => isFalsy(args.at(-1)))
        .map(() => ({
          path,
          message: "the value before `||` is false, so the one after it is always taken",
        })),
    ),

  // What a stranger can start checks out nothing of a pull request.
  "untrusted-checkout": (workflow) => {
    const open = [...workflow.triggers.keys()].filter((name) => openTriggers.test(name));
    if (open.length === 0) return [];
    const takesHead = open.some((name) => pullRequestTriggers.test(name));
    return [
      ...steps(workflow.jobs)
        .filter(({ action }) => action === "actions/checkout")
        .filter(
          ({ inputs }) => takesHead || inputs["ref"] !== undefined || inputs["repository"] !== undefined,
        )
        .map(({ path }) => ({
          path,
          message: `${open.join(", ")}: the checkout may be a stranger's content`,
        })),
      ...findInScripts(
        workflow,
        [
          /\bgh\s+(?:pr\s+checkout|co|repo\s+clone)\b|\bpull\/|\bgit\b[^\n;&|]*\s(?:fetch|pull|clone|checkout|switch|worktree)\b/,
        ],
        (command) => `\`${command}\` may bring a stranger's content`,
      ),
    ];
  },
} as const satisfies Readonly<Record<string, (workflow: Workflow) => readonly Finding[]>>;

export type SecurityRule = keyof typeof rules;

/** The names of the rules: zizmor's, where it has the rule. */
export const securityRules = Object.keys(rules) as readonly SecurityRule[];

/** What a workflow does that it must not; empty for a workflow that may be merged. */
export function findSecurityProblems(text: string): SecurityProblem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineOf = (path: Path): number => {
    const nodes = [...path.keys(), path.length].map((depth) => document.getIn(path.slice(0, depth), true));
    const [start = 0] = nodes.findLast(isNode)?.range ?? [];
    return lines.linePos(start).line;
  };
  const workflow = readWorkflow(document);
  return securityRules.flatMap((rule) =>
    rules[rule](workflow).map(({ path, message }) => ({
      rule,
      line: lineOf(path),
      message: path.length === 0 ? message : `${path.join(".")}: ${message}`,
    })),
  );
}

function readWorkflow(document: Document): Workflow {
  const unreadable: Finding[] = document.errors.map(({ message }) => ({ path: [], message }));
  const content: unknown = unreadable.length === 0 ? document.toJS() : {};
  const fields = isFields(content) ? content : {};
  if (!isFields(fields["jobs"])) unreadable.push({ path: [], message: "this is no workflow" });
  const texts = [...textsOf(fields, [])];
  const jobs = entriesOf(fields["jobs"]).map(([id, value]) => readJob(id, value));
  const uses = [...jobs, ...steps(jobs)].flatMap(({ path, fields: { uses: name } }) =>
    name === undefined ? [] : [{ path: [...path, "uses"], name: String(name) }],
  );
  const expressions = texts.flatMap(({ path, text }) => {
    const isBare = path.at(-1) === "if" && !text.includes("${{");
    if (text.split("${{").length - 1 !== fences(text).length)
      unreadable.push({ path, message: "an expression has no end" });
    return (isBare ? [text] : fences(text)).flatMap((source) => {
      try {
        return { path, root: new Parser(new Lexer(source).lex().tokens, contexts, functions).parse() };
      } catch (error) {
        unreadable.push({
          path,
          message: `no expression: ${error instanceof Error ? error.message : error}`,
        });
        return [];
      }
    });
  });
  for (const { path, name } of uses) {
    if (
      !ownFolders.includes(name) &&
      !/^(?:docker:\/\/\S+|[\w-]+(?:\/[\w-][\w.-]*|\/\.github)+@[\w./-]+)$/.test(name)
    )
      unreadable.push({ path, message: `\`${name}\` is a roundabout name of an action` });
  }
  const containers = jobs.flatMap(({ path, fields: { container, services } }) => [
    ...readContainer([...path, "container"], container),
    ...entriesOf(services).flatMap(([name, value]) => readContainer([...path, "services", name], value)),
  ]);
  const triggers = readTriggers(fields["on"]);
  const commentAt = (path: Path) => {
    const parent = document.getIn(path.slice(0, -1), true);
    const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
    return (pair && isScalar(pair.value) ? (pair.value.comment ?? "") : "").trim();
  };
  return { fields, triggers, jobs, texts, expressions, containers, uses, unreadable, commentAt };
}

function readContainer(path: Path, value: unknown) {
  if (value === undefined || value === null || value === "") return [];
  return [{ path, image: String(isFields(value) ? value["image"] : value) }];
}

function readTriggers(on: unknown): ReadonlyMap<string, unknown> {
  if (isFields(on)) return new Map(Object.entries(on));
  return new Map([on].flat().map((name) => [String(name), undefined]));
}

function readJob(id: string, value: unknown): Job {
  const fields = isFields(value) ? value : {};
  const path = ["jobs", id];
  const list = Array.isArray(fields["steps"]) ? fields["steps"] : [];
  return { path, fields, steps: readSteps([...path, "steps"], list) };
}

function readSteps(path: Path, list: readonly unknown[]): Step[] {
  return list.flatMap((value, index) => {
    const fields = isFields(value) ? value : {};
    const step = {
      path: [...path, index],
      fields,
      inputs: isFields(fields["with"]) ? fields["with"] : {},
      action: String(fields["uses"] ?? "").replace(/@.*$/s, ""),
      script: String(fields["run"] ?? ""),
    };
    // Such as `parallel`, whose steps run at the same time.
    const inner = Object.entries(fields).flatMap(([name, steps]) =>
      Array.isArray(steps) ? readSteps([...step.path, name], steps) : [],
    );
    return [step, ...inner];
  });
}

function steps(jobs: readonly Job[]): Step[] {
  return jobs.flatMap((job) => job.steps);
}

function* textsOf(value: unknown, path: Path): Generator<{ path: Path; text: string }> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsOf(item, [...path, index]);
  else if (isFields(value))
    for (const [key, item] of Object.entries(value)) yield* textsOf(item, [...path, key]);
  else if (value !== null && value !== undefined) yield { path, text: String(value) };
}

function entriesOf(value: unknown): [string, unknown][] {
  return isFields(value) ? Object.entries(value) : [];
}

/** Whether an image has a tag that is no moving `latest`, a comment `by tag: REASON`, and nothing to take. */
function isExplainedTag(
  { jobs, expressions, commentAt }: Workflow,
  { path, image }: Workflow["containers"][number],
): boolean {
  const job = jobs.find((candidate) => candidate.path[1] === path[1]);
  const isTagged = /^[\w./-]+:(?!latest$)\w[\w.-]*$/.test(image);
  const reason = [path, [...path, "image"]].map(commentAt).find((comment) => comment.startsWith("by tag: "));
  const takesSecrets = expressions.some(
    (expression) => expression.path[1] === path[1] && references(expression.root).some(isSecret),
  );
  return isTagged && reason !== undefined && isReadOnly(job?.fields["permissions"]) && !takesSecrets;
}

function isImage(name: string): boolean {
  return /^docker:/i.test(name);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands between `${{` and `}}`; quoted texts may hold braces. */
function fences(text: string): string[] {
  return [...text.matchAll(/\$\{\{((?:'(?:[^']|'')*'|(?!\}\})[^'])*)\}\}/g)].map(([, source = ""]) => source);
}

function findInScripts(
  { jobs }: Workflow,
  patterns: readonly RegExp[],
  message: (found: string) => string,
): readonly Finding[] {
  return steps(jobs).flatMap(({ path, script, inputs }) => {
    const text = joinLines([script, inputs["script"], inputs["run"]].join("\n"));
    const found = patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
    return found.map((words) => ({ path, message: message(words.trim()) }));
  });
}

/** Whether a value is run: by a shell, or by an action that takes code. */
function isCode(path: Path): boolean {
  const [name = "", parent] = [path.at(-1), path.at(-2)];
  if (parent === "with") return codeInputs.test(String(name));
  return (
    ["run", "shell", "working-directory"].includes(String(name)) &&
    (path.includes("steps") || parent === "run")
  );
}

/** Whether a value is only compared, shown, or handed to a process as a variable. */
function isInert(path: Path): boolean {
  const name = path.at(-1);
  return name === "if" || path.at(-2) === "env" || ["name", "run-name"].includes(String(name));
}

/** Whether a reference can hold words of a person without rights. */
function isStrangersText(name: string): boolean {
  if (name === "github.head_ref") return true;
  return name.startsWith("github.event.") || name === "github.event"
    ? !harmlessFields.test(name.split(".").slice(2).at(-1) ?? "")
    : false;
}

function isSecret(name: string): boolean {
  return /^secrets(?:\.|$)|^github\.token$/.test(name);
}

function isReadOnly(permissions: unknown): boolean {
  return (
    isFields(permissions) && Object.values(permissions).every((level) => level === "read" || level === "none")
  );
}

function mayWrite(permissions: unknown): boolean {
  return !isReadOnly(permissions);
}

/** Whether a script runs what packages bring along: their install scripts, or the project's build and tests. */
function runsPackages(script: string): boolean {
  const commands = joinLines(script).split(/\n|;|&&|\|\|?|\$\(/);
  return commands.some((command) => {
    if (/\bnpm\b/.test(command))
      return !/\bnpm\b.*\sci\b.*\s--ignore-scripts(?!\S)|\bnpm\s+(?:sbom|view)\b/.test(command);
    return [
      /\b(?:npx|yarn|pnpm|bunx?|vitest|jest)\b|^\s*(?:(?:node|sudo)\s+)?\S*node_modules\/|\.ci\/run/,
      /\b(?:make|gradlew?|mvnw?|cargo|pip[x3]?|uvx?|poetry|tox|bundle|rake)\b|\b(?:docker|go)\s+(?:build|run|install|generate|test)\b/,
    ].some((pattern) => pattern.test(command));
  });
}

/** A script with its continued lines in one, and without its comments. */
function joinLines(script: string): string {
  return script.replace(/\\\n/g, " ").replace(/(^|\s)#.*$/gm, "");
}

/** Whether a workflow makes what others run: it reacts to tags or releases, or a job may sign, publish or commit. */
function publishes({ triggers, jobs }: Workflow): boolean {
  const push = triggers.get("push");
  if (triggers.has("release") || (isFields(push) && "tags" in push)) return true;
  return jobs.some(({ fields: { permissions } }) => {
    const levels = isFields(permissions) ? permissions : {};
    return ["attestations", "contents", "id-token", "packages", "pages"].some(
      (name) => levels[name] === "write",
    );
  });
}

function readsCache({ action, inputs }: Step): boolean {
  if (/^actions\/cache(?:\/restore)?$/.test(action)) return true;
  if (action === "actions/setup-node") return inputs["package-manager-cache"] !== false || "cache" in inputs;
  if (action === "actions/setup-go") return inputs["cache"] !== false;
  return "cache" in inputs || "bundler-cache" in inputs || "cache-from" in inputs;
}

/** An expression and all that it is made of. */
function parts(root: Expr): Expr[] {
  return [root, ...innerParts(root).flatMap(parts)];
}

function innerParts(root: Expr): Expr[] {
  if (root instanceof Logical || root instanceof FunctionCall) return root.args;
  if (root instanceof Binary) return [root.left, root.right];
  if (root instanceof Unary) return [root.expr];
  if (root instanceof Grouping) return [root.group];
  return root instanceof IndexAccess ? [root.expr, root.index] : [];
}

/** The values that an expression reads, such as `github.event.issue.title`, in lower case; `*` for what is computed. */
function references(root: Expr): string[] {
  const all = parts(root);
  const inner = new Set(all.flatMap((part) => (part instanceof IndexAccess ? [part.expr] : [])));
  return all.filter((part) => !inner.has(part)).flatMap((part) => referenceOf(part) ?? []);
}

function referenceOf(expression: Expr): string | undefined {
  if (expression instanceof ContextAccess) return expression.name.lexeme.toLowerCase();
  if (!(expression instanceof IndexAccess)) return undefined;
  const owner = referenceOf(expression.expr);
  if (owner === undefined) return undefined;
  const { index } = expression;
  return `${owner}.${index instanceof Literal ? index.literal.coerceString().toLowerCase() : "*"}`;
}

function callsOf(root: Expr, name: string): FunctionCall[] {
  return parts(root).filter(
    (part): part is FunctionCall =>
      part instanceof FunctionCall && part.functionName.lexeme.toLowerCase() === name.toLowerCase(),
  );
}

/** Whether an expression has the same value in every run. */
function isConstant(root: Expr): boolean {
  return references(root).length === 0 && functions.every(({ name }) => callsOf(root, name).length === 0);
}

function ungroup(expression: Expr): Expr {
  return expression instanceof Grouping ? ungroup(expression.group) : expression;
}

function isFalsy(expression: Expr | undefined): boolean {
  const value = expression && ungroup(expression);
  if (!(value instanceof Literal)) return false;
  const { type, value: content } = value.token;
  return type === TokenType.FALSE || type === TokenType.NULL || content === "" || content === 0;
}

/** The labels that a job's `runs-on` names, each of its matrix if it names one. */
function runnersOf(fields: Readonly<Record<string, unknown>>): string[] {
  const written = String(fields["runs-on"]);
  const [, key] = /^\$\{\{ matrix\.(\w+) \}\}$/.exec(written) ?? [];
  const values = entriesOf(entriesOf(fields["strategy"]).find(([name]) => name === "matrix")?.[1]);
  const labels = values.find(([name]) => name === key)?.[1];
  return Array.isArray(labels) && values.length === 1 ? labels.map(String) : [written];
}
