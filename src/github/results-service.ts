/**
 * The service behind the artifacts and caches of a workflow run: Twirp methods with JSON bodies
 * (`github.actions.results.api.v1`), and uploads to the presigned storage links that they return.
 */
import { HttpClient, type HttpRequest, readProxySettings, readResponse } from "../base/http.ts";
import { parseRetryAfter, type RetryDeps, retry } from "../base/retry.ts";
import { type Environment, type Log, readGitHubAddresses } from "../base/runtime.ts";
import { isJsonObject, messageOf, parseJson } from "../base/text.ts";
import { GitHubError, isPermanentFailure, RequestFailure } from "./errors.ts";

/**
 * Checks that the runner has an artifact service that this action can use, so that a run without one fails before it starts an
 * export.
 *
 * @throws {GitHubError} with the alternative.
 */
export function requireArtifactService(environment: Environment): void {
  const section = "no-artifact-service";
  const server = new URL(readGitHubAddresses(environment).serverUrl);
  if (!/^(github\.com|.+\.ghe\.com|.+\.localhost)$/i.test(server.hostname)) {
    const message = `${server.host} is a GitHub Enterprise Server (or another forge): its artifact service is older than the one this action uploads to.`;
    const hint =
      "Set `upload: none` and add a step with `actions/upload-artifact@v3`, the newest that such a server accepts, for the file in the output `bundle-path`.";
    throw new GitHubError("rejected", message, { hint, section });
  }
  if (environment["ACTIONS_RUNTIME_TOKEN"] && environment["ACTIONS_RESULTS_URL"]) return;
  const message =
    "The runner did not name an artifact service (ACTIONS_RESULTS_URL and ACTIONS_RUNTIME_TOKEN are not set).";
  const hint =
    "Artifacts exist only inside a job of GitHub Actions. Set `upload: none`: the output `bundle-path` then names the file for a later step.";
  throw new GitHubError("rejected", message, { hint, section });
}

export interface ResultsServiceOptions {
  readonly service: "ArtifactService" | "CacheService";
  /** Names the service and the run's token: `ACTIONS_RESULTS_URL`, `ACTIONS_RUNTIME_TOKEN`. */
  readonly environment: Environment;
  readonly attempts: number;
  /** Limit until the response of one attempt in milliseconds, its upload included. */
  readonly timeoutMs: number;
}

const maxResponseBytes = 1024 * 1024;

/**
 * A connection to one of the services. Each request is repeated after a failure that may pass.
 *
 * @throws {RequestFailure} for a response other than 2xx; Node's error for a failed connection; the signal's reason.
 */
export class ResultsService implements Disposable {
  readonly #options: ResultsServiceOptions;
  readonly #deps: RetryDeps & { readonly log: Log };
  readonly #http: HttpClient;

  constructor(options: ResultsServiceOptions, deps: RetryDeps & { readonly log: Log }) {
    this.#options = options;
    this.#deps = deps;
    this.#http = new HttpClient(readProxySettings(options.environment));
  }

  /** Calls a method. Returns the response's fields in snake_case: the service may write them in either case. */
  async call(method: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const { service, environment } = this.#options;
    const path = `/twirp/github.actions.results.api.v1.${service}/${method}`;
    const headers = {
      authorization: `Bearer ${environment["ACTIONS_RUNTIME_TOKEN"]}`,
      "content-type": "application/json",
    };
    const url = new URL(path, environment["ACTIONS_RESULTS_URL"]);
    const response = parseJson(
      await this.#send(url, { method: "POST", headers, body: JSON.stringify(body) }),
    );
    const fields = Object.entries(isJsonObject(response) ? response : {});
    return Object.fromEntries(
      fields.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
    );
  }

  async put(url: URL, body: string | Uint8Array, headers: Readonly<Record<string, string>>): Promise<void> {
    await this.#send(url, { method: "PUT", headers, body });
  }

  #send(url: URL, request: Pick<HttpRequest, "method" | "headers" | "body">): Promise<string> {
    const { attempts, timeoutMs } = this.#options;
    const { signal, log } = this.#deps;
    const sendOnce = async (attempt: number) => {
      const options = { signal, log, attempt, headersTimeoutMs: timeoutMs };
      const response = await this.#http.send(url, { ...request, ...options });
      const text = (await readResponse(response, maxResponseBytes))?.toString("utf8") ?? "";
      const { statusCode: status } = response;
      if (status < 300) return text;
      const retryAfterMs = parseRetryAfter(response.headers["retry-after"], this.#deps.clock.now());
      throw new RequestFailure(status, describeRefusal(status, text), retryAfterMs);
    };
    return retry(sendOnce, {
      ...this.#deps,
      attempts,
      retryAfterMs(error) {
        const { retryAfterMs = 0 } = error instanceof RequestFailure ? error : {};
        return isPermanentFailure(error) ? undefined : retryAfterMs;
      },
      onRetry: (error, { attempt }) =>
        log.info(`${url.host}: ${messageOf(error)}. Trying again (${attempt + 1} of ${attempts}).`),
    });
  }

  /** Closes the connections. */
  [Symbol.dispose](): void {
    this.#http.close();
  }
}

/** The reason in Twirp's JSON (`msg`) or in storage's XML (`Code`); never more of a response, which may hold a link. */
function describeRefusal(status: number, text: string): string {
  const json = parseJson(text);
  const reason = isJsonObject(json) ? json["msg"] : /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
  return typeof reason === "string" ? `response ${status}: ${reason}` : `response ${status}`;
}
