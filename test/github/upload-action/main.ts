/** An action of nothing but `uploadArtifact`, so that tests see what it does to a whole process. */
import { debug, getInput, info, setOutput, warning } from "@actions/core";
import { toErrorReport } from "../../../src/base/errors.ts";
import { type UploadArtifactOptions, uploadArtifact } from "../../../src/github/artifact.ts";

const interruption = new AbortController();
process.once("SIGINT", () => interruption.abort(new Error("interrupted")));

try {
  const options = JSON.parse(getInput("options")) as UploadArtifactOptions;
  const artifact = await uploadArtifact(options, {
    log: { debug, info, notice: info, warning },
    signal: interruption.signal,
    clock: { now: Date.now, sleep: async () => undefined },
    random: () => 0.5,
  });
  setOutput("artifact", JSON.stringify(artifact));
} catch (error) {
  setOutput("error", JSON.stringify(toErrorReport(error)));
}
process.exit();
