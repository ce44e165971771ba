import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Context, Hono } from "hono";
import * as z from "zod/mini";
import { JobFailedError } from "../../base/errors.ts";
import { type Environment, readGitHubAddresses } from "../../base/runtime.ts";
import { SecretRedactor } from "../../base/secrets.ts";
import { CreateAgentJobRequest } from "../../client/contract.ts";
import type { AgentOptions, PlatformContext } from "../base/context.ts";
import { ApiError, readJson } from "../base/http.ts";
import { digestOf, mayAccess } from "../base/keys.ts";
import type { ProjectRepository } from "../base/sites.ts";
import { openUseLimit } from "../base/use-limit.ts";
import { openAgentJobs } from "./agent-jobs.ts";
import { openAgentRepository } from "./agent-repository.ts";
import { createGit, type Git } from "./git.ts";
import { createBranchHost, openBranchHost } from "./git-remote.ts";
import { findIsolation, noIsolation } from "./isolation.ts";
import { createLocalHost, createPullRequestPages } from "./local-host.ts";
import { findCompareLink } from "./published-change.ts";
import { createAgentEnvironment, listAgentSecrets, splitCommand } from "./run-command.ts";
import { readServedRepository } from "./served-repository.ts";
import type { AgentJobRecord, AgentProject } from "./turn.ts";

/** Room for a long request, plus the context that the action quotes. */
const maxPromptLength = 1_100_000;
/** JSON needs up to six bytes for a character. */
const maxBodyBytes = 8 * 1024 * 1024;
const hour = 60 * 60 * 1000;
/** Postgres cannot store NUL, nor index a text of several thousand bytes. */
const projectIdentifier = /^[^\0]{1,200}$/;

const PromptRequest = z.extend(CreateAgentJobRequest, {
  prompt: z.string().check(z.minLength(1), z.maxLength(maxPromptLength)),
});

/**
 * Opens the routes of agent jobs (specification §4.2, §4.3). Disposal stops the processing of jobs.
 *
 * @param options Without them, the routes respond with 403.
 * @param configuredProjects Valid project identifiers; default to those of `repositories`, or to any.
 * @param repositories The repository of each project; without them, all projects use the repository of the options.
 * @throws {ActionError} if the command or a repository cannot be used.
 */
export async function openAgents(
  options: AgentOptions | undefined,
  configuredProjects: readonly string[] | undefined,
  repositories: readonly ProjectRepository[] | undefined,
  context: PlatformContext,
) {
  const agent = options && (await openEnabledAgents(options, repositories, context));
  const projects = configuredProjects ?? repositories?.map(({ project }) => project);
  const routes = new Hono();
  const [read, write] = [context.requireKey("read"), context.requireKey("write")];
  const path = "/v2/agent/:projectId/job";

  const openProject = (call: Context, projectId: string) => {
    const disabled = "Agent jobs are not enabled on this platform: it was started without an agent command.";
    if (agent === undefined) throw new ApiError(403, disabled);
    const exists = projects?.includes(projectId) ?? projectIdentifier.test(projectId);
    if (!exists || !mayAccess(call, "projects", projectId))
      throw new ApiError(404, "There is no project with this identifier.");
    const use = () =>
      agent.uses.use(projectId, "The project reached its limit of agent jobs and messages per hour.");
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
 * The job in the format of the API (specification §2.3). A failed job also has its `error`, a completed one its `lastOutput`. A job whose
 * branch was pushed without a pull request also has its `compareLink`: null if the host is unknown.
 */
export function presentAgentJob(job: AgentJobRecord, { publicUrl }: PlatformContext) {
  const { id, status, repository, branch, base, model, createdAt, archivedAt, error, lastOutput } = job;
  const published = status === "active" ? null : job.pullRequest;
  const pullRequest = published === branch ? null : published;
  const compareLink = base && findCompareLink(repository, base, branch);
  const absolute = (address: string) => (address.startsWith("/") ? `${publicUrl()}${address}` : address);
  return {
    id,
    status,
    source: { repository: absolute(repository), ref: branch },
    model,
    prLink: pullRequest && absolute(pullRequest),
    ...(published === branch && { compareLink: compareLink || null }),
    createdAt,
    archivedAt,
    ...(error !== undefined && { error }),
    ...(status === "completed" && lastOutput && { lastOutput }),
  };
}

/** Opens the agent jobs and what they need, and resumes unfinished jobs. */
async function openEnabledAgents(
  options: AgentOptions,
  repositories: readonly ProjectRepository[] | undefined,
  context: PlatformContext,
) {
  const directory = join(context.dataDir, "agents");
  const command = typeof options.command === "string" ? splitCommand(options.command) : options.command;
  const environment = createAgentEnvironment(options.environment, options.passedVariables ?? []);
  const git = createGit(options.environment);
  const { local, findProject } =
    repositories === undefined
      ? await openSharedRepository(directory, options, git, context)
      : { local: undefined, findProject: await openProjects(directory, repositories, options, git, context) };
  const { github, push, request, onOutput, timeLimitMs = hour / 2 } = options;
  const { author = { name: "docs-agent", email: "docs-agent@localhost" } } = options;
  const choice = options.environment["DOCS_AGENT_ISOLATION"];
  // A web replica runs no command.
  const isolation = context.runsJobs
    ? await findIsolation(context.dataDir, environment, choice, context)
    : noIsolation;
  const { usesPerHour = 100, concurrency = 2 } = options;
  const uses = await openUseLimit(context, "agent-uses", usesPerHour, hour);
  const secrets = new SecretRedactor();
  const tokens = [github?.token, push?.token, ...(repositories ?? []).map(({ access }) => access?.token)];
  for (const secret of [...tokens.map((token) => token ?? ""), ...listAgentSecrets(environment)])
    if (secret !== "") secrets.addCredential(secret);
  const { redact } = secrets;
  const runner = { command, environment, timeLimitMs, isolation, author, request, onOutput, redact };
  const jobs = await openAgentJobs(runner, findProject, concurrency, context);
  const guard = context.requireKey("read", true);
  return { jobs, uses, pages: local && createPullRequestPages(local, jobs.get, guard) };
}

/** Opens the repository of the documents, which all projects use. */
async function openSharedRepository(
  directory: string,
  options: AgentOptions,
  git: Git,
  context: PlatformContext,
) {
  const { log, signal, docsDir } = context;
  const { github, push, base } = options;
  const isTarget = github === undefined && push === undefined;
  const served = await readServedRepository(git, docsDir, signal, isTarget);
  const repository = await openAgentRepository(directory, served, git, signal);
  const pushed = push && (await openBranchHost(push, options, repository, context));
  const local = isTarget ? createLocalHost(base, repository) : undefined;
  // The GitHub client is loaded only if needed.
  const host =
    local ?? pushed ?? (await import("./github-host.ts")).createGitHubHost(options, repository, log);
  return { local, findProject: async () => ({ repository, host }) };
}

/** The GitHub repository of a project; `undefined` if it is on another server or has no token. */
function readGitHubRepository({ url, access }: ProjectRepository, environment: Environment) {
  const { serverUrl, apiUrl } = readGitHubAddresses(environment);
  const address = URL.parse(url);
  const [, owner, repository] = /^\/([\w-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(address?.pathname ?? "") ?? [];
  if (address?.origin !== new URL(serverUrl).origin || access === undefined) return undefined;
  if (owner === undefined || repository === undefined) return undefined;
  return { serverUrl, apiUrl, owner, repository, gitUrl: url, token: access.token };
}

/**
 * Returns a function that opens the remote repository of a project at its first use, because a start with hundreds of projects would take
 * too long. The first job of a project fetches its whole history. Branches are pushed to the repository, and pull requests are opened if
 * it is on GitHub.
 */
async function openProjects(
  directory: string,
  repositories: readonly ProjectRepository[],
  options: AgentOptions,
  git: Git,
  { log }: PlatformContext,
) {
  const rootOf = (project: string) => join(directory, "projects", digestOf(project).slice(0, 32));
  const open = async (projectRepository: ProjectRepository): Promise<AgentProject> => {
    const { project, folder, branch: base, url, access } = projectRepository;
    const root = rootOf(project);
    await mkdir(root, { recursive: true, mode: 0o700 });
    const served = { root, gitDir: undefined, objectFormat: "sha1", head: undefined, docsPath: folder };
    const repository = await openAgentRepository(root, served, git, new AbortController().signal);
    const github = readGitHubRepository(projectRepository, options.environment);
    const settings = { ...options, base, github };
    const address = { url, access, hint: "The token of `tokenVariable` must have the permission to push." };
    const host =
      github === undefined
        ? createBranchHost(address, settings, repository, log)
        : (await import("./github-host.ts")).createGitHubHost(settings, repository, log);
    return { repository, host };
  };
  const projects = new Map<string, Promise<AgentProject>>();
  const findProject = async (projectId: string): Promise<AgentProject> => {
    const found = repositories.find(({ project }) => project === projectId);
    if (found === undefined)
      throw new JobFailedError(`The platform no longer serves the project ${projectId}.`);
    const opening = projects.get(projectId) ?? open(found);
    projects.set(projectId, opening);
    // The next use tries again: the disk may have been full.
    opening.catch(() => projects.delete(projectId));
    return opening;
  };
  // Opening ends agents that are still running after their platform was killed. Only they have worktrees.
  for (const { project } of repositories) {
    const worktrees = await readdir(join(rootOf(project), "worktrees")).catch(() => []);
    if (worktrees.length > 0) await findProject(project);
  }
  return findProject;
}
