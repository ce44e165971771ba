import { expect, test } from "vitest";
import { createAgentEnvironment } from "../../../src/server/agent-jobs/agent-environment.ts";

const environment = {
  PATH: "/bin",
  HOME: "/home/me",
  LC_ALL: "C",
  https_proxy: "http://proxy",
  MODEL_KEY: "of the agent",
  AWS_SECRET_ACCESS_KEY: "no",
  GITHUB_TOKEN: "no",
  ACTIONS_RUNTIME_TOKEN: "no",
  "INPUT_API-KEY": "no",
  DOCS_PLATFORM_ADMIN_KEY: "no",
  UNSET: undefined,
};

test("agents see what programs need, and what the operator named", () => {
  expect(createAgentEnvironment(environment, ["MODEL_KEY", "UNSET", "MISSING"])).toEqual({
    PATH: "/bin",
    HOME: "/home/me",
    LC_ALL: "C",
    https_proxy: "http://proxy",
    MODEL_KEY: "of the agent",
  });
});

test("a workflow names them by a prefix, and may replace what programs need", () => {
  const given = {
    ...environment,
    DOCS_AGENT_ENV_MODEL_KEY: "of the step",
    DOCS_AGENT_ENV_HOME: "/tmp/agent",
  };

  expect(createAgentEnvironment(given, [])).toMatchObject({ MODEL_KEY: "of the step", HOME: "/tmp/agent" });
});

test.each([
  [["GITHUB_TOKEN"], {}],
  [["INPUT_API-KEY"], {}],
  [["DOCS_PLATFORM_ADMIN_KEY"], {}],
  [[], { DOCS_AGENT_ENV_GITHUB_TOKEN: "no" }],
])("our own secrets cannot be named: %j %j", (names, added) => {
  expect(() => createAgentEnvironment({ ...environment, ...added }, names)).toThrow("is kept from agents");
});
