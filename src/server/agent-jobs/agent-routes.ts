import { Hono } from "hono";
import { z } from "zod";
import { CreateAgentJobRequest } from "../../client/contract.ts";
import { ApiError } from "../http/api-error.ts";
import { limitBody, readJson } from "../http/read-json.ts";
import { type Keyring, requireKey } from "../http/require-key.ts";
import { presentAgentJob } from "./agent-job-record.ts";
import type { AgentJobs } from "./agent-jobs.ts";

interface AgentRoutesOptions {
  /** Project identifiers that this platform knows; any unless set. */
  readonly projects?: readonly string[] | undefined;
}

interface AgentRoutesDeps {
  /** `undefined` on a platform without an agent. */
  readonly jobs: AgentJobs | undefined;
  readonly keyring: Keyring;
  readonly publicUrl: () => string;
}

/** The longest `prompt-file` or comment, and all that the action quotes besides. */
const maxPromptLength = 1_100_000;
/** A character takes up to six bytes of JSON. */
const maxBodyBytes = 8 * 1024 * 1024;

const PromptRequest = CreateAgentJobRequest.extend({ prompt: z.string().min(1).max(maxPromptLength) });

/** Create, look up and talk to agent jobs (specification §4.2, §4.3). */
export function createAgentRoutes({ projects }: AgentRoutesOptions, deps: AgentRoutesDeps): Hono {
  const app = new Hono();
  const present = (job: Parameters<typeof presentAgentJob>[0]) =>
    presentAgentJob(job, { publicUrl: deps.publicUrl() });
  const openProject = (projectId: string) => {
    if (deps.jobs === undefined) {
      throw new ApiError(
        403,
        "Agent jobs are not enabled on this platform: it was started without an agent command.",
      );
    }
    if (projects !== undefined && !projects.includes(projectId)) {
      throw new ApiError(404, "There is no project with this identifier.");
    }
    return deps.jobs;
  };
  const findJob = (projectId: string, id: string) => {
    const jobs = openProject(projectId);
    const job = jobs.get(projectId, id);
    if (job === undefined) throw new ApiError(404, "Job not found");
    return { jobs, job };
  };

  app.post(
    "/v2/agent/:projectId/job",
    requireKey(deps.keyring, "write"),
    limitBody(maxBodyBytes),
    async (context) => {
      const projectId = context.req.param("projectId");
      const jobs = openProject(projectId);
      const { prompt } = await readJson(context.req.raw, PromptRequest);
      use(jobs, projectId);
      return context.json(present(await jobs.create(projectId, prompt)), 201);
    },
  );
  app.get("/v2/agent/:projectId/job/:id", requireKey(deps.keyring, "read"), (context) => {
    const { job } = findJob(context.req.param("projectId"), context.req.param("id"));
    return context.json(present(job));
  });
  app.post(
    "/v2/agent/:projectId/job/:id/message",
    requireKey(deps.keyring, "write"),
    limitBody(maxBodyBytes),
    async (context) => {
      const { jobs, job } = findJob(context.req.param("projectId"), context.req.param("id"));
      const { prompt } = await readJson(context.req.raw, PromptRequest);
      if (job.status === "archived") throw new ApiError(409, "The job is archived: create a new one.");
      use(jobs, job.projectId);
      return context.json(present(await jobs.message(job.id, prompt)));
    },
  );
  return app;
}

function use(jobs: AgentJobs, projectId: string): void {
  const retryAfterSeconds = jobs.uses.take(projectId);
  if (retryAfterSeconds === undefined) return;
  throw new ApiError(429, "The project's agent jobs and messages of this hour are used up.", {
    "retry-after": String(retryAfterSeconds),
  });
}
