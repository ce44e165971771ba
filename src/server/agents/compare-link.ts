/**
 * Patterns of `host/path`, and the compare page of that host. A self-hosted server is recognized by a host name such as
 * `gitlab.example.com`, Bitbucket Server also by its `/scm/` paths.
 */
const pages: readonly (readonly [pattern: RegExp, page: string])[] = [
  [
    /^ssh\.dev\.azure\.com\/v3\/([^/]+\/[^/]+)\/([^/]+)$/,
    "dev.azure.com/$1/_git/$2/pullrequestcreate?sourceRef={from}&targetRef={to}",
  ],
  [
    /^((?:dev\.azure|[^/]+\.visualstudio)\.com\/.*_git\/[^/]+)$/,
    "$1/pullrequestcreate?sourceRef={from}&targetRef={to}",
  ],
  [/^(bitbucket\.org\/.+)$/, "$1/pull-requests/new?source={from}&dest={to}"],
  [
    /^(?:(.+)\/scm|([^/]*\bbitbucket\b[^/]*))\/([^/]+)\/([^/]+)$/,
    "$1$2/projects/$3/repos/$4/pull-requests?create&sourceBranch=refs/heads/{from}&targetBranch=refs/heads/{to}",
  ],
  [
    /^([^/]*\bgitlab\b[^/]*\/.+)$/,
    "$1/-/merge_requests/new?merge_request%5Bsource_branch%5D={from}&merge_request%5Btarget_branch%5D={to}",
  ],
  [/^([^/]*\b(?:github|gitea|forgejo|codeberg)\b[^/]*\/.+)$/, "$1/compare/{to}...{from}?expand=1"],
];

/**
 * The page on which a code host shows the changes of a branch and offers to open a pull request.
 *
 * @param repository Git URL without credentials.
 * @returns `undefined` for an unknown host.
 */
export function findCompareLink(repository: string, base: string, branch: string): string | undefined {
  const web = /^(https?:)\/\/(.+)/.exec(repository);
  const ssh = /^(?!file:)(?:ssh:\/\/)?(?:[^@/]+@)?([^:/]+)(?:(?::\d+)?\/|:)\/*(.+)/.exec(repository);
  const [scheme, host = ""] = web?.slice(1) ?? ["https:", ssh?.slice(1).join("/")];
  const address = host.replace(/(?:\.git)?\/*$/, "");
  const match = pages.find(([pattern]) => pattern.test(address));
  const encode = (name: string) => name.split("/").map(encodeURIComponent).join("/");
  const page =
    match &&
    address
      .replace(...match)
      .replace("{from}", encode(branch))
      .replace("{to}", encode(base));
  return page && `${scheme}//${page}`;
}
