import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { until } from "../test-platform.ts";
import { createSites, secret, signal } from "./sites-fixture.ts";

const sign = (body: string, key = secret) => createHmac("sha256", key).update(body).digest("hex");
const pushTo = (ref: string) => JSON.stringify({ ref, before: "0".repeat(40), commits: [{ message: "é" }] });
const main = pushTo("refs/heads/main");

const github = (body: string, key?: string) => ({ "x-hub-signature-256": `sha256=${sign(body, key)}` });
const gitlab = (token: string) => ({ "x-gitlab-token": token });

describe("the push webhook", () => {
  test.each([
    ["GitHub, Gitea and Forgejo", github(main), undefined],
    ["GitLab, to a domain in capitals", gitlab(secret), "Docs.Example.COM"],
  ])("refreshes a site's branch for %s", async (_, headers, host) => {
    await using sites = await createSites();
    await using process = await sites.open();
    await process.documents.readRevision(signal);
    const newer = await sites.remote.commit({ files: { "docs/index.md": "second" } });

    const answer = await process.send({ headers, body: main }, host);
    await until(
      () => sites.records.list(),
      ([record]) => record?.commit === newer,
    );

    expect(answer.status).toBe(202);
    expect(await answer.json()).toEqual({ result: "accepted" });
  });

  test("ignores other branches, tags and other events", async () => {
    await using sites = await createSites();
    await using process = await sites.open();
    await process.documents.readRevision(signal);
    const [{ checks } = { checks: 0 }] = await sites.records.list();
    const bodies = [pushTo("refs/heads/maintenance"), pushTo("refs/tags/main"), JSON.stringify({ zen: "…" })];

    const answers = await Promise.all(bodies.map((body) => process.send({ headers: github(body), body })));

    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const results = await Promise.all(answers.map((answer) => answer.json()));
    expect(results).toEqual(bodies.map(() => ({ result: "ignored" })));
    expect((await sites.records.list())[0]?.checks).toBe(checks);
  });

  test.each([
    ["no signature", {}],
    ["another secret's signature", github(main, "guessed")],
    ["the signature of another body", github(`${main} `)],
    ["a cut signature", { "x-hub-signature-256": github(main)["x-hub-signature-256"].slice(0, -1) }],
    ["a SHA-1 signature", { "x-hub-signature": `sha1=${sign(main)}` }],
    ["a wrong token", gitlab(`${secret}.`)],
    ["an empty token", gitlab("")],
    ["the signature as a token", gitlab(sign(main))],
  ])("rejects %s", async (_, headers) => {
    await using sites = await createSites();
    await using process = await sites.open();

    expect((await process.send({ headers, body: main })).status).toBe(401);
  });

  test("treats sites without a secret as unknown", async () => {
    await using sites = await createSites({ webhookSecretVariable: "" });
    await using process = await sites.open();
    const request = { headers: github(main), body: main };

    expect((await process.send(request)).status).toBe(401);
    expect((await process.send(request, "other.example.com")).status).toBe(401);
  });

  test("reports problems of a signed body", async () => {
    await using sites = await createSites();
    await using process = await sites.open();
    const [form, long] = [`payload=${encodeURIComponent(main)}`, "x".repeat(8 * 1024 * 1024 + 1)];

    const answers = await Promise.all(
      [form, long].map((body) => process.send({ headers: github(body), body })),
    );

    expect(answers.map(({ status }) => status)).toEqual([400, 413]);
    expect(await answers[0]?.text()).toContain("application/json");
  });
});
