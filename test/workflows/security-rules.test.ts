/** The security rules of workflows: each finds its bad samples, and every workflow here with one protection taken away. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readWorkflows } from "../../scripts/lint-workflows.ts";
import { findSecurityProblems, type SecurityRule, securityRules } from "../../scripts/workflow-security.ts";

const sha = "3d3c42e5aac5ba805825da76410c181273ba90b1";
const digest = `sha256:${"a".repeat(64)}`;

interface Sample {
  readonly on?: string;
  readonly permissions?: string;
  readonly top?: string;
  /** Lines of the job. */
  readonly job?: string;
  /** The job's permissions, without the key. */
  readonly granted?: string;
  readonly runner?: string;
  readonly steps?: string;
}

/** A workflow in which nothing is wrong but what the sample brings. */
function workflow({
  on = "push",
  permissions = "permissions: {}",
  top = "",
  job = "",
  granted = "permissions: {}",
  runner = "runs-on: ubuntu-latest",
  steps = "- run: echo",
}: Sample): string {
  const indent = (text: string, depth: number) => text.replace(/^(?=.)/gm, " ".repeat(depth));
  return `on: ${on}\n${permissions}\n${top}\njobs:\n  job:\n${indent([runner, granted, job].join("\n"), 4)}\n    steps:\n${indent(steps, 6)}\n`;
}

const run = (script: string): Sample => ({ steps: `- run: |\n${script.replace(/^/gm, "    ")}` });
const condition = (text: string): Sample => ({ steps: `- run: echo\n  if: ${text}` });
const uses = (line: string, inputs = "{}"): Sample => ({ steps: `- uses: ${line}\n  with: ${inputs}` });
const checkout = (inputs: string): Sample => uses(`actions/checkout@${sha} # v7.0.1`, inputs);
const kept = "{ persist-credentials: false }";
const cache = (name: string, inputs = "{}"): Sample => uses(`actions/${name}@${sha} # v5.0.5`, inputs);
const writes = "permissions:\n  contents: write # to release";

/** For each rule, samples that only it finds, and samples close to them that are fine. */
const samples: Readonly<
  Record<SecurityRule, { readonly bad: readonly Sample[]; readonly good?: readonly Sample[] }>
> = {
  "adhoc-packages": {
    bad: [
      "npm install --global zizmor",
      "npm --prefix tools i left-pad@1.0.0",
      "npx zizmor",
      "npm exec -- zizmor",
      "yarn add left-pad",
      "pnpm dlx zizmor",
      "bunx zizmor",
      "pip install zizmor",
      "python -m pip3 install zizmor",
      "uvx zizmor",
      "uv tool install zizmor",
      "gem install rake",
      "cargo install zizmor",
      "go install example.com/tool@latest",
      "curl -sSf https://example.com/install | sh",
      "wget -qO- https://example.com/install \\\n  | sudo bash -",
    ].map(run),
    good: [
      "npm ci",
      "npm cit",
      "npm run installer",
      "# npm install x",
      "curl -sSfO https://example.com/sh",
    ].map(run),
  },
  artipacked: {
    bad: [
      checkout("{}"),
      checkout("{ persist-credentials: true }"),
      checkout('{ persist-credentials: "${{ vars.KEEP }}" }'),
    ],
    good: [checkout(kept)],
  },
  "bot-conditions": {
    bad: [
      condition("github.actor == 'dependabot[bot]'"),
      condition("${{ github['ACTOR'] == 'dependabot[bot]' }}"),
      condition("contains(fromJSON('[1]'), github.triggering_actor)"),
      condition("github.event.comment.author_association == 'MEMBER'"),
      { job: "if: github.actor_id == 1" },
    ],
    good: [condition("github.event.pull_request.user.login == 'dependabot[bot]'")],
  },
  "cache-poisoning": {
    bad: [
      { on: "{ push: { tags: [v*] } }", ...cache("cache/restore") },
      { on: "{ push: { tags: [v*] } }", ...cache("setup-node") },
      { on: "release", ...cache("setup-node", "{ package-manager-cache: false, cache: npm }") },
      { granted: "permissions:\n  id-token: write # to sign", ...cache("cache/restore") },
      { granted: writes, ...cache("cache/restore") },
      { granted: "permissions:\n  packages: write # to publish", ...cache("cache/restore") },
      { granted: "permissions:\n  pages: write # to deploy", ...cache("cache/restore") },
    ],
    good: [
      cache("cache/restore"),
      { on: "release", ...cache("setup-node", "{ package-manager-cache: false }") },
      { on: "release", ...cache("cache/save") },
    ],
  },
  "dangerous-triggers": {
    bad: [
      { on: "pull_request_target" },
      { on: "[push, workflow_run]" },
      { on: "{ pull_request_target: { types: [closed] } }" },
    ],
    good: [{ on: "pull_request" }, { on: "[issue_comment, workflow_call]" }],
  },
  "excessive-permissions": {
    bad: [
      { permissions: "" },
      { permissions: "permissions: write-all" },
      { permissions: "permissions: read-all" },
      { permissions: "permissions: { contents: write }" },
      { permissions: "permissions: { contents: read, id-token: write }" },
      { granted: "" },
      { granted: "permissions: write-all" },
      { granted: "permissions: read-all" },
    ],
    good: [
      { permissions: "permissions: { contents: read }" },
      { granted: "permissions: { contents: read }" },
    ],
  },
  "forbidden-uses": {
    bad: [
      uses(`action/checkout@${sha} # v7.0.1`),
      uses(`actions/chekout@${sha} # v7.0.1`),
      uses(`tj-actions/changed-files@${sha} # v45`),
      uses(`actions/checkout/other@${sha} # v7.0.1`),
      uses(`docker://example.com/image@${digest}`),
    ],
    good: [uses(`actions/deploy-pages@${sha} # v5.0.0`), uses("docs-automation/docs-automation-action@v1")],
  },
  "github-env": {
    bad: [
      'echo "A=$B" >> "$GITHUB_ENV"',
      "echo bin >> $GITHUB_PATH",
      "tee -a ${GITHUB_ENV}",
      "$env:github_path",
    ].map(run),
    good: ['echo "a=b" >> "$GITHUB_OUTPUT"', "echo $GITHUB_ENVIRONMENT_NAME"].map(run),
  },
  "insecure-commands": {
    bad: [
      { top: "env: { ACTIONS_ALLOW_UNSECURE_COMMANDS: true }" },
      { job: "env: { actions_allow_unsecure_commands: 1 }" },
    ],
    good: [run("echo ::notice::done")],
  },
  obfuscation: {
    bad: [
      condition("${{ github.. }}"),
      condition("${{ wat() }}"),
      condition("github.event.action == 'a"),
      { steps: "- run: echo\n  env: { A: '${{ github.sha' }" },
      { steps: "- run: echo\n  run: echo" },
    ],
    good: [{ steps: "- run: echo\n  env: { A: \"${{ '}}' }}\" }" }],
  },
  "overprovisioned-secrets": {
    bad: [
      { steps: "- run: echo\n  env: { A: '${{ toJSON(secrets) }}' }" },
      { steps: "- run: echo\n  env: { A: '${{ secrets[vars.NAME] }}' }" },
      { steps: "- run: echo\n  env: { A: '${{ join(secrets.*) }}' }" },
      { steps: "- run: echo\n  env: { A: '${{ toJSON(github) }}' }" },
      { steps: "- run: echo\n  env: { A: '${{ github[vars.NAME] }}' }" },
      { top: "env: { A: '${{ secrets.A }}' }" },
      { job: "env: { A: '${{ github.token }}' }" },
      { job: "env: { A: \"${{ secrets['A'] }}\" }" },
    ],
    good: [
      {
        steps:
          "- run: echo\n  env: { A: '${{ secrets.A }}', B: '${{ github.token }}', C: \"${{ secrets['B'] }}\" }",
      },
      { top: "env: { A: '${{ github.sha }}' }" },
    ],
  },
  "privileged-build": {
    bad: [
      "npm ci",
      "npm ci --ignore-scripts=false",
      "npm cit",
      "npm test",
      "cd x && npm run build",
      "bash .ci/run",
      "node_modules/.bin/tsc",
      "make dist",
      "cargo build",
      "docker build .",
      "go test ./...",
      "./gradlew assemble",
    ].map((script) => ({ granted: writes, ...run(script) })),
    good: [
      run("npm ci && bash .ci/run"),
      { granted: writes, ...run("npm ci --ignore-scripts\nnode scripts/release.ts\ngh release create") },
      { granted: "permissions: { contents: read }", ...run("npm ci") },
    ],
  },
  "secrets-inherit": {
    bad: [
      {
        runner: `uses: docs-automation/docs-automation-action/.github/workflows/export-sites.yml@v1\nsecrets: inherit`,
      },
    ],
    good: [
      {
        runner: `uses: docs-automation/docs-automation-action/.github/workflows/export-sites.yml@v1\nsecrets: { api-key: "\${{ secrets.KEY }}" }`,
      },
    ],
  },
  "self-hosted-runner": {
    bad: [
      "runs-on: self-hosted",
      "runs-on: [self-hosted, linux]",
      "runs-on: { group: ours }",
      "runs-on: { labels: ubuntu-latest, group: ours }",
      "runs-on: ${{ vars.RUNNER }}",
      "runs-on: our-runner",
      "name: none",
    ].map((runner) => ({ runner })),
    good: [{ runner: "runs-on: ubuntu-24.04-arm" }, { runner: "runs-on: windows-latest" }],
  },
  "template-injection": {
    bad: [
      ...[
        "github.event.issue.title",
        "github.event['comment'].body",
        "GITHUB.EVENT.PULL_REQUEST.HEAD.REF",
        "github.head_ref",
        "toJSON(github.event)",
        "format('{0}', inputs.name)",
        "env.TITLE",
        "needs.list.outputs.sites",
        "steps.a.outputs.b",
        "matrix.site",
        "vars.A",
      ].map((name) => run(`echo "\${{ ${name} }}"`)),
      { steps: "- run: echo\n  shell: bash ${{ inputs.flags }}" },
      { steps: "- run: echo\n  working-directory: ${{ inputs.folder }}" },
      { job: "defaults: { run: { shell: '${{ inputs.shell }}' } }" },
      uses("docs-automation/docs-automation-action@v1", "{ agent-command: 'x ${{ inputs.model }}' }"),
      uses("docs-automation/docs-automation-action@v1", "{ prompt: '${{ github.event.issue.body }}' }"),
      uses(
        "docs-automation/docs-automation-action@v1",
        "{ prompt: '${{ join(github.event.commits.*.message) }}' }",
      ),
      uses(
        "docs-automation/docs-automation-action@v1",
        "{ domain: '${{ github.event.sender[vars.FIELD] }}' }",
      ),
      uses("docs-automation/docs-automation-action@v1", "{ domain: '${{ github.head_ref }}' }"),
      { job: "concurrency: { group: '${{ github.head_ref }}' }" },
      { job: "outputs: { title: '${{ github.event.issue.title }}' }" },
      { job: "strategy: { matrix: { a: '${{ fromJSON(github.event.comment.body) }}' } }" },
      { top: "concurrency: '${{ github.event.discussion.title }}'" },
    ],
    good: [
      { steps: "- run: echo \"$TITLE\"\n  env: { TITLE: '${{ github.event.issue.title }}' }" },
      { job: "concurrency: { group: 'a-${{ github.event.comment.node_id }}-${{ github.ref }}' }" },
      { job: "name: '${{ github.event.issue.title }}'" },
      uses("docs-automation/docs-automation-action@v1", "{ prompt: '${{ inputs.prompt }}' }"),
      condition("github.event.comment.body == '/docs'"),
    ],
  },
  "undocumented-permissions": {
    bad: [
      { granted: "permissions: { contents: write }" },
      { granted: "permissions:\n  contents: read # to read\n  issues: write" },
      { granted: "permissions:\n  issues: write #" },
    ],
    good: [{ granted: writes }, { granted: "permissions:\n  contents: read" }],
  },
  "unpinned-images": {
    bad: [
      { job: "container: node" },
      { job: "container: { image: 'node:24' }" },
      { job: "container: { image: '${{ matrix.image }}' }" },
      { job: "services: { db: { image: 'postgres:latest' } }" },
      { job: "services: { db: { image: 'postgres@sha256:abc' } }" },
      { job: "container: node:24-alpine # the newest" },
      { job: "container: node # by tag: the newest that users get" },
      { job: "container: node:latest # by tag: the newest that users get" },
      { job: "container: node:${{ matrix.tag }} # by tag: the newest that users get" },
      { granted: writes, job: "container: node:24-alpine # by tag: the newest that users get" },
      {
        job: "container:\n  image: node:24-alpine # by tag: the newest that users get",
        steps: "- run: echo\n  env: { A: '${{ github.token }}' }",
      },
    ],
    good: [
      { job: "container: node:24-alpine # by tag: the newest that users get" },
      { job: "container:\n  image: node:24-alpine # by tag: the newest that users get" },
      { job: `container: node@${digest}` },
      { job: `services: { db: { image: 'postgres:17@${digest}' } }` },
    ],
  },
  "unpinned-uses": {
    bad: [
      uses("actions/checkout@v7", kept),
      uses("actions/checkout@main # v7.0.1", kept),
      uses(`actions/checkout@${sha.slice(0, 12)} # v7.0.1`, kept),
      uses(`actions/checkout@${sha}`, kept),
      uses(`actions/checkout@${sha} # newest`, kept),
      uses("docs-automation/docs-automation-action@main"),
      { runner: "uses: docs-automation/docs-automation-action/.github/workflows/export-sites.yml@main" },
    ],
    good: [checkout(kept), uses(`docs-automation/docs-automation-action@${sha} # v1.2.3`)],
  },
  "unredacted-secrets": {
    bad: [
      { steps: "- run: echo\n  env: { A: '${{ fromJSON(secrets.A).password }}' }" },
      { steps: "- run: echo\n  env: { A: \"${{ fromjson(format('{0}', secrets.A))['b'] }}\" }" },
    ],
    good: [{ steps: "- run: echo\n  env: { A: '${{ fromJSON(vars.A).b }}', B: '${{ secrets.A }}' }" }],
  },
  "unsound-condition": {
    bad: [
      condition("|\n    ${{ github.ref == 'a' }}"),
      condition(">\n    ${{ github.ref == 'a' }}"),
      condition("${{ github.ref == 'a' }} && ${{ github.sha == 'b' }}"),
      condition("'${{ github.ref }} == 1'"),
      condition("\"${{ github.ref == 'a' }} \""),
      condition("true"),
      condition("'!false'"),
      condition("startsWith('a', 'a')"),
    ],
    good: [
      condition("|-\n    ${{ github.ref == 'a' }}"),
      condition(">\n    github.ref == 'a' &&\n    github.sha == 'b'"),
      condition("${{ github.ref == '}}' }}"),
      condition("always()"),
      condition("'!cancelled()'"),
    ],
  },
  "unsound-contains": {
    bad: [
      condition("contains('refs/heads/main refs/heads/next', github.ref)"),
      condition("${{ !(CONTAINS('a b', github.base_ref) && github.ref == 'x') }}"),
    ],
    good: [
      condition("contains(fromJSON('[\"refs/heads/main\"]'), github.ref)"),
      condition("contains(github.event.comment.body, '/docs')"),
    ],
  },
  "unsound-ternary": {
    bad: [
      { steps: "- run: echo\n  env: { A: \"${{ github.ref == 'a' && '' || 'b' }}\" }" },
      { steps: "- run: echo\n  env: { A: \"${{ (github.ref == 'a' && (false)) || 'b' }}\" }" },
      { steps: "- run: echo\n  env: { A: \"${{ github.ref == 'a' && 0 || null && 1 || 'b' }}\" }" },
    ],
    good: [{ steps: "- run: echo\n  env: { A: \"${{ github.ref == 'a' && '0' || '' }}\" }" }],
  },
  "untrusted-checkout": {
    bad: [
      { on: "issue_comment", ...checkout("{ persist-credentials: false, ref: 'refs/pull/1/head' }") },
      { on: "issue_comment", ...checkout("{ persist-credentials: false, repository: a/b }") },
      { on: "pull_request_review_comment", ...checkout(kept) },
      { on: "[push, pull_request_review]", ...checkout(kept) },
      { on: "issue_comment", ...run('gh pr checkout "$NUMBER"') },
      { on: "issues", ...run("git fetch origin pull/1/head") },
      { on: "discussion_comment", ...run('git -C x checkout "$SHA"') },
      { on: "issue_comment", ...run('gh repo clone "$FORK"') },
    ],
    good: [
      { on: "issue_comment", ...checkout(kept) },
      { on: "pull_request", ...checkout(kept) },
      { on: "push", ...run("git fetch origin main") },
    ],
  },
};

const named = Object.entries(samples).flatMap(([rule, { bad, good = [] }]) => [
  ...bad.map((sample) => ({ rule: rule as SecurityRule, finds: true, text: workflow(sample) })),
  ...good.map((sample) => ({ rule: rule as SecurityRule, finds: false, text: workflow(sample) })),
]);

/** A change that takes one protection away, and the rule that must notice it. */
interface Weakening {
  readonly rule: SecurityRule;
  /** What is replaced; every place is one change. */
  readonly pattern: RegExp;
  readonly replacement: string;
}

const weakenings: readonly Weakening[] = [
  { rule: "artipacked", pattern: /^\s*persist-credentials: false.*$/gm, replacement: "" },
  { rule: "unpinned-uses", pattern: /@[0-9a-f]{40} # (v\d+)[\d.]*/g, replacement: "@$1" },
  { rule: "unpinned-uses", pattern: /(@[0-9a-f]{40}) # v[\d.]+/g, replacement: "$1" },
  {
    rule: "forbidden-uses",
    pattern: /^( *(?:- )?uses: )(?:actions|docs-automation)\//gm,
    replacement: "$1someone/",
  },
  { rule: "excessive-permissions", pattern: /^permissions: \{\}$/gm, replacement: "" },
  { rule: "excessive-permissions", pattern: /^permissions: \{\}$/gm, replacement: "permissions: write-all" },
  { rule: "excessive-permissions", pattern: /^ {4}permissions: \{\}.*$/gm, replacement: "" },
  { rule: "undocumented-permissions", pattern: /: write # .*$/gm, replacement: ": write" },
  { rule: "dangerous-triggers", pattern: /^on:$/gm, replacement: "on:\n  pull_request_target:" },
  { rule: "unpinned-images", pattern: / # by tag: .*$/gm, replacement: "" },
  { rule: "self-hosted-runner", pattern: /runs-on: .*$/gm, replacement: "runs-on: self-hosted" },
  {
    rule: "secrets-inherit",
    pattern: /^ {4}secrets:\n {6}api-key: .*$/gm,
    replacement: "    secrets: inherit",
  },
  {
    rule: "overprovisioned-secrets",
    pattern: /\$\{\{ secrets\.[\w-]+ \}\}/g,
    replacement: "${{ toJSON(secrets) }}",
  },
  {
    rule: "template-injection",
    pattern: /run: (?!\|)/g,
    replacement: "run: ${{ github.event.issue.title }} ",
  },
  { rule: "template-injection", pattern: /run: \|\n(\s+)/g, replacement: "run: |\n$1${{ inputs.x }}\n$1" },
  { rule: "github-env", pattern: /GITHUB_OUTPUT/g, replacement: "GITHUB_ENV" },
  { rule: "cache-poisoning", pattern: /^\s*package-manager-cache: false$/gm, replacement: "" },
  { rule: "unsound-condition", pattern: /^( +)if: (?!>)(.*)$/gm, replacement: "$1if: ${{ true }} # $2" },
];

describe("the security rules", () => {
  test("each have samples", () => {
    expect(Object.keys(samples).sort()).toEqual([...securityRules].sort());
  });

  test("are as many as the page on security says", async () => {
    const page = await readFile(new URL("../../docs/security.md", import.meta.url), "utf8");
    const bad = named.filter(({ finds }) => finds).length;
    expect(page).toContain(`| ${securityRules.length} rules for every workflow, example and page |`);
    expect(page).toContain(`| ${bad} bad workflows; every protection taken away`);
  });

  test.each(named.filter(({ finds }) => finds))("$rule finds $text", ({ rule, text }) => {
    expect(findSecurityProblems(text).map((problem) => problem.rule)).toContain(rule);
  });

  test.each(named.filter(({ finds }) => !finds))("$rule accepts $text", ({ text }) => {
    expect(findSecurityProblems(text)).toEqual([]);
  });

  test("a problem names its line and its place", () => {
    expect(findSecurityProblems(workflow(checkout("{}")))).toEqual([
      {
        rule: "artipacked",
        line: 10,
        message: "jobs.job.steps.0: the checkout needs `persist-credentials: false`",
      },
    ]);
  });

  test.each([
    "",
    "on: push",
    "jobs: [",
    "a: 1\na: 2",
    "- x",
    "on: push\njobs: { a: null }",
    "on: push\njobs: { a: { steps: [1] } }",
  ])("what is no workflow is a problem, not a crash: %j", (text) => {
    expect(findSecurityProblems(text)).not.toEqual([]);
  });
});

const workflows = await readWorkflows();

describe("the workflows of this repository, its examples and its pages", () => {
  test.each(workflows)("$name breaks no rule", ({ text }) => {
    expect(findSecurityProblems(text)).toEqual([]);
  });

  test.each(weakenings)("$rule notices $pattern replaced", ({ rule, pattern, replacement }) => {
    let changes = 0;
    for (const { name, text } of workflows) {
      for (const { 0: found, index } of text.matchAll(pattern)) {
        const one = new RegExp(pattern.source, pattern.flags.replace("g", ""));
        const changed = `${text.slice(0, index)}${text.slice(index).replace(one, replacement)}`;
        const rules = findSecurityProblems(changed).map((problem) => problem.rule);
        expect(rules, `${name}: ${found}`).toContain(rule);
        changes++;
      }
    }
    expect(changes).toBeGreaterThan(0);
  });

  test("name each action by one commit and one version", () => {
    const pins = new Map<string, Set<string>>();
    for (const { text } of workflows) {
      for (const [, action = "", pin = ""] of text.matchAll(
        /uses: ([\w-]+\/[\w-]+)\S*@([0-9a-f]{40} # v[\d.]+)/g,
      ))
        pins.set(action, (pins.get(action) ?? new Set()).add(pin));
    }
    expect(pins.size).toBeGreaterThan(5);
    expect([...pins].filter(([, versions]) => versions.size > 1)).toEqual([]);
  });

  test("are updated after a week, without running the updates' code", async () => {
    const text = await readFile(new URL("../../.github/dependabot.yml", import.meta.url), "utf8");
    const { updates } = parse(text) as { updates: readonly Record<string, unknown>[] };
    for (const update of updates) {
      expect(update).toMatchObject({ cooldown: { "default-days": 7 } });
      expect(update).not.toHaveProperty("insecure-external-code-execution", "allow");
    }
  });
});
