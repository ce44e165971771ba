import { join } from "node:path";
import type { Hono } from "hono";
import type { Log } from "../../base/runtime.ts";
import type { Keyring } from "../base/keys.ts";
import { createUseLimit } from "../base/use-limit.ts";
import { createAssistantRoutes } from "./assistant-routes.ts";
import { createDocsLibrary } from "./docs-library.ts";
import type { ModelOptions } from "./model-client.ts";
import type { PageLinks } from "./page-links.ts";
import { openThreads } from "./threads.ts";

/** How a platform answers questions; everything has a default. */
export interface AssistantOptions {
  /** An OpenAI-compatible model that writes the answers; without it, they are quoted from the documents. */
  readonly model?: ModelOptions | undefined;
  /** Where readers find the documents; paths from the site's root unless set. */
  readonly links?: PageLinks | undefined;
  readonly requestsPerHour?: number | undefined;
  readonly requestsPerAddressAndDay?: number | undefined;
  readonly threadLifetimeMs?: number | undefined;
}

interface AssistantDeps {
  readonly keyring: Keyring;
  readonly log: Log;
  readonly now: () => number;
}

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** Opens the assistant over a folder of documents; its conversations are kept in `directory`. */
export async function openAssistant(
  options: AssistantOptions & {
    readonly docsDir: string;
    readonly domains: readonly string[];
    readonly directory: string;
  },
  deps: AssistantDeps,
): Promise<Hono> {
  const {
    requestsPerHour = 10_000,
    requestsPerAddressAndDay = 10_000,
    threadLifetimeMs = 30 * day,
  } = options;
  const threads = await openThreads(
    { directory: join(options.directory, "threads"), lifetimeMs: threadLifetimeMs },
    deps,
  );
  return createAssistantRoutes(
    {
      domains: options.domains,
      links: options.links ?? { kind: "pages", baseUrl: "" },
      model: options.model,
    },
    {
      ...deps,
      threads,
      library: createDocsLibrary(options, deps),
      organizationUses: createUseLimit(requestsPerHour, hour, deps.now),
      addressUses: createUseLimit(requestsPerAddressAndDay, day, deps.now),
    },
  );
}
