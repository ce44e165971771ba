/** Actions from public packages, installed from the npm registry and bundled as actions are, for comparison. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ncc = fileURLToPath(new URL("../../node_modules/.bin/ncc", import.meta.url));

const packages = {
  "@actions/artifact": "6.2.1",
  "@actions/core": "3.0.1",
  "@actions/github": "9.1.1",
  "@cypress/github-action": "7.3.0",
};

/** The smallest useful actions over GitHub's own toolkit, in the manner of actions/github-script and actions/upload-artifact. */
const sources = {
  "comment.mjs": `
import { getInput, setFailed } from "@actions/core";
import { context, getOctokit } from "@actions/github";
try {
  const octokit = getOctokit(getInput("github-token"));
  await octokit.rest.issues.createComment({ ...context.repo, issue_number: context.issue.number, body: "Hello" });
} catch (error) {
  setFailed(error);
}`,
  "upload.mjs": `
import { DefaultArtifactClient } from "@actions/artifact";
import { setFailed, setOutput } from "@actions/core";
try {
  const { id } = await new DefaultArtifactClient().uploadArtifact("report", ["package.json"], ".");
  setOutput("artifact-id", id);
} catch (error) {
  setFailed(error);
}`,
};

export interface OtherAction {
  readonly name: string;
  /** Path of its bundle. */
  readonly entry: string;
  /** Its working directory. */
  readonly folder: string;
}

/** Installs and bundles the other actions below a folder. */
export async function installOtherActions(folder: string): Promise<OtherAction[]> {
  await mkdir(folder);
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: packages }),
  );
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
  for (const [file, text] of Object.entries(sources)) {
    await writeFile(join(folder, file), text);
    await run(ncc, ["build", file, "--out", join(folder, `${file}-dist`)], { cwd: folder });
  }
  const version = (name: keyof typeof packages) => `${name} ${packages[name]}`;
  return [
    {
      name: `a comment with ${version("@actions/github")}, first request`,
      entry: join(folder, "comment.mjs-dist", "index.mjs"),
      folder,
    },
    {
      name: `an upload with ${version("@actions/artifact")}, first request`,
      entry: join(folder, "upload.mjs-dist", "index.mjs"),
      folder,
    },
    {
      name: `${version("@cypress/github-action")}, first request`,
      entry: join(folder, "node_modules/@cypress/github-action/dist/index.js"),
      folder,
    },
  ];
}
