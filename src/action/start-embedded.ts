import type { StepContext } from "./step.ts";

/** The domain that the embedded platform serves unless told another. */
export const embeddedDomain = "localhost";

interface EmbeddedOptions {
  /** Folder of the documents. */
  readonly docsDir: string;
  readonly domain?: string | undefined;
}

/** Starts the embedded platform for this run; `base-url: local`. Its code is loaded only then. */
export async function startEmbedded(
  { docsDir, domain = embeddedDomain }: EmbeddedOptions,
  { context }: { context: StepContext },
) {
  const { startLocalPlatform } = await import("../local-platform/start-local-platform.ts");
  const platform = await startLocalPlatform(
    { docsDir, domains: [domain] },
    { signal: context.signal, log: context.log },
  );
  return {
    url: new URL(platform.url),
    apiKey: platform.adminKey,
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  };
}
