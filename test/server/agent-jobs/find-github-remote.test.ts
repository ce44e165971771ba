import { expect, test } from "vitest";
import { findGithubRemote } from "../../../src/server/agent-jobs/find-github-remote.ts";
import { createRepository, git } from "./agent-platform.ts";

const github = {
  serverUrl: "https://github.com",
  apiUrl: "https://api.github.com",
  owner: "octo-org",
  repository: "widgets",
  token: "t",
};

test.each([
  ["https://github.com/octo-org/widgets", { ...github, gitUrl: "https://github.com/octo-org/widgets" }],
  [
    "https://someone:secret@github.com/octo-org/widgets.git",
    { ...github, gitUrl: "https://github.com/octo-org/widgets.git" },
  ],
  [
    "http://127.0.0.1:8080/octo-org/widgets.git",
    { ...github, gitUrl: "http://127.0.0.1:8080/octo-org/widgets.git" },
  ],
  ["git@github.com:octo-org/widgets.git", github],
  ["ssh://git@github.com/octo-org/widgets.git", github],
  ["https://gitlab.com/octo-org/widgets.git", undefined],
  ["https://github.com.evil.example/octo-org/widgets.git", undefined],
  ["git@gitlab.com:octo-org/widgets.git", undefined],
  ["../elsewhere", undefined],
  [undefined, undefined],
])("a clone of %s has its pull requests where its remote is", async (origin, expected) => {
  await using repository = await createRepository();
  if (origin !== undefined) await git(repository.root, "remote", "add", "origin", origin);
  const { signal } = new AbortController();

  const found = await findGithubRemote(
    { repository: repository.root, github },
    { environment: process.env, signal },
  );

  expect(found).toEqual(expected);
});
