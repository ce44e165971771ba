import { expect, test } from "vitest";
import { streamModel } from "../../../src/server/assistant/model-client.ts";
import { startScriptedModel } from "./scripted-model.ts";

test("A model that cannot be reached fails with the reason that the network gives", async () => {
  const model = await startScriptedModel([]);
  await model[Symbol.asyncDispose]();
  const deps = { signal: new AbortController().signal, onStop: () => undefined };

  const words = streamModel([], { baseUrl: model.baseUrl, model: "m" }, deps);

  await expect(words.next()).rejects.toMatchObject({
    name: "ModelError",
    message: expect.stringMatching(/^The model cannot be reached \(.*ECONNREFUSED.*\)\.$/),
  });
});
