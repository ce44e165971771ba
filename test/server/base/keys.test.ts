import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf, openKeyFile } from "../../../src/server/base/keys.ts";
import type { PlatformDeps, PlatformOptions } from "../../../src/server/platform.ts";
import { caseCount } from "../../support/property-seed.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { jobsOf, startAgents } from "../agents/agent-platform.ts";
import { createFakeExporter, domain, jobs } from "../exports/export-platform.ts";
import { makeKey, type NewKey } from "../make-key.ts";
import { startTestPlatform, type TestPlatform } from "../test-platform.ts";

const startedAt = Date.UTC(2026, 0, 1);

/** A key file in its own folder, and the keys by name. */
async function createKeyFile(...wanted: (NewKey & { readonly name: string })[]) {
  const folder = await createTemporaryFolder();
  const made = wanted.map((key) => ({ name: key.name, ...makeKey(key) }));
  const path = join(folder.path, "keys.yaml");
  await writeFile(path, made.map(({ entry }) => entry).join(""));
  return {
    ...folder,
    keysFile: path,
    keys: Object.fromEntries(made.map(({ name, key }) => [name, key])),
  };
}

/** A platform with two domains, and a clock that the test controls. */
async function startWithKeys(options: Partial<PlatformOptions>, deps: Partial<PlatformDeps> = {}) {
  const clock = { now: startedAt };
  const platform = await startTestPlatform(
    { domains: [domain, "api.example.com"], ...options },
    { exporter: createFakeExporter(), now: () => clock.now, ...deps },
  );
  return { platform, clock, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() };
}

async function send(platform: TestPlatform, key: string | undefined, path: string, json?: object) {
  const method = json === undefined ? "GET" : "POST";
  const response = await platform.send(path, { key: key ?? "", method, json });
  return { status: response.status, body: (await response.json()) as { error?: string; jobId?: string } };
}

const question = (text: string) => ({
  fp: "a",
  messages: [{ id: "1", role: "user", parts: [{ type: "text", text }] }],
});
const ask = (platform: TestPlatform, key: string | undefined, of: string) =>
  platform.send(`/discovery/v2/assistant/${of}/message`, {
    key: key ?? "",
    method: "POST",
    json: question("How do I rotate keys?"),
  });

test.each([
  ["Bearer KEY", 404],
  ["bearer  KEY ", 404],
  ["KEY", 401],
  ["Token KEY", 401],
  ["Basic KEY", 401],
  ["Bearer", 401],
  ["Bearer KEY KEY", 401],
  ["Bearer xKEY", 401],
])("a key is read only from the scheme Bearer: %s gets %i", async (text, status) => {
  await using started = await startWithKeys({});
  const { adminKey, send } = started.platform;
  const authorization = text.replace("KEY", adminKey);
  const response = await send(`${jobs}/se_none`, { headers: { authorization } });
  expect(response.status).toBe(status);
  if (status === 401) expect(response.headers.get("www-authenticate")).toBe("Bearer");
});

describe("a platform with a key file", () => {
  test("accepts any number of keys by class, and generates none", async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ name: `n${index}`, class: "admin" as const }));
    const classes = (["admin", "read", "assistant"] as const).map((name) => ({ name, class: name }));
    await using file = await createKeyFile(...many, ...classes);
    await using started = await startWithKeys({ keysFile: file.keysFile });
    const { platform } = started;
    const statuses = async (key: string | undefined) => [
      (await send(platform, key, jobs, { domain })).status,
      (await send(platform, key, `${jobs}/se_none`)).status,
      (await ask(platform, key, domain)).status,
    ];

    expect(platform.keys).toEqual({});
    expect(platform.generatedKeys).toEqual([]);
    expect(await statuses(file.keys["n199"])).toEqual([202, 404, 403]);
    expect(await statuses(file.keys["admin"])).toEqual([202, 404, 403]);
    expect(await statuses(file.keys["read"])).toEqual([403, 404, 403]);
    expect(await statuses(file.keys["assistant"])).toEqual([403, 403, 200]);
    expect(await statuses(makeKey({ class: "admin" }).key)).toEqual([401, 401, 401]);
    expect(await statuses(undefined)).toEqual([401, 401, 401]);
    const refusal = async (key: string | undefined) => (await send(platform, key, jobs, { domain })).body;
    expect(await refusal(file.keys["read"])).toEqual({ error: expect.stringContaining("read scope only") });
    expect(await refusal(file.keys["assistant"])).toEqual({
      error: expect.stringContaining("an admin API key"),
    });
  });

  test("also accepts the keys of the environment", async () => {
    await using file = await createKeyFile({ name: "ci", class: "read" });
    await using started = await startWithKeys({ keysFile: file.keysFile, keys: { admin: "svc_mine" } });

    expect((await send(started.platform, "svc_mine", `${jobs}/se_none`)).status).toBe(404);
    expect((await ask(started.platform, "svc_dsc_mine", domain)).status).toBe(401);
  });

  test("rejects an expired key with the reason", async () => {
    await using file = await createKeyFile({ name: "ci", class: "admin", expires: "2026-01-02" });
    await using started = await startWithKeys({ keysFile: file.keysFile });
    const { platform, clock } = started;

    clock.now = Date.UTC(2026, 0, 2) - 1;
    const before = await send(platform, file.keys["ci"], `${jobs}/se_none`);
    clock.now += 1;
    const after = await send(platform, file.keys["ci"], `${jobs}/se_none`);

    expect(before.status).toBe(404);
    expect(after).toEqual({ status: 401, body: { error: "The API key has expired." } });
  });

  test("treats other domains as unknown", async () => {
    await using file = await createKeyFile(
      { name: "all", class: "admin" },
      { name: "one", class: "admin", domains: ["API.example.com"] },
      { name: "asker", class: "assistant", domains: ["api.example.com"] },
      { name: "other", class: "assistant", domains: ["other.example.com"] },
    );
    await using started = await startWithKeys({ keysFile: file.keysFile });
    const { platform } = started;
    const { all, one, asker, other } = file.keys;

    const foreign = await send(platform, all, jobs, { domain });
    const own = await send(platform, one, jobs, { domain: "Api.Example.com" });
    expect(own.status).toBe(202);
    expect((await send(platform, one, `${jobs}/${own.body.jobId}`)).status).toBe(200);
    expect((await send(platform, all, `${jobs}/${own.body.jobId}`)).status).toBe(200);
    for (const [path, body] of [
      ["", undefined],
      ["/bundle", {}],
    ] as const) {
      const refused = await send(platform, one, `${jobs}/${foreign.body.jobId}${path}`, body);
      expect(refused).toEqual(await send(platform, one, `${jobs}/se_none${path}`, body));
      expect(refused.status).toBe(404);
    }
    expect(await send(platform, one, jobs, { domain })).toEqual({
      status: 400,
      body: { error: `domain: this platform does not serve ${domain}.` },
    });
    expect((await ask(platform, asker, "api.example.com")).status).toBe(200);
    const [refused, unknown] = [await ask(platform, asker, domain), await ask(platform, asker, "x.example")];
    expect([refused.status, unknown.status]).toEqual([404, 404]);
    expect(await refused.text()).toBe(await unknown.text());
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await send(platform, asker, "/mcp", ping)).status).toBe(200);
    expect((await send(platform, other, "/mcp", ping)).status).toBe(404);
  });

  test("treats other projects and their pull requests as unknown", async () => {
    await using file = await createKeyFile(
      { name: "own", class: "admin", projects: ["p1"] },
      { name: "other", class: "admin", projects: ["P1", "p2"] },
    );
    await using platform = await startAgents(
      {},
      { keysFile: file.keysFile, keys: { admin: "svc_mine" }, publicUrl: "https://platform.example.com" },
    );
    const { id } = await platform.runJob("Work");
    const { own, other } = file.keys;
    const job = `${jobsOf("p1")}/${id}`;

    expect((await send(platform, own, job)).status).toBe(200);
    const refused = await send(platform, other, job);
    expect(refused).toEqual({ status: 404, body: { error: "There is no project with this identifier." } });
    expect(await send(platform, other, `${job}/message`, { prompt: "More" })).toEqual(refused);
    expect(await send(platform, other, jobsOf("p1"), { prompt: "More" })).toEqual(refused);
    const page = `/local/project/pull/${id}`;
    expect((await platform.send(page, { key: own ?? "" })).status).toBe(200);
    expect((await platform.send(page, { key: other ?? "" })).status).toBe(404);
    expect((await platform.send(`${page}.diff`, { key: other ?? "" })).status).toBe(404);
  });

  test("logs the name of a request's key, never the key itself", async () => {
    await using file = await createKeyFile({ name: "nightly.export", class: "read" });
    const log = createRecordingLog();
    await using started = await startWithKeys({ keysFile: file.keysFile }, { log });

    await send(started.platform, file.keys["nightly.export"], jobs, { domain });
    await send(started.platform, "svc_unknown", jobs, { domain });

    expect(log.lines).toEqual([
      `debug: POST ${jobs} 403 0 ms by nightly.export`,
      `debug: POST ${jobs} 401 0 ms`,
    ]);
  });
});

/** A file as Kubernetes mounts it: a symbolic link through a folder link that an update replaces. */
async function mountSecret(root: string, text: string, version: string): Promise<string> {
  await writeFiles(join(root, version), { keys: text });
  await symlink(version, join(root, "..new"));
  await rename(join(root, "..new"), join(root, "..data"));
  return join(root, "..data", "keys");
}

describe("a key file that changes", () => {
  test("is used at once, even if only symbolic links change", async () => {
    await using folder = await createTemporaryFolder();
    const [before, after] = [makeKey({ class: "admin" }), makeKey({ class: "admin" })];
    const keysFile = await mountSecret(folder.path, before.entry, "1");
    await using started = await startWithKeys({ keysFile });
    const { platform } = started;
    const statuses = async () => [
      (await send(platform, before.key, `${jobs}/se_none`)).status,
      (await send(platform, after.key, `${jobs}/se_none`)).status,
    ];

    expect(await statuses()).toEqual([404, 401]);
    await mountSecret(folder.path, before.entry + after.entry, "2");
    expect(await statuses()).toEqual([404, 404]);
    await mountSecret(folder.path, after.entry, "3");
    expect(await statuses()).toEqual([401, 404]);
  });

  test("keeps the previous keys while it is invalid or missing, and each problem is logged once", async () => {
    await using file = await createKeyFile({ name: "ci", class: "admin" });
    const { keysFile } = file;
    const log = createRecordingLog();
    await using started = await startWithKeys({ keysFile }, { log });
    const look = async () => (await send(started.platform, file.keys["ci"], `${jobs}/se_none`)).status;

    await writeFile(keysFile, "- name: ci\n  class: adm");
    expect([await look(), await look()]).toEqual([404, 404]);
    await rm(keysFile);
    expect([await look(), await look()]).toEqual([404, 404]);
    await writeFile(keysFile, "[]");
    expect(await look()).toBe(401);

    expect(log.shown).toEqual([
      expect.stringMatching(
        /^warning: .*--keys: entry 1, sha256: .*entry 1, class: .* The previous keys stay valid\.$/,
      ),
      expect.stringMatching(/^warning: --keys: ENOENT.* The previous keys stay valid\.$/),
      "info: The key file changed; it now contains 0 keys.",
    ]);
  });
});

describe("an entry of a key file", () => {
  const digest = "0".repeat(63);
  const open = async (text: string) => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "keys");
    await writeFile(path, text);
    // While the folder exists.
    return await openKeyFile(path, createRecordingLog());
  };

  test.each([
    [{ sha256: `${digest}g` }, "entry 1, sha256: must be 64 hexadecimal digits."],
    [{ sha256: "svc_secret" }, "entry 1, sha256: must be 64 hexadecimal digits."],
    [{ sha256: undefined }, "entry 1, sha256: is missing."],
    [{ name: "svc_secret" }, /entry 1, name: must be 1 to 60/],
    [{ name: `${digest}1` }, /entry 1, name: must be 1 to 60/],
    [{ class: "root" }, "entry 1, class: must be admin or read or assistant."],
    [{ projects: [] }, "entry 1, projects: must name at least one."],
    [{ domains: "docs.example.com" }, /entry 1, domains: /],
    [{ expires: "soon" }, /entry 1, expires: must be like 2030-01-31/],
    [{ expires: "2026-02-30" }, /entry 1, expires: must be like 2030-01-31/],
    [{ svc_secret: "x" }, /entry 1: the fields are name, sha256, class, projects, domains, expires/],
  ])("that is invalid is reported without its values: %j", async (fields, message) => {
    const entry = { name: "ci", sha256: `${digest}1`, class: "admin", ...fields };

    const problem = await open(JSON.stringify([entry])).catch((error: Error) => error.message);

    expect(problem).toMatch(message);
    expect(problem).not.toMatch(/svc_|0{20}/);
  });

  test.each([
    ["", "must contain a list"],
    ["name: ci", "must contain a list"],
    ["- [svc_secret", "line 1 is not valid YAML or JSON"],
    ["- *svc_secret", "aliases"],
    [
      `[{"name":"a","sha256":"${digest}1","class":"read"},{"name":"a","sha256":"${digest}1","class":"read"}]`,
      "entry 2, name: another entry has the same name. · --keys: entry 2, sha256: another entry has the same key.",
    ],
  ])("must be in a list: %j", async (text, message) => {
    const problem = await open(text).catch((error: Error) => error.message);

    expect(problem).toContain(message);
    expect(problem).not.toMatch(/svc_|0{20}/);
  });

  test("is valid or reported without its values, wherever the file is damaged", async () => {
    const key = "svc_0123456789abcdef0123456789abcdef0123456789abcdef";
    const digestInFile = digestOf(key);
    const entry = `- name: "ci"\n  class: "admin"\n  projects: ["web"]\n  expires: "2030-01-31"\n  sha256: "${digestInFile}"\n`;
    // A key by mistake.
    const text = `${entry}- name: ${key}\n  sha256: ${key}\n  class: [${digestInFile}]\n`;
    const damage = fc.record({
      at: fc.nat(text.length),
      removed: fc.nat(20),
      added: fc.constantFrom("", "*", "&", "!", "'", '"', "{", "]", "\n", ": ", "- ", "? ", "|", "%"),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, removed, added }) => {
        const damaged = text.slice(0, at) + added + text.slice(at + removed);
        const problem = await open(damaged).then(
          () => "",
          (error: Error) => `${error.name} ${error.message}`,
        );
        expect(problem).toMatch(/^(?:InputError .*)?$/);
        expect(problem).not.toContain(key.slice(8, 20));
        expect(problem).not.toContain(digestInFile.slice(8, 20));
      }),
      { numRuns: caseCount(300), examples: [[{ at: text.indexOf(key), removed: 1, added: "" }]] },
    );
  });

  test("with the digest of an empty string does not allow requests without a key", async () => {
    await using folder = await createTemporaryFolder();
    const keysFile = join(folder.path, "keys");
    const sha256 = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855";
    await writeFile(keysFile, JSON.stringify([{ name: "none", sha256, class: "admin" }]));
    await using started = await startWithKeys({ keysFile });

    expect((await send(started.platform, undefined, `${jobs}/se_none`)).status).toBe(401);
  });
});
