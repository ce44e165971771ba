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

const NODE_FIELDS = ["id"];
const ACTOR_FIELDS = ["login", "url", "avatarUrl", "resourcePath"];
const CONNECTION_FIELDS = ["nodes", "edges", "pageInfo", "totalCount"];
const COMMENT_FIELDS = [
  "id",
  "author",
  "authorAssociation",
  "body",
  "bodyText",
  "createdAt",
  "updatedAt",
  "publishedAt",
  "editor",
  "lastEditedAt",
  "includesCreatedEdit",
  "userContentEdits",
  "viewerDidAuthor",
  "url",
  "databaseId",
  "fullDatabaseId",
  "reactions",
];
const ISSUE_FIELDS = [
  ...COMMENT_FIELDS,
  "number",
  "title",
  "state",
  "locked",
  "comments",
  "labels",
  "repository",
  "resourcePath",
];

/** The object and interface types that stay, with the fields that stay. */
const FIELDS: Record<string, readonly string[]> = {
  Query: ["id", "node", "nodes", "rateLimit", "repository", "viewer"],
  Mutation: [
    "addComment",
    "addDiscussionComment",
    "addPullRequestReviewThreadReply",
    "addReaction",
    "convertPullRequestToDraft",
    "deleteDiscussionComment",
    "markPullRequestReadyForReview",
    "removeReaction",
    "resolveReviewThread",
    "updateDiscussionComment",
    "updateIssueComment",
  ],
  Node: NODE_FIELDS,
  Actor: ACTOR_FIELDS,
  Comment: COMMENT_FIELDS,
  Reactable: ["id", "databaseId", "reactions"],
  UniformResourceLocatable: ["url", "resourcePath"],
  User: [...NODE_FIELDS, ...ACTOR_FIELDS, "databaseId", "name"],
  Bot: [...NODE_FIELDS, ...ACTOR_FIELDS, "databaseId"],
  Mannequin: [...NODE_FIELDS, ...ACTOR_FIELDS, "databaseId"],
  RateLimit: ["cost", "limit", "remaining", "resetAt", "used"],
  PageInfo: ["endCursor", "hasNextPage", "hasPreviousPage", "startCursor"],
  Repository: [
    "id",
    "databaseId",
    "name",
    "nameWithOwner",
    "isPrivate",
    "resourcePath",
    "url",
    "defaultBranchRef",
    "discussion",
    "discussions",
    "issue",
    "issueOrPullRequest",
    "object",
    "pullRequest",
    "pullRequests",
    "ref",
    "refs",
  ],
  Discussion: [...COMMENT_FIELDS, "number", "title", "closed", "locked", "comments", "labels", "repository"],
  DiscussionComment: [...COMMENT_FIELDS, "discussion", "replies", "replyTo", "isMinimized"],
  Issue: ISSUE_FIELDS,
  PullRequest: [
    ...ISSUE_FIELDS,
    "baseRefName",
    "headRefName",
    "headRefOid",
    "headRepository",
    "isCrossRepository",
    "isDraft",
    "merged",
    "mergedAt",
    "closed",
    "closedAt",
    "additions",
    "deletions",
    "changedFiles",
    "files",
    "reviews",
    "reviewThreads",
    "commits",
    "mergeCommit",
    "potentialMergeCommit",
  ],
  IssueComment: [...COMMENT_FIELDS, "issue", "isMinimized"],
  PullRequestReview: [...COMMENT_FIELDS, "state", "submittedAt", "comments", "isMinimized"],
  PullRequestReviewComment: [
    ...COMMENT_FIELDS,
    "diffHunk",
    "isMinimized",
    "line",
    "originalLine",
    "outdated",
    "path",
    "pullRequest",
    "pullRequestReview",
    "replyTo",
  ],
  PullRequestReviewThread: [
    ...NODE_FIELDS,
    "comments",
    "diffSide",
    "isOutdated",
    "isResolved",
    "line",
    "originalLine",
    "path",
    "pullRequest",
    "resolvedBy",
  ],
  PullRequestChangedFile: ["additions", "changeType", "deletions", "path"],
  Deployment: [...NODE_FIELDS, "createdAt", "environment", "latestStatus", "state"],
  DeploymentStatus: [...NODE_FIELDS, "createdAt", "environmentUrl", "logUrl", "state"],
  UserContentEdit: ["id", "createdAt", "deletedAt", "diff", "editedAt", "editor", "updatedAt"],
  Label: ["id", "name"],
  Reaction: ["id", "content", "user", "databaseId", "createdAt"],
  GitObject: ["id", "oid"],
  Commit: [
    "id",
    "oid",
    "committedDate",
    "messageHeadline",
    "history",
    "deployments",
    "status",
    "url",
    "resourcePath",
  ],
  Blob: ["id", "oid"],
  Tag: ["id", "oid", "name", "target"],
  Ref: ["id", "name", "prefix", "target"],
  Status: ["id", "contexts", "state"],
  StatusContext: ["id", "context", "createdAt", "creator", "description", "state", "targetUrl"],
  PullRequestCommit: ["id", "commit", "url", "resourcePath"],
  RefConnection: CONNECTION_FIELDS,
  RefEdge: ["cursor", "node"],
  CommitHistoryConnection: CONNECTION_FIELDS,
  CommitEdge: ["cursor", "node"],
  PullRequestConnection: CONNECTION_FIELDS,
  PullRequestEdge: ["cursor", "node"],
  PullRequestCommitConnection: CONNECTION_FIELDS,
  PullRequestCommitEdge: ["cursor", "node"],
  PullRequestChangedFileConnection: ["nodes", "pageInfo", "totalCount"],
  PullRequestReviewConnection: ["nodes", "pageInfo", "totalCount"],
  PullRequestReviewCommentConnection: ["nodes", "pageInfo", "totalCount"],
  PullRequestReviewThreadConnection: ["nodes", "pageInfo", "totalCount"],
  DeploymentConnection: ["nodes", "pageInfo", "totalCount"],
  DiscussionConnection: CONNECTION_FIELDS,
  DiscussionEdge: ["cursor", "node"],
  DiscussionCommentConnection: CONNECTION_FIELDS,
  DiscussionCommentEdge: ["cursor", "node"],
  IssueCommentConnection: CONNECTION_FIELDS,
  IssueCommentEdge: ["cursor", "node"],
  LabelConnection: ["nodes", "pageInfo", "totalCount"],
  ReactionConnection: ["nodes", "pageInfo", "totalCount"],
  UserContentEditConnection: CONNECTION_FIELDS,
  UserContentEditEdge: ["cursor", "node"],
  AddCommentPayload: ["clientMutationId", "commentEdge", "subject"],
  AddDiscussionCommentPayload: ["clientMutationId", "comment"],
  AddPullRequestReviewThreadReplyPayload: ["clientMutationId", "comment"],
  AddReactionPayload: ["clientMutationId", "reaction", "subject"],
  ConvertPullRequestToDraftPayload: ["clientMutationId", "pullRequest"],
  DeleteDiscussionCommentPayload: ["clientMutationId", "comment"],
  MarkPullRequestReadyForReviewPayload: ["clientMutationId", "pullRequest"],
  RemoveReactionPayload: ["clientMutationId", "reaction", "subject"],
  ResolveReviewThreadPayload: ["clientMutationId", "thread"],
  UpdateDiscussionCommentPayload: ["clientMutationId", "comment"],
  UpdateIssueCommentPayload: ["clientMutationId", "issueComment"],
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
