/** The release: its scripts against a repository and GitHub's description, and which job may do what. */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFile, chmod, glob, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import {
  cutChangelog,
  moveMajorTag,
  newestOfMajor,
  releaseFiles,
  releaseNotes,
  renderBillOfMaterials,
  shipped,
  verifyFolder,
  versionedFiles,
} from "../../scripts/release.ts";
import { version as currentVersion } from "../../src/base/version.ts";
import { commandNames } from "../../src/commands/outputs.ts";
import { findOperation, requestProblems } from "../support/github/openapi.ts";
import { startHttpServer } from "../support/http-server.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const lockFile = {
  name: "docs-automation-action",
  version: "1.2.3",
  packages: {
    "": { version: "1.2.3" },
    "node_modules/@scope/used": { version: "2.0.0", integrity: "sha512-q80=", license: "MIT" },
    "node_modules/optional": { version: "3.0.0", dev: true },
    "node_modules/other": { version: "4.0.0" },
    "node_modules/tool": { version: "5.0.0", dev: true },
    "node_modules/tool/node_modules/@scope/used": { version: "1.0.0", dev: true },
    "test/workspace": { version: "6.0.0" },
  },
};

const licenses = "@scope/used\noptional\nMIT\n\nCopyright of somebody\n";

/** A repository with one commit, and the files that the script looks for. */
async function createRepository(more: Readonly<Record<string, string>> = {}) {
  const folder = await createTemporaryFolder("release-");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", folder.path, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_COMMITTER_DATE: "2025-01-01T00:00:00Z" },
    });
  const files = {
    LICENSE: "license",
    "README.md": "readme",
    "action.yml": "name: x",
    ...Object.fromEntries(commandNames.map((name) => [`${name}/action.yml`, `name: ${name}`])),
    "package.json": JSON.stringify({ version: "1.2.3" }),
    "package-lock.json": JSON.stringify(lockFile),
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2025-01-01\n\n- A [page](docs/a.md).\n",
    "dist/index.js": "main();\n",
    "dist/licenses.txt": licenses,
    "src/main.ts": "not shipped",
    ...more,
  };
  await writeFiles(folder.path, files);
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "release", "--date", "2025-01-01T00:00:00Z");
  return folder;
}

describe("the files of a release", () => {
  test("are in the archive that runners download, too", async () => {
    const attributes = await readFile(new URL("../../.gitattributes", import.meta.url), "utf8");
    const left = [...attributes.matchAll(/^\/(\S+) export-ignore$/gm)].map(([, name]) => name);
    expect(left).toContain("src");
    expect(shipped.filter((name) => left.includes(name))).toEqual([]);
    expect(shipped).toEqual(expect.arrayContaining([...commandNames]));
  });

  test("come from the commit: what was changed after it does not count", async () => {
    await using repository = await createRepository();
    const before = releaseFiles(repository.path, "v1.2.3");

    await appendFile(join(repository.path, "dist/index.js"), "steal();\n");
    await writeFile(join(repository.path, "dist/added.js"), "steal();\n");

    expect(releaseFiles(repository.path, "v1.2.3")).toEqual(before);
    const tar = gunzipSync(before.get("docs-automation-action.tar.gz") ?? "").toString("latin1");
    expect(tar).toContain("docs-automation-action-1.2.3/dist/index.js");
    expect(tar).not.toMatch(/steal|src\/main/);
    const npm = gunzipSync(before.get("docs-automation-action.tgz") ?? "").toString("latin1");
    expect([...npm.matchAll(/package\/[\w./]+/g)].join(" ")).toBe("package/index.js package/licenses.txt");
  });

  test.each(["v1.2.4", "1.2.3", "v1.2", "v1.2.3-rc.1", "v01.2.3", "v1"])(
    "are not made for the tag %s",
    async (tag) => {
      await using repository = await createRepository();
      expect(() => releaseFiles(repository.path, tag)).toThrow(/is not a version|package\.json says 1\.2\.3/);
    },
  );

  test.each([
    ["a changed byte", (folder: string) => changeByte(join(folder, "docs-automation-action.tar.gz"))],
    ["a byte more", (folder: string) => appendFile(join(folder, "docs-automation-action.tar.gz"), "\0")],
    ["another bill", (folder: string) => writeFile(join(folder, "docs-automation-action.cdx.json"), "{}")],
    ["a file more", (folder: string) => writeFile(join(folder, "install.sh"), "")],
    ["a file less", (folder: string) => rm(join(folder, "docs-automation-action.cdx.json"))],
  ])("are refused with %s", async (_, change) => {
    await using repository = await createRepository();
    await using folder = await createTemporaryFolder();
    const files = releaseFiles(repository.path, "v1.2.3");
    for (const [name, bytes] of files) await writeFile(join(folder.path, name), bytes);
    await expect(verifyFolder(folder.path, files)).resolves.toBeUndefined();

    await change(folder.path);

    await expect(verifyFolder(folder.path, files)).rejects.toThrow(/is not what the tag gives|holds/);
  });
});

describe("the changelog", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.1.0 - 2025-01-01\n\n- Old.\n";

  test("gives its unreleased lines to the version that is cut", () => {
    expect(cutChangelog(changelog, "1.2.0", "2026-02-03")).toBe(
      "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-02-03\n\n- New.\n\n## 1.1.0 - 2025-01-01\n\n- Old.\n",
    );
  });

  test.each([
    ["a version twice", changelog, "1.1.0", "already has a section for 1.1.0"],
    ["an older version", changelog, "1.0.9", "newer section: v1.1.0"],
    ["nothing", changelog.replace("- New.\n", ""), "1.2.0", "has no unreleased lines"],
    ["what is no version", changelog, "1.2", "is not a version"],
  ])("is not cut for %s", (_, text, version, message) => {
    expect(() => cutChangelog(text, version, "2026-02-03")).toThrow(message);
  });

  test("gives the release its notes, whose links lead to the tag", () => {
    const text =
      "## Unreleased\n\n## 1.2.0 - x\n\n- [a](docs/a.md#b) [c](https://x.test) [d](#e)\n\n## 1.1.0 - y\n\n- Old.\n";
    expect(releaseNotes(text, "1.2.0", "https://h/v1.2.0")).toBe(
      "- [a](https://h/v1.2.0/docs/a.md#b) [c](https://x.test) [d](#e)\n",
    );
  });

  test.each([
    ["has no section for the version", "## Unreleased\n\n## 1.1.0\n\n- Old.\n", "no section for 1.2.0"],
    ["has changes that no version has", `${changelog}## 1.2.0\n\n- x\n`, "has unreleased lines"],
  ])("stops the release if it %s", (_, text, message) => {
    expect(() => releaseNotes(text, "1.2.0", "https://h")).toThrow(message);
  });

  test("of this repository can be cut, or has been", async () => {
    const text = await readFile(join(root, "CHANGELOG.md"), "utf8");
    const [changelog, version] = /^## Unreleased\s+## /m.test(text)
      ? [text, currentVersion]
      : [cutChangelog(text, "999.0.0", "2026-02-03"), "999.0.0"];
    const notes = releaseNotes(changelog, version, "https://h");
    expect(notes.length).toBeGreaterThan(0);
    expect(notes.length).toBeLessThan(125_000);
  });
});

test("pages speak of the time before the first release as long as there is none", async () => {
  const changelog = await readFile(join(root, "CHANGELOG.md"), "utf8");
  const pages = await Array.fromAsync(
    glob(["README.md", "docs/**/*.md", "examples/**/*.yml", "examples/**/.*.yml"], { cwd: root }),
  );
  const texts = await Promise.all(
    pages.sort().map(async (page) => [page, await readFile(join(root, page), "utf8")] as const),
  );
  const speaking = texts.filter(([, text]) => /first release|no release yet|once there is one/i.test(text));
  expect(speaking.map(([page]) => page)).toEqual(
    /^## \d/m.test(changelog)
      ? []
      : [
          "README.md",
          "docs/command-line.md",
          "docs/migration.md",
          "docs/quick-start.md",
          "examples/export-many-sites.yml",
          "examples/gitlab/.gitlab-ci.yml",
        ],
  );
});

describe("a rehearsal", () => {
  const chart = "name: docs-site\nversion: 1.2.3\n";
  const lock = (version: string) =>
    `${JSON.stringify({ ...lockFile, version, packages: { "": { name: lockFile.name, version } } }, null, 2)}\n`;

  const versionedPages = Object.keys(versionedFiles).filter((name) => /^(?:docs|examples)\//.test(name));

  async function createRehearsal(changelog: string) {
    const real = async (name: string) => readFile(join(root, name), "utf8");
    const pages = await Promise.all(versionedPages.map(async (name) => [name, await real(name)] as const));
    return createRepository({
      ...Object.fromEntries(pages),
      "package.json": `${JSON.stringify({ version: "1.2.3", type: "module" }, null, 2)}\n`,
      "package-lock.json": lock("1.2.3"),
      "deploy/chart/Chart.yaml": chart,
      "src/base/version.ts": 'export const version = "1.2.3";\n',
      "CHANGELOG.md": changelog,
      "scripts/release.ts": await real("scripts/release.ts"),
      ".github/workflows/release.yml": await real(".github/workflows/release.yml"),
      "scripts/build.ts":
        'import { appendFileSync } from "node:fs"; appendFileSync("dist/index.js", "built();\\n");',
      "scripts/generate.ts": "",
    });
  }
  const rehearse = (cwd: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, "scripts/rehearse-release.ts"), ...args], {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null" },
    });

  test("cuts, builds and runs the workflow's lines in a clone, and changes nothing here", async () => {
    await using repository = await createRehearsal("# Changelog\n\n## Unreleased\n\n- New.\n");
    await using folder = await createTemporaryFolder();
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-C", repository.path, ...args], { encoding: "utf8" });
    git("tag", "v1");
    const before = git("rev-parse", "HEAD");

    const { status, stdout, stderr } = rehearse(repository.path, "1.3.0", "--to", folder.path);

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const lines = [...stdout.matchAll(/^(\S+): (node scripts\/release\.ts .*)$/gm)].map(([line]) => line);
    const jobs = Object.entries(await readJobs());
    const own = jobs.flatMap(([job, { steps }]) =>
      steps.flatMap(({ run = "" }) => (run.includes("scripts/release.ts") ? [`${job}: ${run.trim()}`] : [])),
    );
    expect(lines).toEqual(own);
    expect(own.length).toBe(3);
    expect(stdout).toContain("v1 is moved to v1.3.0.");
    expect(stdout).toContain("publish: Create the release");
    expect(await readFile(join(folder.path, "notes.md"), "utf8")).toBe("- New.\n");
    const tar = gunzipSync(await readFile(join(folder.path, "docs-automation-action.tar.gz"))).toString(
      "latin1",
    );
    expect(tar).toContain("docs-automation-action-1.3.0/dist/index.js");
    expect(tar).toContain("built();");
    const bill = JSON.parse(await readFile(join(folder.path, "docs-automation-action.cdx.json"), "utf8"));
    expect(bill.metadata.component.version).toBe("1.3.0");
    expect(git("status", "--porcelain") + git("tag")).toBe("v1\n");
    expect(git("rev-parse", "HEAD")).toBe(before);
  });

  test("leaves the major tag where a newer release has it", async () => {
    await using repository = await createRehearsal("# Changelog\n\n## Unreleased\n\n- New.\n");
    execFileSync("git", ["-C", repository.path, "tag", "v1.9.0"]);
    const { status, stdout } = rehearse(repository.path, "1.3.0");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining("v1 stays where it is"),
    });
  });

  test("fails where the release would", async () => {
    await using repository = await createRehearsal("# Changelog\n\n## Unreleased\n");
    const { status, stderr } = rehearse(repository.path, "1.3.0");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("no unreleased lines") });
  });

  test("sets the version wherever this repository has it", async () => {
    await using repository = await createRehearsal("# Changelog\n\n## Unreleased\n\n- New.\n");
    const files = ["package.json", "package-lock.json", "src/base/version.ts", "deploy/chart/Chart.yaml"];
    for (const name of files) await writeFile(join(repository.path, name), await readFile(join(root, name)));
    const cut = [join(root, "scripts/release.ts"), "cut", "999.0.1"];
    expect(spawnSync(process.execPath, cut, { cwd: repository.path }).status).toBe(0);
    const text = async (name: string) => readFile(join(repository.path, name), "utf8");
    expect(JSON.parse(await text("package.json")).version).toBe("999.0.1");
    const lockText = JSON.parse(await text("package-lock.json"));
    expect([lockText.version, lockText.packages[""].version]).toEqual(["999.0.1", "999.0.1"]);
    expect(parse(await text("deploy/chart/Chart.yaml"))).toMatchObject({ version: "999.0.1" });
    expect(await text("src/base/version.ts")).toContain('version = "999.0.1"');
    expect((await text("package-lock.json")).match(/999\.0\.1/g)).toHaveLength(2);
    for (const page of versionedPages)
      expect([page, (await text(page)).match(/999\.0\.1/g)]).toEqual([page, ["999.0.1"]]);
  });
});

async function changeByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  await writeFile(path, bytes);
}

const Bill = z.object({
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  serialNumber: z.string().check(z.regex(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  components: z.array(
    z.object({
      "bom-ref": z.string(),
      purl: z.string(),
      hashes: z.optional(z.array(z.object({ alg: z.string(), content: z.string() }))),
    }),
  ),
});

describe("the bill of materials", () => {
  test("lists what is bundled, once, in the versions that are not only for development", () => {
    const { components } = Bill.parse(JSON.parse(renderBillOfMaterials(lockFile, licenses)));

    expect(components).toEqual([
      {
        "bom-ref": "@scope/used@2.0.0",
        purl: "pkg:npm/%40scope/used@2.0.0",
        hashes: [{ alg: "SHA-512", content: "abcd" }],
      },
      { "bom-ref": "optional@3.0.0", purl: "pkg:npm/optional@3.0.0" },
    ]);
  });

  test("of this repository lists every package of licenses.txt, as npm describes it", async () => {
    const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
    const listed = await readFile(join(root, "dist/licenses.txt"), "utf8");
    const { components } = Bill.parse(JSON.parse(renderBillOfMaterials(lock, listed)));
    const args = ["sbom", "--package-lock-only", "--workspaces=false", "--sbom-format=cyclonedx"];
    const sbom = spawnSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
    const known = new Map(Bill.parse(JSON.parse(sbom.stdout)).components.map((item) => [item.purl, item]));

    for (const { purl, hashes } of components) expect(known.get(purl)).toMatchObject({ purl, hashes });
    const names = new Set(components.map((item) => item["bom-ref"].replace(/@[^@]*$/, "")));
    const locked = Object.keys(lock.packages).map((folder) => folder.split("node_modules/").at(-1) ?? "");
    const bundled = listed.split("\n").filter((line) => line !== "" && locked.includes(line));
    expect(bundled.length).toBeGreaterThan(150);
    expect(bundled.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("the newest of a major version", () => {
  test.each([
    ["v1.2.3", ["v1.2.3"], "v1.2.3"],
    ["v1.9.0", ["v1.10.0", "v1.9.0"], "v1.10.0"],
    ["v1.10.0", ["v1.9.9", "v1.10.0"], "v1.10.0"],
    ["v1.4.1", ["v1.5.0", "v1.4.1"], "v1.5.0"],
    ["v1.5.0", ["v2.0.0", "v10.0.0", "v1.4.9"], "v1.5.0"],
    ["v1.5.0", ["v1", "v1.6.0-rc.1", "v1.6", "1.6.0", "v1.06.0", "v1.6.0^{}", "xv1.6.0"], "v1.5.0"],
    ["v1.0.0", ["v1.0.9007199254740993", "v1.0.9007199254740992"], "v1.0.9007199254740993"],
  ])("for %s among %j is %s", (tag, tags, newest) => {
    expect(newestOfMajor(tag, tags)).toBe(newest);
  });

  test("does not depend on the order of the tags, and is moved to by one of them only", () => {
    const tags = fc.uniqueArray(
      fc.tuple(fc.nat(2), fc.nat(12), fc.nat(12)).map((parts) => `v${parts.join(".")}`),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(tags, (all) => {
        for (const major of ["v0.", "v1.", "v2."]) {
          const released = all.filter((tag) => tag.startsWith(major));
          const movers = released.filter((tag) => newestOfMajor(tag, all.toReversed()) === tag);
          expect(movers.length).toBe(Math.min(released.length, 1));
        }
      }),
    );
  });
});

function answerReference(
  operation: string,
  ref: string,
  body: Readonly<Record<string, string>>,
  references: Map<string, string>,
): Response {
  switch (operation) {
    case "git/list-matching-refs": {
      const matching = [...references].filter(([name]) => name.startsWith(ref));
      return Response.json(matching.map(([name, sha]) => ({ ref: name, object: { sha } })));
    }
    case "repos/get-commit":
      return Response.json({ sha: references.get(ref) });
    case "git/create-ref":
      references.set(body["ref"] ?? "", body["sha"] ?? "");
      return Response.json({}, { status: 201 });
    case "git/update-ref":
      if (!references.has(ref)) return Response.json({}, { status: 422 });
      references.set(ref, body["sha"] ?? "");
      return Response.json({});
    default:
      return Response.json({}, { status: 404 });
  }
}

const moveMajor = (apiUrl: string, tag: string, commit: string) =>
  moveMajorTag({ tag, commit, repository: "o/r", apiUrl, token: "t" });

/** GitHub's references of one repository, asked as its description says. */
async function startReferences(initial: Readonly<Record<string, string>>) {
  const references = new Map(Object.entries(initial));
  const server = await startHttpServer(async (request, entry) => {
    const { pathname, searchParams: query } = new URL(request.url);
    const match = findOperation(request.method, pathname);
    const body = request.method === "GET" ? undefined : ((await request.json()) as Record<string, string>);
    const problems = match ? requestProblems(match, { query, body }) : [`${pathname} is not known`];
    if (!match || problems.length > 0) return Response.json({ problems }, { status: 422 });
    entry.operation = match.operation.id;
    const ref = `refs/${decodeURIComponent(match.path["ref"] ?? "")}`;
    return answerReference(match.operation.id, ref, body ?? {}, references);
  });
  const move = (tag: string, commit: string) => moveMajor(server.url, tag, commit);
  return { references, move, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe("the major tag", () => {
  test("moves to the newest release, and to no older one", async () => {
    await using github = await startReferences({
      "refs/tags/v1": "a",
      "refs/tags/v1.9.0": "a",
      "refs/tags/v1.10.0": "b",
      "refs/tags/v1.9.1": "c",
      "refs/tags/v10.0.0": "d",
      "refs/heads/v1.x": "e",
    });

    expect(await github.move("v1.9.1", "c")).toBe("v1 stays where it is: v1.10.0 is newer than v1.9.1.");
    expect(github.references.get("refs/tags/v1")).toBe("a");
    expect(await github.move("v1.10.0", "b")).toBe("v1 is moved to v1.10.0.");
    expect(await github.move("v1.9.0", "a")).toContain("v1 stays");
    expect(github.references.get("refs/tags/v1")).toBe("b");
    expect(await github.move("v10.0.0", "d")).toBe("v10 is created at v10.0.0.");
    expect(github.references.get("refs/tags/v10")).toBe("d");
  });

  test.each([
    ["the tag points elsewhere by now", { "refs/tags/v1.2.3": "moved" }, /points at moved now/],
    ["a branch is named like it", { "refs/heads/v1": "x" }, /branch has the name v1/],
    ["a branch is named like the release", { "refs/heads/v1.2.3": "x" }, /branch has the name v1\.2\.3/],
    ["the tag is gone", { "refs/tags/v1.2.3": undefined }, /points at undefined/],
  ])("stays when %s", async (_, changed, message) => {
    const references = { "refs/tags/v1": "old", "refs/tags/v1.2.3": "built", ...changed };
    const present = Object.entries(references).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    await using github = await startReferences(Object.fromEntries(present));

    await expect(github.move("v1.2.3", "built")).rejects.toThrow(message);
    expect(github.references.get("refs/tags/v1")).toBe("old");
  });

  test("names the request that GitHub refused", async () => {
    await using server = await startHttpServer(() => Response.json({ message: "no" }, { status: 403 }));
    await expect(moveMajor(server.url, "v1.2.3", "a")).rejects.toThrow(
      "GET git/matching-refs/tags/v1 was answered with 403",
    );
  });

  test("gives the maintainer's command if GitHub refuses to move it", async () => {
    const answers = new Map([
      ["/repos/o/r/git/matching-refs/tags/v1", [{ ref: "refs/tags/v1" }]],
      ["/repos/o/r/git/matching-refs/heads/v1", []],
    ]);
    await using server = await startHttpServer(({ method, url }) =>
      method === "GET"
        ? Response.json(answers.get(new URL(url).pathname) ?? { sha: "built" })
        : Response.json({ message: "Resource not accessible by integration" }, { status: 403 }),
    );
    await expect(moveMajor(server.url, "v1.2.3", "built")).rejects.toThrow(
      /403.*git push --force origin built:refs\/tags\/v1/s,
    );
  });
});

const Workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.optional(z.string()),
      permissions: z.record(z.string(), z.string()),
      steps: z.array(
        z.object({
          uses: z.optional(z.string()),
          run: z.optional(z.string()),
          with: z.optional(z.record(z.string(), z.unknown())),
        }),
      ),
    }),
  ),
});

async function readJobs() {
  return Workflow.parse(parse(await readFile(join(root, ".github/workflows/release.yml"), "utf8"))).jobs;
}

describe("the release workflow", () => {
  test("builds and tests without rights, and installs nothing where it has some", async () => {
    const jobs = Object.entries(await readJobs());
    expect(jobs.map(([name, { needs, permissions }]) => ({ name, needs, permissions }))).toEqual([
      { name: "build", needs: undefined, permissions: { contents: "read" } },
      {
        name: "attest",
        needs: "build",
        permissions: { contents: "read", "id-token": "write", attestations: "write" },
      },
      { name: "publish", needs: "attest", permissions: { contents: "write", attestations: "read" } },
      { name: "move-major-tag", needs: "publish", permissions: { contents: "write" } },
    ]);
    for (const [, { steps }] of jobs.slice(1)) {
      expect(steps.flatMap(({ run }) => run ?? []).join("\n")).not.toMatch(
        /\.ci\/|\b(?:npm|npx|yarn|pnpm)\b/,
      );
    }
  });

  test("attests tarball, bill of materials and dist after they were compared with the tag", async () => {
    const { attest } = await readJobs();
    const steps =
      attest?.steps.map(({ uses, run, ...step }) => [uses?.split("@")[0] ?? run, step.with]) ?? [];
    expect(steps.slice(-3)).toEqual([
      ["node scripts/release.ts verify release", undefined],
      ["actions/attest-build-provenance", { "subject-path": "release/*\ndist/*\n" }],
      [
        "actions/attest",
        {
          "subject-path":
            "release/docs-automation-action.tar.gz\nrelease/docs-automation-action.tgz\ndist/*\n",
          "sbom-path": "release/docs-automation-action.cdx.json",
        },
      ],
    ]);
  });

  test.each([
    { refused: "nothing", status: 0 },
    { refused: "docs-automation-action.json", status: 1 },
    { refused: "docs-automation-action.tar.gz", status: 1 },
    { refused: "notes.md", status: 1 },
  ])("verifies every file that it publishes; refused: $refused", async ({ refused, status }) => {
    await using folder = await createTemporaryFolder();
    const program = join(folder.path, "gh");
    await writeFile(program, `#!/bin/sh\necho "$@" >> gh.log\n[ "$3" != "release/${refused}" ]\n`);
    await chmod(program, 0o755);
    await mkdir(join(folder.path, "release"));
    for (const name of ["docs-automation-action.tar.gz", "docs-automation-action.json", "notes.md"])
      await writeFile(join(folder.path, "release", name), "");
    const [verify, create] = (await readJobs())["publish"]?.steps.flatMap(({ run }) => run ?? []) ?? [];
    const run = (script = "") =>
      spawnSync("bash", ["--norc", "-e", "-c", script], {
        cwd: folder.path,
        env: {
          PATH: `${folder.path}${delimiter}${process.env["PATH"]}`,
          GITHUB_REPOSITORY: "o/r",
          GITHUB_REF: "refs/tags/v1.2.3",
          GITHUB_REF_NAME: "v1.2.3",
          GITHUB_SHA: "c0ffee",
        },
      }).status;

    expect(run(verify)).toBe(status);
    if (status !== 0) return;
    expect(run(create)).toBe(0);
    const flags =
      "--repo o/r --signer-workflow o/r/.github/workflows/release.yml --source-ref refs/tags/v1.2.3 --source-digest c0ffee --deny-self-hosted-runners";
    expect((await readFile(join(folder.path, "gh.log"), "utf8")).trim().split("\n")).toEqual([
      `attestation verify release/docs-automation-action.json ${flags}`,
      `attestation verify release/docs-automation-action.tar.gz ${flags}`,
      `attestation verify release/notes.md ${flags}`,
      "release create v1.2.3 release/docs-automation-action.json release/docs-automation-action.tar.gz --repo o/r --verify-tag --notes-file release/notes.md",
    ]);
  });

  test("signs as the workflow that the documentation tells users to verify, for the files it names", async () => {
    const page = await readFile(join(root, "docs/security.md"), "utf8");
    const [verify = ""] = (await readJobs())["publish"]?.steps.flatMap(({ run }) => run ?? []) ?? [];
    const [, workflow] = /--signer-workflow "\$GITHUB_REPOSITORY\/(\S+)"/.exec(verify) ?? [];

    expect(page).toContain(`--signer-workflow docs-automation/docs-automation-action/${workflow}`);
    await using repository = await createRepository();
    for (const name of releaseFiles(repository.path, "v1.2.3").keys()) expect(page).toContain(`\`${name}\``);
  });
});
