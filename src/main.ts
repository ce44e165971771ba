/** Composition root of `runs.main`: every command's step, loaded when the inputs choose it. */
import { runAction } from "./action/run-action.ts";

await runAction({
  agent: async () => (await import("./action/steps/agent.ts")).agentStep,
  assistant: async () => (await import("./action/steps/assistant.ts")).assistantStep,
  export: async () => (await import("./action/steps/export.ts")).exportStep,
  reconcile: async () => (await import("./action/steps/reconcile.ts")).reconcileStep,
  doctor: async () => (await import("./action/steps/doctor.ts")).doctorStep,
});
