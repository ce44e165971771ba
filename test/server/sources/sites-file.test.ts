import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import { readSitesFile } from "../../../src/server/sources/sites-file.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

async function readSites(text: string, environment: Record<string, string> = {}) {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, "sites.yaml");
  await writeFile(path, text);
  const sites = await readSitesFile(path, environment);
  return { sites, root: folder.path };
}

describe("the sites file", () => {
  test("requires only domains and a repository", async () => {
    const { sites, root } = await readSites(`
- domains: [Docs.Example.com, docs.example.org]
  repository: https://git.example.com/team/docs.git
- domains: [api.example.com]
  repository: ../api
  branch: release/2.0
  folder: ./site/docs/
  project: api
`);

    expect(sites).toEqual([
      {
        domains: ["docs.example.com", "docs.example.org"],
        url: "https://git.example.com/team/docs.git",
        folder: "",
      },
      {
        domains: ["api.example.com"],
        url: join(root, "..", "api"),
        branch: "release/2.0",
        folder: "site/docs",
        project: "api",
      },
    ]);
  });

  test("reads tokens and secrets from the environment, for the repository's host only", async () => {
    const { sites } = await readSites(
      `[{domains: [a], repository: "https://robot@git.example.com/docs", tokenVariable: T, webhookSecretVariable: S}]`,
      // As in a Secret that was created from files.
      { T: "token\n", S: "secret\r\n" },
    );

    expect(sites).toMatchObject([
      {
        url: "https://git.example.com/docs",
        access: { origin: "https://git.example.com", token: "token", username: "robot" },
        webhookSecret: "secret",
      },
    ]);
  });

  test.each(["-x", "--upload-pack=id", "a..b", "a b", ".a", "a/"])(
    "refuses the branch %j",
    async (branch) => {
      const site = { domains: ["a"], repository: "https://git.example.com/docs", branch };

      await expect(readSites(JSON.stringify([site]))).rejects.toThrow("branch: must be a branch");
    },
  );

  test("reports all problems with site and field", async () => {
    const text = `
- domains: [docs.example.com, "https://a"]
  repository: https://git.example.com/docs
  branch: a..b
  folder: ../other
  token: ghp_value
- domains: []
- just text
- domains: [b.example.com, b.example.com]
  repository: ext::sh -c id
  tokenVariable: NONE
- domains: [c.example.com]
  repository: git@git.example.com:docs
  tokenVariable: SOME
  project: a b
- domains: [d.example.com]
  repository: git@git.example.com:docs
  tokenVariable: SOME
  project: one
- domains: [d.example.com]
  repository: /srv/docs.git
  project: one
`;

    const problems = await readSites(text, { SOME: "ghp_value" }).catch((error: unknown) => error);

    expect(problems).toBeInstanceOf(InputError);
    const { message } = problems as InputError;
    expect(message).not.toContain("ghp_value");
    expect(message.split(" · ")).toMatchInlineSnapshot(`
      [
        "13 problems: --sites: entry 1, domains.1: must be a host name.",
        "--sites: entry 1, branch: must be a branch.",
        "--sites: entry 1, folder: must be a path within the repository, with /.",
        "--sites: entry 1: the fields are domains, repository, branch, folder, project, tokenVariable, webhookSecretVariable.",
        "--sites: entry 2, domains: must name at least one.",
        "--sites: entry 2, repository: is required.",
        "--sites: entry 3: the fields are domains, repository, branch, folder, project, tokenVariable, webhookSecretVariable.",
        "--sites: entry 5, project: must be letters, digits or . _ -.",
        "--sites: entry 4, tokenVariable: the environment variable NONE is not set.",
        "--sites: entry 4, repository: must be an https, ssh or file URL, or a path.",
        "--sites: entry 6, tokenVariable: a token requires an https repository.",
        "--sites: domains: d.example.com is listed twice.",
        "--sites: project: one belongs to two sites.",
      ]
    `);
  });

  test.each([
    ["", "must contain a list"],
    ["[]", "has no sites"],
    ["- [", "line 1 is not valid YAML or JSON"],
  ])("rejects %j", async (text, message) => {
    await expect(readSites(text)).rejects.toThrow(message);
  });

  test("rejects two tokens for one repository", async () => {
    const site = (domain: string, variable: string) =>
      `{domains: [${domain}], repository: "https://git.example.com/docs", tokenVariable: ${variable}}`;
    const read = (second: string) =>
      readSites(`[${site("a", "ONE")}, ${site("b", second)}]`, { ONE: "1", TWO: "2" });

    await expect(read("ONE")).resolves.toBeDefined();
    await expect(read("TWO")).rejects.toThrow(
      "the sites of https://git.example.com/docs have different tokens",
    );
  });

  test("reports that it cannot be read", async () => {
    await expect(readSitesFile("/nowhere/sites.yaml", {})).rejects.toThrow("--sites: ENOENT");
  });
});
