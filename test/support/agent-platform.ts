/** A platform that nobody here wrote: answers the agent endpoints as a test scripts them, over real HTTP. */
import { startHttpServer, type TestServer } from "./http-server.ts";

interface AgentPlatformOptions {
  /** Answers to the looks at each job, in order; the last one repeats. */
  readonly looks?: readonly Record<string, unknown>[];
  /** What is told of a job when it is created, besides its id. */
  readonly created?: Record<string, unknown>;
  /** Called when a job is created: a real agent would begin. */
  readonly onCreate?: (job: { readonly id: string; readonly prompt: string }) => void;
  /** False for a platform without messages to jobs. */
  readonly hasMessages?: boolean;
}

export interface AgentPlatform extends TestServer {
  /** Prompts of the jobs that were created, whatever the client was told. */
  readonly created: readonly string[];
  /** Messages to jobs. */
  readonly messages: readonly { readonly jobId: string; readonly prompt: string }[];
}

/** The first job's identifier. */
export const firstJobId = "job-1";

export async function startAgentPlatform(options: AgentPlatformOptions = {}): Promise<AgentPlatform> {
  const looks = options.looks ?? [{ status: "completed", prLink: null }];
  const created: string[] = [];
  const messages: { jobId: string; prompt: string }[] = [];
  const looked = new Map<string, number>();

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const [, id, action] = /^\/v2\/agent\/[^/]+\/job(?:\/([^/]+))?(?:\/(message))?$/.exec(pathname) ?? [];
    if (request.method === "POST" && pathname.endsWith("/job")) {
      const { prompt } = (await request.json()) as { prompt: string };
      created.push(prompt);
      const job = { id: `job-${created.length}`, status: "active", prLink: null, ...options.created };
      options.onCreate?.({ id: job.id, prompt });
      return Response.json(job, { status: 201 });
    }
    if (request.method === "POST" && action === "message" && id && options.hasMessages !== false) {
      const { prompt } = (await request.json()) as { prompt: string };
      messages.push({ jobId: id, prompt });
      looked.delete(id);
      return Response.json({ id, status: "active", prLink: null });
    }
    if (request.method === "GET" && id && action === undefined) {
      const count = looked.get(id) ?? 0;
      looked.set(id, count + 1);
      return Response.json({ id, ...looks[Math.min(count, looks.length - 1)] });
    }
    return Response.json({ error: "Not found" }, { status: 404 });
  };
  const server = await startHttpServer(handle);
  return { ...server, created, messages };
}
