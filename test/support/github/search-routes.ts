/** The search for issues and pull requests, as far as its qualifiers go here. */

import { ApiError, type Handler } from "./api-call.ts";
import type { Issue } from "./records.ts";
import { ACTIONS_BOT } from "./render-people.ts";
import { renderIssue } from "./render-threads.ts";
import type { GitHubState } from "./state.ts";

type Condition = (issue: Issue, state: GitHubState) => boolean;

const login = (value: string) =>
  value === "app/github-actions" ? ACTIONS_BOT : value.replace(/^app\/(.*)/, "$1[bot]");

const isDate = (field: "createdAt" | "updatedAt", value: string): Condition => {
  const [, operator = "", date = ""] = /^(>=|<=|>|<)?(.*)$/.exec(value) ?? [];
  const limit = Date.parse(date);
  const compare = { ">=": (time: number) => time >= limit, "<=": (time: number) => time <= limit };
  const strict = { ">": (time: number) => time > limit, "<": (time: number) => time < limit };
  const test = { ...compare, ...strict }[operator] ?? ((time: number) => time === limit);
  return (issue) => test(Date.parse(issue[field]));
};

const is = (value: string): Condition => {
  const conditions: Record<string, Condition> = {
    pr: (issue) => issue.pull !== undefined,
    "pull-request": (issue) => issue.pull !== undefined,
    issue: (issue) => issue.pull === undefined,
    open: (issue) => issue.state === "open",
    closed: (issue) => issue.state === "closed",
    merged: (issue) => issue.pull?.mergedAt !== undefined,
    draft: (issue) => issue.pull?.draft === true,
  };
  return conditions[value] ?? (() => false);
};

const qualifiers: Readonly<Record<string, (value: string) => Condition>> = {
  repo:
    (value) =>
    (_, { owner, name }) =>
      value === `${owner}/${name}`,
  is,
  type: is,
  state: is,
  author: (value) => (issue) => issue.author === login(value),
  label: (value) => (issue) => issue.labels.includes(value),
  head: (value) => (issue) => issue.pull?.head.startsWith(value) === true,
  base: (value) => (issue) => issue.pull?.base === value,
  created: (value) => isDate("createdAt", value),
  updated: (value) => isDate("updatedAt", value),
  // Where words are looked for; here they are looked for everywhere.
  in: () => () => true,
  commenter:
    (value) =>
    (issue, { comments }) =>
      [...comments.values()].some(
        (comment) => comment.issueNumber === issue.number && comment.author === login(value),
      ),
};

const mentions =
  (word: string): Condition =>
  (issue, { comments }) => {
    const onThread = [...comments.values()].filter(({ issueNumber }) => issueNumber === issue.number);
    const text = [issue.title, issue.body, ...onThread.map(({ body }) => body)].join("\n").toLowerCase();
    return text.includes(word.toLowerCase());
  };

function readTerm(term: string): Condition {
  const [, qualifier, quoted, plain] = /^(?:([a-z]+):)?(?:"([^"]*)"|(\S+))$/.exec(term) ?? [];
  const value = quoted ?? plain ?? "";
  if (qualifier === undefined) return mentions(value);
  const condition = qualifiers[qualifier];
  if (condition === undefined) {
    throw new ApiError(422, "Validation Failed", [{ message: `unknown qualifier ${qualifier}`, field: "q" }]);
  }
  return condition(value);
}

export const searchRoutes: Readonly<Record<string, Handler>> = {
  "search/issues-and-pull-requests": (call) => {
    const terms = call.query.get("q")?.match(/(?:[a-z]+:)?"[^"]*"|\S+/g) ?? [];
    const namesKind = terms.some((term) => /^(is|type):"?(issue|pr|pull-request)"?$/.test(term));
    if (call.actor.kind === "app" && !namesKind) {
      throw new ApiError(422, "Validation Failed", [
        {
          message: "Query must include 'is:issue' or 'is:pull-request'",
          resource: "Search",
          field: "q",
          code: "invalid",
        },
      ]);
    }
    const conditions = terms.map(readTerm);
    const found = [...call.state.issues.values()]
      .filter((issue) => conditions.every((condition) => condition(issue, call.state)))
      .toSorted((one, other) => other.number - one.number);
    return { status: 200, list: found.map((issue) => ({ ...renderIssue(issue, call), score: 1 })) };
  },
};
