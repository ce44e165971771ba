/**
 * Forms of `host/path`, and the page there that asks for a merge. A server of one's own is known by a name such as
 * `gitlab.example.com`, Bitbucket's by the path of its repositories too.
 */
const pages: readonly (readonly [form: RegExp, page: string])[] = [
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
 * The page on which a code host shows what a pushed branch would change, and asks for its merge.
 *
 * @param repository Its address as git takes it, without credentials.
 * @returns `undefined` for a host whose kind cannot be told.
 */
export function findCompareLink(repository: string, base: string, branch: string): string | undefined {
  const web = /^(https?:)\/\/(.+)/.exec(repository);
  const ssh = /^(?!file:)(?:ssh:\/\/)?(?:[^@/]+@)?([^:/]+)(?:(?::\d+)?\/|:)\/*(.+)/.exec(repository);
  const [scheme, host = ""] = web?.slice(1) ?? ["https:", ssh?.slice(1).join("/")];
  const address = host.replace(/(?:\.git)?\/*$/, "");
  const found = pages.find(([form]) => form.test(address));
  const encode = (name: string) => name.split("/").map(encodeURIComponent).join("/");
  const page =
    found &&
    address
      .replace(...found)
      .replace("{from}", encode(branch))
      .replace("{to}", encode(base));
  return page && `${scheme}//${page}`;
}
