import { createHash, createHmac } from "node:crypto";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/**
 * Creates a presigned link by AWS Signature Version 4 ("Authenticating requests: using query parameters"). It is a separate
 * implementation, so that the tests do not check the product's client with itself.
 */
export function presign(
  { accessKeyId, secretAccessKey, region }: Credentials,
  method: "GET" | "PUT" | "DELETE",
  url: string,
  { validForSeconds = 60, signedAt = new Date() } = {},
): string {
  const time = signedAt.toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const link = new URL(url);
  // The signature requires sorting by code points: upper case comes before lower case.
  const given = [...link.searchParams].sort(([one], [other]) => (one < other ? -1 : 1));
  link.search = new URLSearchParams([
    ...Object.entries({
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
      "X-Amz-Credential": `${accessKeyId}/${scope}`,
      "X-Amz-Date": time,
      "X-Amz-Expires": String(validForSeconds),
      "X-Amz-SignedHeaders": "host",
    }),
    ...given,
  ]).toString();
  const request = [
    method,
    link.pathname,
    link.search.slice(1),
    `host:${link.host}`,
    "",
    "host",
    "UNSIGNED-PAYLOAD",
  ];
  const digest = createHash("sha256").update(request.join("\n")).digest("hex");
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${digest}`).toString("hex");
  link.searchParams.set("X-Amz-Signature", signature);
  return link.href;
}
