/** Checks an API key by its format, before any request. */

/**
 * Distinguishes the two types of API key by their prefix (specification §5): `svc_…` is an admin key, `svc_dsc_…` an assistant key.
 * Prefixes of other vendors in the same format are accepted.
 */
export function classifyApiKey(apiKey: string): "admin" | "assistant" | "unknown" {
  if (/^[a-z0-9]+_dsc_[\x21-\x7e]+$/i.test(apiKey)) return "assistant";
  return /^[a-z0-9]+_[\x21-\x7e]+$/i.test(apiKey) ? "admin" : "unknown";
}

/** Prefixes of secrets that other services issue. Some of them have the format of a platform's key. */
const foreignSecretPatterns: readonly (readonly [string, RegExp])[] = [
  ["GitHub", /^(?:gh[a-z]_|github_pat_)/i],
  ["GitLab", /^gl[a-z]{2,6}-/],
  ["AWS", /^(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{12}/],
  ["Google", /^(?:AIza|ya29\.|GOCSPX-)/],
  [
    "a payment service",
    /^(?:(?:sk|rk|pk)_(?:live|test|prod)_|whsec_|sq0[a-z]{3}-|shp[a-z]{2}_|access_token\$)/,
  ],
  ["a model service", /^(?:sk-[\w-]{16}|gsk_|hf_|r8_|xai-|pplx-|nvapi-)/],
  ["Slack", /^(?:xox[a-z]|xapp)[.-]/],
  ["a package registry", /^(?:npm_|pypi-|rubygems_|dckr_pat_|oy2[a-z0-9]{20})/],
  ["a hosting service", /^(?:do[opr]_v1_|sbp_|hv[bsr]\.|dp\.[a-z]{2}\.|pul-|tskey-|glsa_|FlyV1)/],
  ["another service", /^(?:SG\.|ATATT|PMAK-|lin_api_|figd_|ntn_|sntry[a-z]_|AGE-SECRET-KEY-)/],
  ["an identity provider (a JWT)", /^eyJ[\w-]{8,}\./],
  ["a key file", /^-----BEGIN/],
];

/** The service that issued a secret, if its prefix shows that it is not a documentation platform. */
export function detectForeignIssuer(apiKey: string): string | undefined {
  return foreignSecretPatterns.find(([, shape]) => shape.test(apiKey))?.[0];
}
