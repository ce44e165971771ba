/**
 * Cuts GitHub's GraphQL schema down to the types and fields that the tests' GitHub stand-in offers.
 *
 *   npm install --no-save @octokit/graphql-schema@15.26.1
 *   node scripts/cut-github-graphql.ts
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  assertValidSchema,
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  visit,
} from "graphql";

/** The object and interface types that stay, with the fields that stay: what the action and the tests ask for. */
const FIELDS: Record<string, readonly string[]> = {
  Query: ["id", "node", "nodes", "repository", "viewer"],
  Mutation: [
    "addDiscussionComment",
    "addPullRequestReviewThreadReply",
    "addReaction",
    "convertPullRequestToDraft",
    "deleteDiscussionComment",
    "resolveReviewThread",
    "updateDiscussionComment",
  ],
  Node: ["id"],
  Actor: ["login"],
  Comment: ["body"],
  GitObject: ["oid"],
  User: ["id", "databaseId", "login"],
  Bot: ["id", "databaseId", "login"],
  PageInfo: ["endCursor", "hasNextPage", "hasPreviousPage", "startCursor"],
  Repository: ["id", "discussions", "object", "pullRequest", "pullRequests", "refs"],
  Discussion: ["id", "body", "comments", "number", "updatedAt"],
  DiscussionComment: [
    "id",
    "author",
    "body",
    "createdAt",
    "databaseId",
    "editor",
    "isMinimized",
    "lastEditedAt",
    "replies",
    "replyTo",
    "updatedAt",
    "url",
  ],
  Issue: ["id", "body"],
  PullRequest: [
    "id",
    "additions",
    "baseRefName",
    "body",
    "changedFiles",
    "comments",
    "commits",
    "createdAt",
    "deletions",
    "files",
    "headRefName",
    "headRefOid",
    "isCrossRepository",
    "isDraft",
    "number",
    "reviews",
    "reviewThreads",
    "state",
    "title",
    "url",
  ],
  IssueComment: ["id", "author", "body", "editor", "fullDatabaseId", "isMinimized", "lastEditedAt"],
  PullRequestReview: [
    "id",
    "author",
    "body",
    "createdAt",
    "fullDatabaseId",
    "isMinimized",
    "lastEditedAt",
    "publishedAt",
    "state",
    "updatedAt",
    "url",
  ],
  PullRequestReviewComment: [
    "id",
    "author",
    "body",
    "createdAt",
    "diffHunk",
    "editor",
    "fullDatabaseId",
    "isMinimized",
    "lastEditedAt",
    "publishedAt",
    "pullRequestReview",
    "updatedAt",
    "url",
  ],
  PullRequestReviewThread: [
    "id",
    "comments",
    "diffSide",
    "isOutdated",
    "isResolved",
    "line",
    "originalLine",
    "path",
  ],
  PullRequestChangedFile: ["additions", "changeType", "deletions", "path"],
  PullRequestCommit: ["id", "commit"],
  Commit: ["id", "committedDate", "deployments", "history", "messageHeadline", "oid", "status", "url"],
  Blob: ["id", "oid"],
  Ref: ["id", "target"],
  Status: ["id", "contexts"],
  StatusContext: ["id", "context", "createdAt", "creator", "targetUrl"],
  Deployment: ["id", "latestStatus"],
  DeploymentStatus: ["id", "environmentUrl", "state"],
  CommitHistoryConnection: ["nodes", "pageInfo"],
  DeploymentConnection: ["nodes"],
  DiscussionConnection: ["nodes", "pageInfo"],
  DiscussionCommentConnection: ["nodes", "pageInfo"],
  IssueCommentConnection: ["nodes"],
  PullRequestConnection: ["nodes", "pageInfo"],
  PullRequestCommitConnection: ["nodes"],
  PullRequestChangedFileConnection: ["nodes"],
  PullRequestReviewConnection: ["nodes"],
  PullRequestReviewCommentConnection: ["nodes", "totalCount"],
  PullRequestReviewThreadConnection: ["nodes", "pageInfo", "totalCount"],
  RefConnection: ["nodes", "pageInfo"],
  AddDiscussionCommentPayload: ["comment"],
  AddPullRequestReviewThreadReplyPayload: ["clientMutationId"],
  AddReactionPayload: ["clientMutationId"],
  ConvertPullRequestToDraftPayload: ["pullRequest"],
  DeleteDiscussionCommentPayload: ["comment"],
  ResolveReviewThreadPayload: ["clientMutationId", "thread"],
  UpdateDiscussionCommentPayload: ["comment"],
};

type Composite = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode;

const isComposite = (node: DefinitionNode): node is Composite =>
  node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION;

function cutComposite(node: Composite): Composite {
  const wanted = FIELDS[node.name.value] ?? [];
  const fields = (node.fields ?? []).filter(({ name }) => wanted.includes(name.value));
  const interfaces = (node.interfaces ?? []).filter(({ name }) => name.value in FIELDS);
  return { ...node, fields, interfaces };
}

/** Every named type that a definition mentions. */
function mentioned(node: DefinitionNode): string[] {
  const names: string[] = [];
  visit(node, { NamedType: ({ name }) => void names.push(name.value) });
  return names;
}

function indexByName(definitions: readonly DefinitionNode[]): Map<string, DefinitionNode> {
  const byName = new Map<string, DefinitionNode>();
  for (const node of definitions) {
    if ("name" in node && node.name !== undefined) byName.set(node.name.value, node);
  }
  return byName;
}

function withoutDescriptions(document: DocumentNode): DocumentNode {
  return visit(document, {
    enter: (node) => ("description" in node ? { ...node, description: undefined } : undefined),
    Directive: () => null,
    DirectiveDefinition: () => null,
  });
}

function cut(document: DocumentNode): DocumentNode {
  const byName = indexByName(document.definitions);
  const kept = new Map<string, DefinitionNode>();
  const pending = ["Query", "Mutation", ...Object.keys(FIELDS)];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const node = byName.get(name);
    if (node === undefined || kept.has(name)) continue;
    const cutNode = isComposite(node) ? cutComposite(node) : cutUnion(node);
    kept.set(name, cutNode);
    if (isComposite(node)) requireFields(cutNode as Composite);
    pending.push(...mentioned(cutNode));
  }
  return { kind: Kind.DOCUMENT, definitions: [...kept.values()] };
}

function cutUnion(node: DefinitionNode): DefinitionNode {
  if (node.kind !== Kind.UNION_TYPE_DEFINITION) return node;
  return { ...node, types: (node.types ?? []).filter(({ name }) => name.value in FIELDS) };
}

/** An object or interface that is mentioned but has no field left is one that `FIELDS` forgot. */
function requireFields({ name, fields }: Composite): void {
  if ((fields?.length ?? 0) === 0) throw new Error(`FIELDS does not say what stays of ${name.value}`);
}

const source = new URL("../node_modules/@octokit/graphql-schema/schema.graphql", import.meta.url);
const target = fileURLToPath(new URL("../test/fixtures/github-schema.graphql", import.meta.url));
const original = withoutDescriptions(
  parse(await readFile(process.argv[2] ?? source, "utf8"), { noLocation: true }),
);
const cutDocument = cut(original);
assertValidSchema(buildASTSchema(cutDocument));
await writeFile(target, `${print(cutDocument)}\n`);
console.log(`${target}: ${cutDocument.definitions.length} types`);
