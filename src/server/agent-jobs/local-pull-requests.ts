import { basename, join } from "node:path";
import { z } from "zod";
import type { Log } from "../../base/runtime.ts";
import { openRecordStore } from "../storage/record-store.ts";
import type { PublishedChange } from "./pull-request-host.ts";

/** A pull request that is a page of the platform's own. */
export const LocalPullRequest = z.object({
  number: z.int(),
  jobId: z.string(),
  branch: z.string(),
  /** A branch's name, or a commit where none was checked out. */
  base: z.string(),
  title: z.string(),
  prompts: z.array(z.string()),
  createdAt: z.iso.datetime(),
});
export type LocalPullRequest = z.infer<typeof LocalPullRequest>;

/** The pull requests of the served repository. */
export interface LocalPullRequests {
  /** Path of the repository's pages. */
  readonly repository: string;
  /** The path of a change's page; a job has one. */
  open(change: PublishedChange): Promise<string>;
  get(number: number): LocalPullRequest | undefined;
}

/** Opens the pull requests kept in a folder, of the repository whose top folder is `root`. */
export async function openLocalPullRequests(
  { directory, root }: { directory: string; root: string },
  { log, now }: { log: Log; now: () => number },
): Promise<LocalPullRequests> {
  const store = await openRecordStore(
    { directory: join(directory, "pull-requests"), schema: LocalPullRequest },
    { log },
  );
  const repository = `/local/${basename(root).replaceAll(/[^\w.-]+/g, "-") || "repository"}`;
  let lastNumber = Math.max(0, ...store.list().map(({ number }) => number));
  return {
    repository,
    get: (number) => store.get(String(number)),
    open: async ({ jobId, branch, base, title, prompts }) => {
      const found = store.list().find((pullRequest) => pullRequest.jobId === jobId);
      // Taken before anything is waited for: two jobs never get the same number.
      const number = found?.number ?? ++lastNumber;
      const createdAt = found?.createdAt ?? new Date(now()).toISOString();
      await store.put(String(number), {
        number,
        jobId,
        branch,
        base,
        title,
        prompts: [...prompts],
        createdAt,
      });
      return `${repository}/pull/${number}`;
    },
  };
}
