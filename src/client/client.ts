/** The platform's operations as functions: one per endpoint of the specification, with the retry policy each of them allows. */
import { AgentJob, CreateAgentJobRequest, ExportBundle, ExportJob, StartExportRequest } from "./contract.ts";
import { createTransport, type TransportDeps, type TransportOptions } from "./transport/transport.ts";

export type PlatformClient = ReturnType<typeof createPlatformClient>;

/** Packing a bundle takes the platform as long as it takes: minutes, for large sites. */
const bundleTimeoutMs = 10 * 60_000;

/**
 * A client for one platform and one key. Every function
 * @throws {PlatformError} when there is no usable answer.
 */
export function createPlatformClient(options: TransportOptions, deps: TransportDeps) {
  const transport = createTransport(options, deps);
  return {
    transport,

    /** Starts a static export (specification §4.4); never sent twice unless the first surely did not arrive. */
    startExport: (request: StartExportRequest): Promise<ExportJob> =>
      transport.requestJson(
        {
          name: "start the export",
          method: "POST",
          path: "/v1/static-export/jobs",
          body: StartExportRequest.parse(request),
          retry: "unless-sent",
        },
        ExportJob,
      ),

    /** One look at an export job (specification §4.5), without retries: polling has its own schedule. */
    getExportJob: (jobId: string): Promise<ExportJob> =>
      transport.requestJson(
        {
          name: `look at export job ${jobId}`,
          method: "GET",
          path: `/v1/static-export/jobs/${encodeURIComponent(jobId)}`,
          retry: "never",
        },
        ExportJob,
      ),

    /**
     * A fresh link to a completed job's bundle (specification §4.6), with the platform's time of the answer; may be
     * called again and again.
     */
    generateBundle: (jobId: string): Promise<{ value: ExportBundle; date: Date | undefined }> =>
      transport.requestDatedJson(
        {
          name: `generate the bundle of export job ${jobId}`,
          method: "POST",
          path: `/v1/static-export/jobs/${encodeURIComponent(jobId)}/bundle`,
          retry: "freely",
          headersTimeoutMs: bundleTimeoutMs,
        },
        ExportBundle,
      ),

    /**
     * Creates an agent job (specification §4.2); never sent twice unless the first surely did not arrive. A used-up
     * limit is thrown: whoever waits for it says so.
     */
    createAgentJob: (projectId: string, request: CreateAgentJobRequest): Promise<AgentJob> =>
      transport.requestJson(
        {
          name: "create the agent job",
          method: "POST",
          path: `/v2/agent/${encodeURIComponent(projectId)}/job`,
          body: CreateAgentJobRequest.parse(request),
          retry: "unless-arrived",
        },
        AgentJob,
      ),

    /** One look at an agent job (specification §4.3), without retries: polling has its own schedule. */
    getAgentJob: (projectId: string, jobId: string): Promise<AgentJob> =>
      transport.requestJson(
        {
          name: `look at agent job ${jobId}`,
          method: "GET",
          path: `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(jobId)}`,
          retry: "never",
        },
        AgentJob,
      ),

    /** A follow-up instruction to an agent job; it costs like a new job, so it is not sent twice either. */
    messageAgentJob: (projectId: string, jobId: string, request: CreateAgentJobRequest): Promise<AgentJob> =>
      transport.requestJson(
        {
          name: `send a message to agent job ${jobId}`,
          method: "POST",
          path: `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(jobId)}/message`,
          body: CreateAgentJobRequest.parse(request),
          retry: "unless-arrived",
        },
        AgentJob,
      ),
  };
}
