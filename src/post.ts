/** Composition root of `runs.post`: what remains to be done for each command whose main step was cut off. */
import { runPost } from "./action/run-post.ts";

await runPost({
  agent: async () => (await import("./commands/steps/finish-agent.ts")).finishAgent,
  assistant: async () => (await import("./commands/steps/finish-assistant.ts")).finishAssistant,
});
