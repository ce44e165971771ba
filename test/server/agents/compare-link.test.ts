import { expect, test } from "vitest";
import { findCompareLink } from "../../../src/server/agents/compare-link.ts";

const gitLab = (page: string) =>
  `${page}/-/merge_requests/new?merge_request%5Bsource_branch%5D=docs-agent/aj_1&merge_request%5Btarget_branch%5D=v1/%23next`;
const bitbucket = (page: string) =>
  `${page}/pull-requests?create&sourceBranch=refs/heads/docs-agent/aj_1&targetBranch=refs/heads/v1/%23next`;
const compare = (page: string) => `${page}/compare/v1/%23next...docs-agent/aj_1?expand=1`;
const azure = (page: string) => `${page}/pullrequestcreate?sourceRef=docs-agent/aj_1&targetRef=v1/%23next`;

test.each([
  ["https://github.com/octo-org/widgets.git", compare("https://github.com/octo-org/widgets")],
  ["git@github.com:octo-org/widgets.git", compare("https://github.com/octo-org/widgets")],
  ["https://github.example.com/octo-org/widgets/", compare("https://github.example.com/octo-org/widgets")],
  ["https://gitlab.com/a/b/c/widgets.git", gitLab("https://gitlab.com/a/b/c/widgets")],
  ["ssh://git@gitlab.example.com:2222/a/widgets.git", gitLab("https://gitlab.example.com/a/widgets")],
  ["http://gitlab.internal:8080/a/widgets", gitLab("http://gitlab.internal:8080/a/widgets")],
  ["https://codeberg.org/a/widgets.git", compare("https://codeberg.org/a/widgets")],
  ["gitea@my-gitea.example.com:a/widgets.git", compare("https://my-gitea.example.com/a/widgets")],
  ["https://forgejo.example.com/a/widgets.git", compare("https://forgejo.example.com/a/widgets")],
  [
    "git@bitbucket.org:a/widgets.git",
    "https://bitbucket.org/a/widgets/pull-requests/new?source=docs-agent/aj_1&dest=v1/%23next",
  ],
  [
    "https://git.example.com/scm/docs/widgets.git",
    bitbucket("https://git.example.com/projects/docs/repos/widgets"),
  ],
  ["https://example.com/git/scm/~mona/w.git", bitbucket("https://example.com/git/projects/~mona/repos/w")],
  [
    "ssh://git@bitbucket.example.com:7999/docs/widgets.git",
    bitbucket("https://bitbucket.example.com/projects/docs/repos/widgets"),
  ],
  [
    "https://dev.azure.com/org/My%20Docs/_git/widgets",
    azure("https://dev.azure.com/org/My%20Docs/_git/widgets"),
  ],
  ["git@ssh.dev.azure.com:v3/org/docs/widgets", azure("https://dev.azure.com/org/docs/_git/widgets")],
  ["https://org.visualstudio.com/_git/widgets", azure("https://org.visualstudio.com/_git/widgets")],
  ["https://git.example.com/a/widgets.git", undefined],
  ["git@git.example.com:a/widgets.git", undefined],
  ["/srv/gitlab/widgets.git", undefined],
  ["file:///srv/gitlab.example.com/widgets.git", undefined],
  ["file:///srv/scm/a/widgets.git", undefined],
])("the compare page of %s", (repository, link) => {
  expect(findCompareLink(repository, "v1/#next", "docs-agent/aj_1")).toBe(link);
});
