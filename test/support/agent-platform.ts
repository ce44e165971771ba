/** A scripted platform: answers the agent endpoints as a test scripts them, over real HTTP. */
import { startHttpServer, type TestServer } from "./http-server.ts";

/** A prompt that reached a job: the one it was created with, or a message. */
interface Prompted {
  readonly id: string;
  readonly prompt: string;
}

interface AgentPlatformOptions {
  /** Responses to the polls of each job, in order, from the start after each message; the last one repeats. */
  readonly polls?: readonly Record<string, unknown>[];
  /** Instead of `polls`: jobs are active after each prompt until the test calls `finish`. */
  readonly endsByHand?: boolean;
  /** Further fields of a created job. */
  readonly created?: Record<string, unknown>;
  /** Called when a job is created: a real agent would begin. */
  readonly onCreate?: (job: Prompted) => void;
  /** Called when a job takes a message: a real agent would go on, and push another commit. */
  readonly onMessage?: (message: Prompted) => void;
  /** False for a platform without messages to jobs. */
  readonly hasMessages?: boolean;
  /** Whether a message to a job that was not yet shown as ended is answered with 409. */
  readonly refusesWhenBusy?: boolean;
}

export interface AgentPlatform extends TestServer {
  /** Prompts of the jobs that were created, whatever the response was. */
  readonly created: readonly string[];
  /** Messages that jobs took. */
  readonly messages: readonly { readonly jobId: string; readonly prompt: string }[];
  /** What every poll of the job shows from now on, until its next message. */
  finish(jobId: string, end: { status?: string } & Record<string, unknown>): void;
  /** Archives a job: it takes no message any more. */
  archive(jobId: string): void;
}

/** The first job's identifier. */
export const firstJobId = "job-1";

/** What the platform knows of a job, also of one that the test only names. */
interface Job {
  polls: number;
  shown: unknown;
  end?: Record<string, unknown>;
}

export async function startAgentPlatform(options: AgentPlatformOptions = {}): Promise<AgentPlatform> {
  const active = { status: "active", prLink: null };
  const polls = options.endsByHand ? [active] : (options.polls ?? [{ status: "completed", prLink: null }]);
  const created: string[] = [];
  const messages: { jobId: string; prompt: string }[] = [];
  const jobs = new Map<string, Job>();
  const jobOf = (id: string): Job => {
    const job = jobs.get(id) ?? { polls: 0, shown: options.endsByHand ? undefined : "active" };
    jobs.set(id, job);
    return job;
  };

  const create = ({ prompt }: { prompt: string }) => {
    created.push(prompt);
    const job = { id: `job-${created.length}`, ...active, ...options.created };
    jobOf(job.id).shown = "active";
    options.onCreate?.({ id: job.id, prompt });
    return Response.json(job, { status: 201 });
  };
  const refusalOf = ({ end, shown }: Job) => {
    if (end?.["status"] === "archived") return "The job is archived: create a new one.";
    const isBusy = end === undefined && shown === "active";
    return options.refusesWhenBusy && isBusy ? "The job is still working on its last prompt." : undefined;
  };
  const message = (id: string, { prompt }: { prompt: string }) => {
    const error = refusalOf(jobOf(id));
    if (error !== undefined) return Response.json({ error }, { status: 409 });
    messages.push({ jobId: id, prompt });
    jobs.set(id, { polls: 0, shown: "active" });
    options.onMessage?.({ id, prompt });
    return Response.json({ id, ...active });
  };
  const poll = (id: string) => {
    const job = jobOf(id);
    const shown = job.end ?? polls[Math.min(job.polls, polls.length - 1)];
    job.polls += 1;
    job.shown = shown?.["status"];
    return Response.json({ id, ...shown });
  };

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const [, id, action] = /^\/v2\/agent\/[^/]+\/job(?:\/([^/]+))?(?:\/(message))?$/.exec(pathname) ?? [];
    const isPost = request.method === "POST";
    if (isPost && pathname.endsWith("/job")) return create((await request.json()) as { prompt: string });
    if (isPost && action === "message" && id && options.hasMessages !== false)
      return message(id, (await request.json()) as { prompt: string });
    if (request.method === "GET" && id && action === undefined) return poll(id);
    return Response.json({ error: "Not found" }, { status: 404 });
  };
  const server = await startHttpServer(handle);
  return {
    ...server,
    created,
    messages,
    finish(jobId, end) {
      jobOf(jobId).end = { status: "completed", prLink: null, ...end };
    },
    archive(jobId) {
      const { end } = jobOf(jobId);
      jobOf(jobId).end = { prLink: null, ...end, status: "archived", archivedAt: new Date().toISOString() };
    },
  };
}
