/** GitHub's requirements for artifacts and for GitHub Pages, checked before anything is uploaded. */
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Environment, Log } from "../base/runtime.ts";
import { formatCount } from "../base/text.ts";
import { GitHubError } from "./errors.ts";

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
    `\`retention-days: ${days}\` is more than this repository allows; the artifact is kept for ${formatCount(limit, "day")}.`,
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

/** Lists the files of an unpacked site, sorted by path. Their names were checked when the bundle was unpacked. */
export async function listSite(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return files
    .map((file, index) => ({
      file,
      path: relative(folder, file).replaceAll("\\", "/"),
      size: sizes[index] ?? 0,
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Warns of a site that GitHub Pages may not publish. */
export function checkPagesLimits(archiveBytes: number, files: readonly SiteFile[], log: Log): void {
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
