/** Workflow runs and the token's budget. */

import { type ApiCall, type Handler, requireStored } from "./api-call.ts";
import type { WorkflowRun } from "./records.ts";
import { renderRepository } from "./render-repository.ts";
import { repositoryUrls } from "./render-threads.ts";

function renderRun({ id, status, conclusion }: WorkflowRun, call: ApiCall) {
  const { api, html } = repositoryUrls(call);
  const url = `${api}/actions/runs/${id}`;
  return {
    id,
    node_id: `WFR_${id}`,
    name: "Docs",
    path: ".github/workflows/docs.yml",
    status,
    conclusion,
    run_number: 12,
    run_attempt: 1,
    event: "issue_comment",
    url,
    html_url: `${html}/actions/runs/${id}`,
    repository: renderRepository(call),
    head_repository: renderRepository(call),
  };
}

const budget = { limit: 5_000, remaining: 4_999, reset: 1_900_000_000, used: 1 };

export const runRoutes: Readonly<Record<string, Handler>> = {
  "actions/get-workflow-run": (call) => {
    const run = requireStored(call.state.workflowRuns, Number(call.path["run_id"]));
    return { status: 200, body: renderRun(run, call) };
  },
  "actions/list-workflow-runs-for-repo": (call) => ({
    status: 200,
    list: [...call.state.workflowRuns.values()].reverse().map((run) => renderRun(run, call)),
  }),
  "rate-limit/get": () => ({
    status: 200,
    body: { resources: { core: budget, search: { ...budget, limit: 30 } }, rate: budget },
  }),
};
