/** Where the documentation of a run is read: at its domain, or as files of the repository. */
import type { RunContext } from "../../github/event.ts";
import type { LinkPolicy } from "../../presentation/sanitize-answer.ts";
import type { PageLinks } from "../../server/assistant/page-links.ts";

/** The documents as files of the commit that runs; for the embedded platform. */
export function fileLinks(
  { repository, sha, serverUrl }: Pick<RunContext, "repository" | "sha" | "serverUrl">,
  docsDir: string,
): PageLinks {
  const folder = docsDir.replace(/^(?:\.\/)+|\/+$/g, "");
  const path = folder === "" || folder === "." ? "" : `${folder}/`;
  const baseUrl = new URL(`/${repository.owner}/${repository.name}/blob/${sha || "HEAD"}/${path}`, serverUrl)
    .href;
  return { kind: "files", baseUrl };
}

/** Links lead below the documentation's own address. */
export function linkPolicyOf(domain: string, files: PageLinks | undefined): LinkPolicy {
  if (files !== undefined) return { baseUrl: files.baseUrl, allowed: [files.baseUrl] };
  // A domain identifier may be a host name or a name of the platform's own.
  const site = domain.includes(".") && URL.canParse(`https://${domain}/`) ? `https://${domain}/` : undefined;
  return { baseUrl: site, allowed: site === undefined ? [] : [site] };
}
