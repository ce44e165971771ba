import { createKeyRedactor } from "../../client/redact-key.ts";

/** Keeps credentials out of the log and of everything that is shown: the runner's masks cover logs only. */
export interface SecretKeeper {
  /** From now on, this is a credential too. */
  readonly keepSecret: (secret: string) => void;
  /** The text without the credentials known by now. */
  readonly redact: (text: string) => string;
}

/** Makes a keeper that knows the key of the platform, which is masked already; the embedded platform has none. */
export function createSecretKeeper(
  apiKey: string | undefined,
  { maskSecret }: { readonly maskSecret: (secret: string) => void },
): SecretKeeper {
  const hiders = apiKey === undefined ? [] : [createKeyRedactor(apiKey)];
  return {
    keepSecret(secret) {
      maskSecret(secret);
      hiders.push(createKeyRedactor(secret));
    },
    redact: (text) => hiders.reduce((shown, hide) => hide(shown), text),
  };
}
