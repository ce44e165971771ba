/** Connects a step to its platform: a hosted one, or the embedded one started for this run. */
import type { Dispatcher } from "undici";
import { version } from "../../base/version.ts";
import { createPlatformClient, type PlatformClient } from "../../client/client.ts";
import { createDispatcher } from "../../client/transport/dispatcher.ts";
import type { SharedInputs } from "../inputs.ts";
import type { Run } from "../run.ts";

export interface PlatformConnection extends AsyncDisposable {
  readonly platform: PlatformClient;
  /** For requests of our own to other hosts: storage. */
  readonly dispatcher: Dispatcher;
}

/** What starts the embedded platform; the step that wants it brings its options. */
export type StartEmbeddedPlatform = () => Promise<
  { readonly url: URL; readonly apiKey: string } & AsyncDisposable
>;

export async function connectPlatform(
  inputs: Pick<SharedInputs, "baseUrl" | "apiKey">,
  { context, startEmbedded }: { context: Run; startEmbedded: StartEmbeddedPlatform },
): Promise<PlatformConnection> {
  await using stack = new AsyncDisposableStack();
  const embedded = inputs.baseUrl === "local" ? stack.use(await startEmbedded()) : undefined;
  const baseUrl = inputs.baseUrl === "local" ? embedded?.url : inputs.baseUrl;
  const apiKey = embedded?.apiKey ?? inputs.apiKey;
  if (baseUrl === undefined || apiKey === undefined)
    throw new Error("A platform needs an address and a key.");
  context.maskSecret(apiKey);
  const { environment } = context;
  const dispatcher = createDispatcher({
    httpsProxy: environment["https_proxy"] ?? environment["HTTPS_PROXY"],
    httpProxy: environment["http_proxy"] ?? environment["HTTP_PROXY"],
    noProxy: environment["no_proxy"] ?? environment["NO_PROXY"],
  });
  stack.defer(() => dispatcher.close());
  const { clock, log, signal, random, deadlineMs } = context;
  const userAgent = `docs-automation-action/${version}`;
  const platform = createPlatformClient(
    { baseUrl, apiKey, userAgent, deadlineMs },
    { dispatcher, clock, log, signal, random },
  );
  const owned = stack.move();
  return { platform, dispatcher, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
