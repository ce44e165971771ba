/** Whether a link that the platform reports is a pull request of the right repository. */

export interface LinkExpectation {
  /** GitHub's address, such as `https://github.com`. */
  readonly serverUrl: URL;
  /** `owner/name` of the repository that the workflow runs in. */
  readonly repository: string;
  /** The job's `source.repository`: an address or `owner/name`. */
  readonly source: string | undefined;
  /** Origin of a platform on this machine, which may serve pull requests as pages of its own. */
  readonly localOrigin: string | undefined;
}

export type PullRequestLink =
  | {
      readonly kind: "pull-request";
      readonly owner: string;
      readonly name: string;
      readonly number: number;
      readonly url: string;
    }
  /** A page of a platform on this machine. */
  | { readonly kind: "local-page"; readonly url: string }
  | { readonly kind: "mismatch"; readonly reason: string };

/** Reads a reported link; its query and fragment are dropped. */
export function verifyPullRequestLink(link: string, expected: LinkExpectation): PullRequestLink {
  if (!URL.canParse(link)) return mismatch("it is not an address");
  const url = new URL(link);
  if (expected.localOrigin !== undefined && url.origin === expected.localOrigin) {
    return { kind: "local-page", url: `${url.origin}${url.pathname}` };
  }
  const { serverUrl } = expected;
  if (url.protocol !== "https:" && url.protocol !== serverUrl.protocol) return mismatch("it is not https");
  if (url.username !== "" || url.password !== "") return mismatch("it holds a user name");
  if (url.host !== serverUrl.host) return mismatch(`it is not on ${serverUrl.host}`);
  const [, owner = "", name = "", digits = ""] =
    /^\/([\w.-]+)\/([\w.-]+)\/pull\/((?!0+\/?$)\d{1,10})\/?$/.exec(url.pathname) ?? [];
  if (digits === "") return mismatch("it is not the address of a pull request");
  const allowed = [expected.repository, repositoryOf(expected.source, serverUrl)];
  const isExpected = allowed.some(
    (repository) => repository?.toLowerCase() === `${owner}/${name}`.toLowerCase(),
  );
  if (!isExpected) return mismatch("it belongs to another repository than the job");
  const number = Number(digits);
  return { kind: "pull-request", owner, name, number, url: `${url.origin}/${owner}/${name}/pull/${number}` };
}

/** `owner/name`, an address of the server with or without its scheme, or one that git takes: `git@host:owner/name.git`. */
const sourceForms =
  /^(?:(?:(?:https?|ssh|git):\/\/)?(?:[^@/\s]+@)?(?<host>[\w.-]+(?::\d+)?)[/:])?(?<name>[\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i;

function repositoryOf(source: string | undefined, { host, hostname }: URL): string | undefined {
  const found = sourceForms.exec(source?.trim() ?? "")?.groups;
  const sourceHost = found?.["host"]?.toLowerCase();
  const isHere = sourceHost === undefined || sourceHost === host || sourceHost === hostname;
  return isHere ? found?.["name"] : undefined;
}

function mismatch(reason: string): PullRequestLink {
  return { kind: "mismatch", reason };
}
