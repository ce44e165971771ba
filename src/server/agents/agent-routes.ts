import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Context, Hono } from "hono";
import * as z from "zod/mini";
import { JobFailedError } from "../../base/errors.ts";
import type { Environment } from "../../base/runtime.ts";
import { SecretRedactor } from "../../base/secrets.ts";
import { CreateAgentJobRequest } from "../../client/contract.ts";
import type { AgentOptions, PlatformContext } from "../base/context.ts";
import { ApiError, readJson } from "../base/http.ts";
import { digestOf } from "../base/key-file.ts";
import { mayTouch } from "../base/keys.ts";
import type { ProjectRepository } from "../base/sites.ts";
import { openAgentJobs } from "./agent-jobs.ts";
import { openAgentRepository } from "./agent-repository.ts";
import { findCompareLink } from "./compare-link.ts";
import { createGit, type Git } from "./git.ts";
import { createBranchHost, openBranchHost } from "./git-remote.ts";
import { findIsolation } from "./isolation.ts";
import { openLocalHost } from "./local-host.ts";
import { createPullRequestPages } from "./pull-request-pages.ts";
import { createAgentEnvironment, splitCommand, valuesForAgents } from "./run-command.ts";
import { readServedRepository } from "./served-repository.ts";
import type { AgentJobRecord, AgentProject } from "./turn.ts";

/** The longest `prompt-file` or comment, and all that the action quotes besides. */
const maxPromptLength = 1_100_000;
/** A character takes up to six bytes of JSON. */
const maxBodyBytes = 8 * 1024 * 1024;
const hour = 60 * 60 * 1000;

const PromptRequest = z.extend(CreateAgentJobRequest, {
  prompt: z.string().check(z.minLength(1), z.maxLength(maxPromptLength)),
});

interface AgentScope {
  readonly projects: readonly string[] | undefined;
  readonly places: readonly ProjectRepository[] | undefined;
}

/**
 * Creates, shows and messages agent jobs (specification §4.2, §4.3); disposal stops the work on them.
 *
 * @param options What works on the jobs; without it, they are forbidden.
 * @param scope Project identifiers that exist, any unless set; their repositories, where each has its own.
 * @param isPrivate Whether only this machine reaches the platform, and may see the pages of pull requests without a key.
 * @throws {ActionError} when the command or the repository cannot be used.
 */
export async function openAgents(
  options: AgentOptions | undefined,
  { projects: allowed, places }: AgentScope,
  isPrivate: boolean,
  context: PlatformContext,
) {
  const agent = options && (await openAgent(options, places, isPrivate, context));
  const projects = allowed ?? places?.map(({ project }) => project);
  const routes = new Hono();
  const [read, write] = [context.requireKey("read"), context.requireKey("write")];
  const path = "/v2/agent/:projectId/job";

  const openProject = (call: Context, projectId: string) => {
    const disabled = "Agent jobs are not enabled on this platform: it was started without an agent command.";
    if (agent === undefined) throw new ApiError(403, disabled);
    const isKnown = projects === undefined || projects.includes(projectId);
    if (!isKnown || !mayTouch(call, "projects", projectId))
      throw new ApiError(404, "There is no project with this identifier.");
    const use = () =>
      agent.uses.use(projectId, "The project's agent jobs and messages of this hour are used up.");
    return { jobs: agent.jobs, use };
  };
  const findJob = async (call: Context, { projectId, id }: { projectId: string; id: string }) => {
    const project = openProject(call, projectId);
    const job = await project.jobs.find(projectId, id, call.req.raw.signal);
    if (job === undefined) throw new ApiError(404, "Job not found");
    return { ...project, job };
  };

  routes.post(path, write, async (call) => {
    const projectId = call.req.param("projectId");
    const { jobs, use } = openProject(call, projectId);
    const { prompt } = await readJson(call.req.raw, PromptRequest, maxBodyBytes);
    await use();
    return call.json(presentAgentJob(await jobs.create(projectId, prompt), context), 201);
  });
  routes.get(`${path}/:id`, read, async (call) => {
    const { job } = await findJob(call, call.req.param());
    return call.json(presentAgentJob(job, context));
  });
  routes.delete(`${path}/:id`, write, async (call) => {
    const { jobs, job } = await findJob(call, call.req.param());
    return call.json(presentAgentJob(await jobs.cancel(job.id), context));
  });
  routes.post(`${path}/:id/message`, write, async (call) => {
    const { signal } = call.req.raw;
    const { jobs, use, job } = await findJob(call, call.req.param());
    const { prompt } = await readJson(call.req.raw, PromptRequest, maxBodyBytes);
    return call.json(presentAgentJob(await jobs.message(job, prompt, use, signal), context));
  });
  if (agent?.pages) routes.route("/", agent.pages);
  return { routes, jobs: agent?.jobs, [Symbol.asyncDispose]: async () => agent?.jobs[Symbol.asyncDispose]() };
}

/**
 * The job as clients see it (specification §2.3); a failed one also says why, and one whose branch was pushed where no pull request
 * can be opened, the page that asks for its merge.
 */
export function presentAgentJob(job: AgentJobRecord, { publicUrl }: PlatformContext) {
  const { id, status, repository, branch, base, model, createdAt, archivedAt, error } = job;
  const published = status === "active" ? null : job.pullRequest;
  const pullRequest = published === branch ? null : published;
  const compareLink = published === branch && base && findCompareLink(repository, base, branch);
  const absolute = (address: string) => (address.startsWith("/") ? `${publicUrl()}${address}` : address);
  return {
    id,
    status,
    source: { repository: absolute(repository), ref: branch },
    model,
    prLink: pullRequest && absolute(pullRequest),
    ...(compareLink && { compareLink }),
    createdAt,
    archivedAt,
    ...(error !== undefined && { error }),
  };
}

/** Puts together what works on agent jobs, and resumes those of the data directory. */
async function openAgent(
  options: AgentOptions,
  places: readonly ProjectRepository[] | undefined,
  isPrivate: boolean,
  context: PlatformContext,
) {
  const directory = join(context.dataDir, "agents");
  const command = typeof options.command === "string" ? splitCommand(options.command) : options.command;
  const environment = createAgentEnvironment(options.environment, options.passedVariables ?? []);
  const git = createGit(options.environment);
  const { local, findProject } =
    places === undefined
      ? await openProject(directory, options, git, context)
      : { local: undefined, findProject: await openProjects(directory, places, options, git, context) };
  const { github, push } = options;
  const logDirectory = join(directory, "logs");
  await mkdir(logDirectory, { recursive: true, mode: 0o700 });
  const { author = { name: "docs-agent", email: "docs-agent@localhost" }, timeLimitMs = hour / 2 } = options;
  const choice = options.environment["DOCS_AGENT_ISOLATION"];
  const isolation = await findIsolation(context.dataDir, environment, choice, context);
  const { usesPerHour = 100, concurrency = 2 } = options;
  const uses = await context.storage.openUseLimit("agent-uses", usesPerHour, hour);
  const secrets = new SecretRedactor();
  const tokens = [github?.token, push?.token, ...(places ?? []).map(({ access }) => access?.token)];
  for (const secret of [...tokens.map((token) => token ?? ""), ...valuesForAgents(environment)])
    if (secret !== "") secrets.addCredential(secret);
  const run = { command, environment, timeLimitMs, isolation, logDirectory, redact: secrets.redact };
  const jobs = await openAgentJobs({ ...run, author }, findProject, concurrency, context);
  const guard = isPrivate ? undefined : context.requireKey("read", true);
  const mayRead = async (call: Context, jobId: string) =>
    mayTouch(call, "projects", (await jobs.get(jobId))?.projectId ?? "");
  return { jobs, uses, pages: local && createPullRequestPages(local, mayRead, guard) };
}

/** The repository that holds the documents, for all projects. */
async function openProject(directory: string, options: AgentOptions, git: Git, context: PlatformContext) {
  const { log, signal, docsDir = options.repository } = context;
  const served = await readServedRepository(git, options.repository, docsDir, signal);
  const repository = await openAgentRepository(directory, served, git, signal);
  const { github, push, base } = options;
  const pushed = push && (await openBranchHost(push, options, repository, context));
  const isLocal = github === undefined && push === undefined;
  const local = isLocal ? await openLocalHost(base, repository, context) : undefined;
  // GitHub's client is loaded only where it is used.
  const host =
    local ?? pushed ?? (await import("./github-host.ts")).createGitHubHost(options, repository, log);
  return { local, findProject: () => ({ repository, host }) };
}

/** A repository on the server of `GITHUB_SERVER_URL`, if its token is known; `undefined` for any other. */
function readGitHubRepository({ url, access }: ProjectRepository, environment: Environment) {
  const serverUrl = environment["GITHUB_SERVER_URL"] || "https://github.com";
  const address = URL.parse(url);
  const [, owner, repository] = /^\/([\w-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(address?.pathname ?? "") ?? [];
  if (address?.origin !== new URL(serverUrl).origin || access === undefined) return undefined;
  if (owner === undefined || repository === undefined) return undefined;
  const apiUrl = environment["GITHUB_API_URL"] || "https://api.github.com";
  return { serverUrl, apiUrl, owner, repository, gitUrl: url, token: access.token };
}

/**
 * A repository elsewhere for each project: fetched as a whole for its first job, and pushed to. On GitHub, pull requests are opened.
 */
async function openProjects(
  directory: string,
  places: readonly ProjectRepository[],
  options: AgentOptions,
  git: Git,
  { log, signal }: PlatformContext,
) {
  const projects = new Map<string, AgentProject>();
  for (const place of places) {
    const { project, folder, branch: base, url, access } = place;
    const root = join(directory, "projects", digestOf(project).slice(0, 32));
    await mkdir(root, { recursive: true, mode: 0o700 });
    const served = { root, gitDir: undefined, objectFormat: "sha1", docsPath: folder };
    const repository = await openAgentRepository(root, served, git, signal);
    const settings = { ...options, base, github: readGitHubRepository(place, options.environment) };
    const address = { url, access, hint: "The token of `tokenVariable` must be one that may push there." };
    const host =
      settings.github === undefined
        ? createBranchHost(address, settings, repository, log)
        : (await import("./github-host.ts")).createGitHubHost(settings, repository, log);
    projects.set(project, { repository, host });
  }
  return (projectId: string): AgentProject => {
    const project = projects.get(projectId);
    if (project !== undefined) return project;
    throw new JobFailedError(`The platform does not serve the project ${projectId} any more.`);
  };
}
