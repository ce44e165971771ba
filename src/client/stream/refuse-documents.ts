/** Tells a document from a stream: platforms and proxies answer 200 with JSON errors and login pages. */
import { readErrorMessage } from "../transport/error-message.ts";
import { createStage, StreamFault } from "./stream-fault.ts";

/** JSON and markup begin like this; no part of a data stream and no server-sent event does. */
const documentStart = /^[\s\uFEFF]*[{["<]/;
/** Enough for what an error says. */
const maxLength = 64 * 1024;

/** Lets streams through; a document ends the pipe with what it says. */
export function refuseDocuments(): TransformStream<string | StreamFault, string | StreamFault> {
  let start = "";
  let isStream = false;
  return createStage<string, string>({
    transform(text, emit) {
      if (isStream) return emit(text);
      start += text;
      // Signs of life before the answer; more of them than any platform sends would only be read over and over.
      if (start.trim() === "" && start.length <= maxLength) return;
      isStream = !documentStart.test(start);
      if (isStream) emit(start);
      else if (start.length > maxLength) emit(describe(start));
    },
    flush(emit) {
      if (!isStream && start.trim() !== "") emit(describe(start));
    },
  });
}

function describe(document: string): StreamFault {
  return new StreamFault("malformed", readErrorMessage(document)?.replace(/\.$/, "") ?? "it says nothing");
}
