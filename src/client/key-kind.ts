/**
 * Tells the two kinds of API key apart by their prefix (specification §5), before any request: `svc_…` is an admin key,
 * `svc_dsc_…` an assistant key; other vendors' prefixes of the same shape are accepted.
 */
export function keyKindOf(apiKey: string): "admin" | "assistant" | "unknown" {
  if (/^[a-z0-9]+_dsc_[\x21-\x7e]+$/i.test(apiKey)) return "assistant";
  return /^[a-z0-9]+_[\x21-\x7e]+$/i.test(apiKey) ? "admin" : "unknown";
}
