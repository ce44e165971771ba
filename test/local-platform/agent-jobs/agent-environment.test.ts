import { expect, test } from "vitest";
import { createAgentEnvironment } from "../../../src/local-platform/agent-jobs/agent-environment.ts";

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

test("our own secrets cannot be named", () => {
  expect(() => createAgentEnvironment(environment, ["GITHUB_TOKEN", "MODEL_KEY", "INPUT_API-KEY"])).toThrow(
    /GITHUB_TOKEN .* INPUT_API-KEY/,
  );
});
