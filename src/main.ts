/** Composition root of `runs.main`: every command's step, loaded when the inputs choose it. */
import { runAction } from "./action/run-action.ts";

await runAction({
  agent: async () => (await import("./commands/steps/agent.ts")).agentStep,
  assistant: async () => (await import("./commands/steps/assistant.ts")).assistantStep,
  export: async () => (await import("./commands/steps/export.ts")).exportStep,
  reconcile: async () => (await import("./commands/steps/reconcile.ts")).reconcileStep,
  doctor: async () => (await import("./commands/steps/doctor.ts")).doctorStep,
});
