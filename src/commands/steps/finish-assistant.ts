/** The assistant's post step: corrects the comment of a main step that was killed. */

import { createCommentClaims } from "../../github/comment-claims.ts";
import type { ThreadComments } from "../../github/comments.ts";
import { createThreadComments } from "../../github/comments.ts";
import { defaultPhrases } from "../../github/may-trigger.ts";
import { renderInterruptedComment } from "../../presentation/answer-comment.ts";
import { connectGitHub } from "../connect.ts";
import { assistantSeal } from "../connections/assistant-github.ts";
import { inputText } from "../read-inputs.ts";
import type { PostRun } from "../run.ts";
import { readSavedClaim } from "../saved-claim.ts";

const interrupted = "The run that was answering ended early. Re-run the workflow, or ask again.";

/** Says in the comment that nobody answers any more. */
export async function finishAssistant({ environment, log, signal, state }: PostRun): Promise<void> {
  const saved = readSavedClaim(state);
  if (saved?.location.kind !== "thread") return;
  const { thread, since } = saved.location;
  const githubToken = inputText("github-token", environment)?.trim();
  const connection = await connectGitHub({ githubToken }, { environment, log, signal });
  const { api, context } = connection;
  const texts = new Map<number, string>();
  let shownText = "";
  const claims = createCommentClaims(
    { thread, trigger: saved.record.trigger, since },
    {
      comments: rememberTexts(createThreadComments(thread, api), texts),
      identity: await connection.readIdentity(),
      signer: assistantSeal(context.repository.id),
      api,
      render: (record) =>
        renderInterruptedComment(
          {
            ...record,
            links: { baseUrl: undefined, allowed: [] },
            triggerPhrase: inputText("trigger-phrase", environment)?.trim() || defaultPhrases.assistant,
          },
          record.message ?? "",
          shownText,
        ),
    },
  );
  const claim = (await claims.list()).find(({ record }) => record.owner === saved.record.owner);
  if (claim === undefined || claim.isUnverifiable === true || isOver(claim.record.state)) return;
  shownText = texts.get(claim.id) ?? "";
  await claims.update(claim, {
    ...claim.record,
    state: "released",
    outcome: "interrupted",
    // An end that the main step could not write down is known, and true.
    message: (isOver(saved.record.state) ? saved.record.message : undefined) ?? interrupted,
  });
  log.info("The comment of the interrupted question was corrected.");
}

/** The comments as they are, with their texts kept: what was shown of an answer is shown nowhere else. */
function rememberTexts(comments: ThreadComments, texts: Map<number, string>): ThreadComments {
  return {
    ...comments,
    async list(options) {
      const listed = await comments.list(options);
      for (const { id, body } of listed) texts.set(id, body);
      return listed;
    },
  };
}

function isOver(state: string): boolean {
  return state === "ended" || state === "released";
}
