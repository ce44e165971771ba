/** Composition root of `runs.main`: every command, loaded when the inputs choose it. */
import { runAction } from "./action/run-action.ts";

await runAction({
  agent: async () => (await import("./commands/steps/agent.ts")).runAgentStep,
  assistant: async () => (await import("./commands/steps/assistant.ts")).runAssistantStep,
  export: async () => (await import("./commands/export.ts")).runExport,
  reconcile: async () => (await import("./commands/steps/reconcile.ts")).runReconcileStep,
  doctor: async () => (await import("./commands/steps/doctor.ts")).runDoctorStep,
});
