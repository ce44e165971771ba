import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { findBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { agentOf, createRepository, startAgentPlatform } from "../agents/agent-platform.ts";
import { followExport, startExport } from "../exports/export-platform.ts";
import { makeKey, type NewKey } from "../make-key.ts";
import { startTestPlatform, type TestPlatform, until } from "../test-platform.ts";

const hostile = `"><script>alert(1)</script>\u202e`;
const escaped = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;U+202E&gt;";

const keys = [
  { name: "reader", class: "read" },
  { name: "other", class: "admin", domains: ["api.example.com"], projects: ["p2"] },
  { name: "same", class: "read", domains: ["docs.example.com"], projects: ["p1"] },
] as const satisfies NewKey[];

/** A platform with an export with a warning, a job with two prompts, a failed job, and questions. */
async function startBusyPlatform() {
  await using stack = new AsyncDisposableStack();
  const repository = stack.use(
    await createRepository({ "docs/index.md": "# Welcome\n\nRotate keys with [care](gone.md).\n" }),
  );
  const folder = stack.use(await createTemporaryFolder());
  const made = keys.map((key) => [key.name, makeKey(key)] as const);
  const keysFile = join(folder.path, "keys.yaml");
  await writeFile(keysFile, made.map(([, { entry }]) => entry).join(""));
  const clock = { now: Date.now() };
  const command = agentOf(`
    console.log("Working on <b>" + prompt.length + "</b> with " + process.env.AGENT_SECRET);
    if (prompt.includes("fail")) process.exit(3);
    fs.appendFileSync("docs/written.md", "# Written\\n\\n" + prompt.length);
  `);
  const environment = { ...process.env, AGENT_SECRET: "sk-agent-0123456789abcdef" };
  const platform = stack.use(
    await startAgentPlatform(
      { repository: repository.root, command, environment, passedVariables: ["AGENT_SECRET"] },
      {
        domains: ["docs.example.com", "api.example.com"],
        keysFile,
        keys: { admin: "svc_admin", assistant: "svc_dsc_asker" },
      },
      { now: () => clock.now },
    ),
  );
  const exportId = await startExport(platform);
  await followExport(platform, exportId);
  const job = await platform.runJob(`Rename the tabs ${hostile}\nSecond line`);
  await platform.sendMessage(job.id, "Once more");
  await platform.followJob(job.id);
  const failed = await platform.followJob((await platform.createJob("Please fail")).id);
  for (const question of ["Who won in 1954?", "who  won in 1954?", `Why is ${hostile} blue?`])
    await ask(platform, "docs.example.com", question);
  const resources = stack.move();
  return {
    ...platform,
    clock,
    exportId,
    jobId: job.id ?? "",
    failedId: failed.id ?? "",
    keyOf: Object.fromEntries(made.map(([name, { key }]) => [name, key])),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
type BusyPlatform = Awaited<ReturnType<typeof startBusyPlatform>>;

async function ask(platform: TestPlatform, domain: string, text: string): Promise<string> {
  const response = await platform.send(`/discovery/v2/assistant/${domain}/message`, {
    key: "svc_dsc_asker",
    method: "POST",
    json: { fp: "a", messages: [{ id: "1", role: "user", parts: [{ type: "text", text }] }] },
  });
  return response.text();
}

/** Sends a request as a browser does after its user entered a key. */
function open(platform: TestPlatform, path: string, key = "svc_admin"): Promise<Response> {
  const credentials = Buffer.from(`anyone:${key}`).toString("base64");
  const headers = { authorization: `Basic ${credentials}` };
  return fetch(new URL(path, platform.url), { headers, redirect: "manual" });
}

async function read(platform: TestPlatform, key?: string): Promise<string> {
  return (await open(platform, "/status", key)).text();
}

/** For all tests that only read. */
let platform: BusyPlatform;
beforeAll(async () => {
  platform = await startBusyPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());

describe("the status page", () => {
  test("is where the platform's address leads", async () => {
    await using platform = await startTestPlatform();

    const response = await fetch(platform.url, { redirect: "manual" });

    expect([response.status, response.headers.get("location")]).toEqual([302, "status"]);
  });

  // Links are relative: a proxy may serve the platform below a path.
  test("shows exports, agent jobs and refused questions with escaped markup", async () => {
    const { exportId, jobId, failedId } = platform;

    const response = await open(platform, "/status");
    const page = await response.text();

    expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(page).not.toMatch(/<script|\u202e/);
    expect(page).toContain('<span class="state completed">completed</span> docs.example.com');
    expect(page).toContain(`<a href="status/exports/${exportId}/report">1 warning</a>`);
    expect(page).toContain(`Rename the tabs ${escaped}`);
    expect(page).not.toContain("Second line");
    expect(page).toContain(`<a href="${platform.url}/local/project/pull/${jobId}">pull request</a>`);
    expect(page).toContain('<span class="state failed">failed</span> Please fail');
    expect(page).toContain(`<a href="status/agents/${failedId}/output/0">log</a>`);
    expect(page).toContain(`<a href="status/agents/${jobId}/output/1">log of prompt 2</a>`);
    expect(page).toMatch(/<h3>Who won in 1954\?<\/h3>\s*<p>2 times/);
    expect(page).toContain(`Why is ${escaped} blue?`);
    expect(page.indexOf("1954")).toBeLessThan(page.indexOf("blue?"));
  });

  test("links to the report, the bundle, the change and the agent's output without secrets", async () => {
    const { exportId, jobId } = platform;

    const report = await open(platform, `/status/exports/${exportId}/report`);
    const bundle = await open(platform, `/status/exports/${exportId}/bundle`);
    const change = await open(platform, `/local/project/pull/${jobId}.diff`);
    const output = await open(platform, `/status/agents/${jobId}/output/1`);

    const reportPage = await report.text();
    expect(reportPage).toContain("gone.md");
    expect(reportPage).toContain('<a href="../../../status">');
    expect(bundle.status).toBe(303);
    const download = await fetch(bundle.headers.get("location") ?? "");
    expect(download.headers.get("content-type")).toBe("application/zip");
    expect(await change.text()).toContain("+# Written");
    expect(output.headers.get("content-type")).toBe("text/plain; charset=UTF-8");
    expect(await output.text()).toBe("Working on <b>9</b> with ***\n");
  });

  test("prompts a browser for a key, and shows only what the key may access", async () => {
    const { exportId, jobId, keyOf, url } = platform;
    const statusOf = async (path: string, key?: string) => (await open(platform, path, key)).status;

    const anonymous = await fetch(`${url}/status`);
    expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="API key as password"',
    ]);
    expect(await statusOf("/status", "svc_dsc_asker")).toBe(401);
    expect((await platform.send("/status", { key: "svc_dsc_asker" })).status).toBe(403);
    expect((await platform.send("/status", { key: "svc_admin" })).status).toBe(200);
    // Browsers send Basic credentials with every request, even with those that another site causes.
    expect(await statusOf(`/v1/static-export/jobs/${exportId}`)).toBe(401);

    expect(await read(platform, keyOf["reader"])).not.toContain(`${exportId}/bundle`);
    expect(await read(platform)).toContain(`${exportId}/bundle`);
    expect(await statusOf(`/status/exports/${exportId}/bundle`, keyOf["reader"])).toBe(401);

    expect(await read(platform, keyOf["same"])).toMatch(/docs\.example\.com.*Rename.*1954/s);
    expect(await read(platform, keyOf["other"])).not.toMatch(/docs\.example\.com|Rename|1954/);
    for (const path of [
      `exports/${exportId}/report`,
      `exports/${exportId}/bundle`,
      `agents/${jobId}/output/0`,
    ])
      expect(await statusOf(`/status/${path}`, keyOf["other"])).toBe(404);
    for (const path of ["exports/se_none/report", "agents/aj_none/output/0", `agents/${jobId}/output/7`])
      expect(await statusOf(`/status/${path}`)).toBe(404);
  });

  test("removes a question a month after it was last asked", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await using platform = await startBusyPlatform();
    const day = 24 * 60 * 60 * 1000;

    platform.clock.now += 20 * day;
    await ask(platform, "docs.example.com", "Who won in 1954?");
    platform.clock.now += 20 * day;
    await ask(platform, "docs.example.com", "What is the moon made of?");
    vi.advanceTimersByTime(60 * 60 * 1000);

    const page = await until(
      () => read(platform),
      (text) => !text.includes("blue?"),
    );
    expect(page).toMatch(/1954\?<\/h3>\s*<p>3 times/);
    expect(page).toContain("moon");
  });
});

const found = await findBrowser();
const suffix = found.kind === "none" ? ` (skipped: ${found.reason})` : "";

describe.skipIf(found.kind === "none")(`the status page in a browser${suffix}`, () => {
  let browser: TestBrowser;
  const httpCredentials = { username: "anyone", password: "svc_admin" };

  beforeAll(async () => {
    if (found.kind === "found") browser = await startBrowser(found);
  });
  afterAll(() => browser?.[Symbol.asyncDispose]());

  test("works without scripts, loads nothing, and has working links", async () => {
    await using observed = await browser.openPage(
      { httpCredentials, javaScriptEnabled: false },
      platform.url,
    );
    const { page } = observed;

    await page.goto(`${platform.url}/status`);
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Exports",
      "Agent jobs",
      "Questions that the documentation does not answer",
    ]);
    await page.getByRole("link", { name: "1 warning" }).click();
    await page.getByRole("link", { name: "Status of the platform" }).click();
    await page.getByRole("link", { name: "log of prompt 1" }).click();

    expect(await page.locator("body").textContent()).toContain("Working on <b>");
    expect(observed.foreignRequests).toEqual([]);
    // The browser's own message about the 401.
    expect(observed.complaints.filter((line) => !line.includes("401"))).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "has no accessibility violation in %s colours, and fits a phone",
    async (colorScheme) => {
      const viewport = { width: 320, height: 640 };
      await using observed = await browser.openPage(
        { httpCredentials, bypassCSP: true, colorScheme, viewport },
        platform.url,
      );
      const { page } = observed;

      for (const path of ["/status", `/status/exports/${platform.exportId}/report`]) {
        await page.goto(`${platform.url}${path}`);
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(320);
      }
    },
  );
});
