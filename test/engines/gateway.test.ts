import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Gateway, sharedGateway } from "./gateway.ts";
import { presign } from "./presign.ts";

let gateway: Gateway;
let bucket: string;

beforeAll(async () => {
  gateway = await sharedGateway();
  bucket = await gateway.createBucket();
}, 600_000);

const put = (url: string, body: string) => fetch(presign(gateway, "PUT", url), { method: "PUT", body });
const addressOf = (name: string) => `${gateway.endpoint}/${bucket}/${name}`;
const read = async (url: string) => (await fetch(presign(gateway, "GET", url))).text();

/** The gateway's error code. */
async function refusalOf(response: Response): Promise<string> {
  return `${response.status} ${/<Code>(\w+)</.exec(await response.text())?.[1]}`;
}

describe("the S3 gateway of the tests", () => {
  test("returns what was stored", async () => {
    const url = addressOf("kept.txt");
    expect((await put(url, "some text")).status).toBe(200);
    expect(await read(url)).toBe("some text");
  });

  test("rejects a wrong secret, an unknown key and a link for another object", async () => {
    const url = addressOf("refused.txt");
    await put(url, "some text");

    const wrongSecret = presign({ ...gateway, secretAccessKey: "wrong" }, "GET", url);
    const unknownKey = presign({ ...gateway, accessKeyId: "UNKNOWN" }, "GET", url);
    const otherObject = presign(gateway, "GET", url).replace("refused.txt", "kept.txt");

    expect(await refusalOf(await fetch(wrongSecret))).toBe("403 SignatureDoesNotMatch");
    expect(await refusalOf(await fetch(unknownKey))).toBe("403 InvalidAccessKeyId");
    expect(await refusalOf(await fetch(otherObject))).toBe("403 SignatureDoesNotMatch");
    expect(await refusalOf(await fetch(url))).toBe("403 AccessDenied");
  });

  test("rejects an expired link", async () => {
    const url = addressOf("expired.txt");
    await put(url, "some text");

    const signedAt = new Date(Date.now() - 61_000);
    const link = presign(gateway, "GET", url, { validForSeconds: 60, signedAt });

    expect(await refusalOf(await fetch(link))).toBe("403 AccessDenied");
  });

  test("keeps its objects and its address after a kill", async () => {
    const url = addressOf(randomUUID());
    await put(url, "kept");

    await gateway.kill();
    await expect(fetch(url)).rejects.toThrow();
    await gateway.start();

    expect(await read(url)).toBe("kept");
  });
});
