/** GitHub's requirements for artifacts and for GitHub Pages, checked before anything is uploaded. */
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Environment, Log } from "../base/runtime.ts";
import { GitHubError } from "./errors.ts";

/** Artifacts must unpack on every file system, so the rules are those of NTFS (`@actions/artifact`, path-and-artifact-name-validation). */
const forbiddenInPaths = /[":<>|*?\r\n]/;

/** `actions/deploy-pages` rejects a larger archive. */
const pagesMaxBytes = 10 * 1024 ** 3;

/** GitHub Pages' limit for a published site; deploy-pages only warns. */
const pagesAdvisedBytes = 1024 ** 3;

/**
 * Checks that the runner has an artifact service that this action can use, so that a run without one fails before it starts an
 * export.
 *
 * @throws {GitHubError} with the alternative.
 */
export function requireArtifactService(environment: Environment): void {
  const section = "no-artifact-service";
  const server = new URL(environment["GITHUB_SERVER_URL"] || "https://github.com");
  if (!/^(github\.com|.+\.ghe\.com|.+\.localhost)$/i.test(server.hostname)) {
    const message = `${server.host} is a GitHub Enterprise Server (or another forge): its artifact service is older than the one this action uploads to.`;
    const hint =
      "Set `upload: none` and add a step with `actions/upload-artifact@v3`, the newest that such a server accepts, for the file in the output `bundle-path`.";
    throw new GitHubError("rejected", message, { hint, section });
  }
  if (environment["ACTIONS_RUNTIME_TOKEN"] && environment["ACTIONS_RESULTS_URL"]) return;
  const message =
    "The runner did not name an artifact service (ACTIONS_RESULTS_URL and ACTIONS_RUNTIME_TOKEN are not set).";
  const hint =
    "Artifacts exist only inside a job of GitHub Actions. Set `upload: none`: the output `bundle-path` then names the file for a later step.";
  throw new GitHubError("rejected", message, { hint, section });
}

/** The retention in days: at most what the repository allows, with a warning. `undefined` means the repository's default. */
export function allowedRetentionDays(
  days: number | undefined,
  environment: Environment,
  log: Log,
): number | undefined {
  if (days === undefined) return undefined;
  const limit = Number(environment["GITHUB_RETENTION_DAYS"]);
  if (!(limit > 0) || days <= limit) return days;
  log.warning(
    `\`retention-days: ${days}\` is more than this repository allows; the artifact is kept for ${limit} day${limit === 1 ? "" : "s"}.`,
  );
  return limit;
}

/** A file of a site. */
export interface SiteFile {
  readonly file: string;
  /** Path inside the site, with forward slashes. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Lists a site's files, sorted by path, without version-control folders.
 *
 * @throws {GitHubError} if it is empty, or contains links, devices or names that an artifact cannot contain.
 */
export async function listSite(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const listed = entries
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return { entry, file, path: relative(folder, file).replaceAll("\\", "/") };
    })
    .filter(({ path }) => !/^\.git(hub)?(\/|$)/.test(path));
  const odd = listed.filter(({ entry }) => !entry.isFile() && !entry.isDirectory());
  refuse(odd, "are links or devices, which would upload something other than the site");
  refuse(
    listed.filter(({ path }) => forbiddenInPaths.test(path)),
    'have names that an artifact cannot hold (" : < > | * ? and line breaks)',
  );
  const paths = listed.filter(({ entry }) => entry.isFile());
  const files = await Promise.all(
    paths.map(async ({ file, path }) => ({ file, path, size: (await lstat(file)).size })),
  );
  if (files.length === 0) throw new GitHubError("rejected", `There is no file to upload in ${folder}.`);
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

function refuse(offenders: readonly Pick<SiteFile, "path">[], problem: string): void {
  if (offenders.length === 0) return;
  const examples = offenders.slice(0, 5).map(({ path }) => JSON.stringify(path));
  const more = offenders.length > examples.length ? " …" : "";
  const count = offenders.length === 1 ? "1 entry" : `${offenders.length} entries`;
  const message = `${count} of the site ${problem}: ${examples.join(", ")}${more}.`;
  const hint = "Use `upload: archive`, which takes the bundle as it is, or rename these pages at the source.";
  throw new GitHubError("rejected", message, { hint });
}

/**
 * Checks the limits of GitHub Pages.
 *
 * @throws {GitHubError} if GitHub Pages would reject the deployment.
 */
export function requirePagesLimits(archiveBytes: number, files: readonly SiteFile[], log: Log): void {
  if (archiveBytes > pagesMaxBytes) {
    const message = `The site is ${archiveBytes} bytes; GitHub Pages refuses more than ${pagesMaxBytes}.`;
    const hint =
      "Export fewer pages (`export-paths`), or use `upload: archive` and serve the site elsewhere.";
    throw new GitHubError("bundle-too-large", message, { hint });
  }
  if (archiveBytes > pagesAdvisedBytes) {
    log.warning(
      `The site is ${archiveBytes} bytes: above GitHub Pages' limit of 1 GB, it may not be published.`,
    );
  }
  if (!files.some(({ path }) => path === "index.html")) {
    log.warning(
      "The site has no index.html at its top: GitHub Pages will answer its address with 404 Not Found.",
    );
  }
}
