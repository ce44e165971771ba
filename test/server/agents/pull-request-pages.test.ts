import { createHash } from "node:crypto";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRepository, idleAgent, startAgentPlatform, startAgents } from "./agent-platform.ts";

const pathOf = (url: string | null | undefined) => new URL(url ?? "").pathname;

describe("the page of a pull request", () => {
  test("shows the prompts and the diff with escaped markup", async () => {
    await using platform = await startAgents({
      files: { "docs/old.md": "# Old\n" },
      script: `
      fs.writeFileSync("docs/new.md", "</pre><script>alert(1)</script>\\n");
      fs.rmSync("docs/old.md");
    `,
    });
    const { prLink } = await platform.runJob("Write <b>bold</b> & $(things)");

    const response = await platform.send(pathOf(prLink));
    const page = await response.text();

    expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(page).toContain("Write &lt;b&gt;bold&lt;/b&gt; &amp; $(things)");
    expect(page).toContain('<span class="added">+&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;</span>');
    expect(page).toContain('<span class="removed">-# Old</span>');
    expect(page).toContain('<span class="state open">Open</span>');
    expect(page).not.toMatch(/<script|<b>/);
    const style = /<style>(?<css>.*?)<\/style>/s.exec(page)?.groups?.["css"] ?? "";
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const digest = createHash("sha256").update(style).digest("base64");
    expect(response.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    );
  });

  test("reveals characters that would hide or reorder text", async () => {
    await using platform = await startAgents({
      script: `fs.writeFileSync("docs/new.md", "a\\u202eb\\u200bc\\u001bd\\n");`,
    });
    const { prLink } = await platform.runJob("Work");

    const page = await (await platform.send(pathOf(prLink))).text();

    expect(page).toContain("+a&lt;U+202E&gt;b&lt;U+200B&gt;c&lt;U+001B&gt;d");
  });

  test("shows the git command if the diff is too long", async () => {
    await using platform = await startAgents({
      script: `fs.writeFileSync("docs/large.md", "line\\n".repeat(2_000_000));`,
    });
    const { prLink, id } = await platform.runJob("Work");

    const page = await (await platform.send(pathOf(prLink))).text();

    expect(page).toContain(`git diff main...docs-agent/${id}`);
    expect((await platform.send(`${pathOf(prLink)}.diff`)).status).toBe(404);
  });

  test("keeps its address if the repository's folder is renamed", async () => {
    await using repository = await createRepository();
    const dataDir = join(repository.path, "data");
    const before = await startAgentPlatform({ repository: repository.root }, { dataDir });
    const { prLink } = await before.runJob("Work");
    await before[Symbol.asyncDispose]();
    const renamed = join(repository.path, "renamed");
    await rename(repository.root, renamed);

    await using platform = await startAgentPlatform({ repository: renamed }, { dataDir });

    expect(await (await platform.send(pathOf(prLink))).text()).toContain(
      '<span class="state open">Open</span>',
    );
    expect(await (await platform.send(`${pathOf(prLink)}.diff`)).text()).toContain("+Work");
  });

  test("links to a diff that git can apply", async () => {
    await using platform = await startAgents();
    const { prLink, id } = await platform.runJob("Work");

    const diff = await (await platform.send(`${pathOf(prLink)}.diff`)).text();

    expect(diff).toBe(`${await platform.git("diff", `main...docs-agent/${id}`)}\n`);
  });

  test("shows whether the branch was merged or deleted", async () => {
    await using platform = await startAgents();
    const { prLink, id } = await platform.runJob("Work");
    const read = async () => (await platform.send(pathOf(prLink))).text();

    await platform.git("merge", "--quiet", `docs-agent/${id}`);
    const merged = await read();
    await platform.git("branch", "--quiet", "-D", `docs-agent/${id}`);
    const gone = await read();

    expect(merged).toContain("Merged");
    expect(gone).toContain("Branch deleted");
    expect((await platform.send(`${pathOf(prLink)}.diff`)).status).toBe(404);
  });

  test("stays after a restart", async () => {
    await using repository = await createRepository();
    const dataDir = `${repository.path}/data`;
    const before = await startAgentPlatform({ repository: repository.root }, { dataDir });
    const { id } = await before.runJob("One");
    await before[Symbol.asyncDispose]();

    await using after = await startAgentPlatform({ repository: repository.root }, { dataDir });
    const page = await after.send(`/local/project/pull/${id}`);

    expect(await page.text()).toContain("docs: One");
  });

  test("needs a key that may read", async () => {
    const options = { publicUrl: "https://platform.example.com" };
    await using platform = await startAgents({}, options);
    const { prLink, id } = await platform.runJob("Work");
    const path = `/local/project/pull/${id}`;

    expect(prLink).toBe(`${options.publicUrl}${path}`);
    expect((await platform.send(path, { key: "" })).status).toBe(401);
    expect((await platform.send(path, { key: platform.assistantKey })).status).toBe(403);
    expect((await platform.send(path)).status).toBe(200);
  });

  test("responds with 404 for an unknown job, and for one without a change", async () => {
    await using platform = await startAgents({ command: idleAgent });
    const { id } = await platform.runJob("Look");

    expect((await platform.send("/local/project/pull/aj_none")).status).toBe(404);
    expect((await platform.send(`/local/project/pull/${id}`)).status).toBe(404);
    expect((await platform.send(`/local/other/pull/${id}`)).status).toBe(404);
  });
});
