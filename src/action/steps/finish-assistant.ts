/** The assistant's post step: corrects the comment of a main step that was killed. */
import { createCommentClaims } from "../../github/comment-claims.ts";
import { createThreadComments } from "../../github/comments.ts";
import { createSeal } from "../../github/seal.ts";
import { renderAnswerComment } from "../../presentation/answer-comment.ts";
import { sealKey } from "../agent-github.ts";
import { viewOf } from "../assistant-github.ts";
import { connectGitHub } from "../connect-github.ts";
import { inputText } from "../read-inputs.ts";
import type { PostContext } from "../run-post.ts";
import { readSavedClaim } from "../saved-claim.ts";

const interrupted = "The run that was answering ended early. Re-run the workflow, or ask again.";

/** Says in the comment that nobody answers any more. */
export async function finishAssistant({ environment, log, signal, state }: PostContext): Promise<void> {
  const saved = readSavedClaim(state);
  if (saved?.place.kind !== "thread" || isOver(saved.record.state)) return;
  const { thread, since } = saved.place;
  const githubToken = inputText("github-token", environment)?.trim();
  const connection = await connectGitHub({ githubToken }, { environment, log, signal, random: Math.random });
  const { api, run } = connection;
  const claims = createCommentClaims(
    { repositoryId: api.repository.id, thread, trigger: saved.record.trigger, since },
    {
      comments: createThreadComments(thread, api),
      identity: await connection.readIdentity(),
      seal: createSeal(sealKey(inputText("api-key", environment)?.trim(), run.repository.id)),
      serverNow: api.serverNow,
      render: (record) =>
        renderAnswerComment(
          viewOf({
            record,
            shown: { state: "failed", text: "", answer: undefined },
            links: { baseUrl: undefined, allowed: [] },
            triggerPhrase: inputText("trigger-phrase", environment)?.trim() || "/ask",
          }),
        ),
    },
  );
  const claim = (await claims.list()).find(({ record }) => record.owner === saved.record.owner);
  if (claim === undefined || claim.isUnverifiable === true || isOver(claim.record.state)) return;
  await claims.update(claim, {
    ...claim.record,
    state: "released",
    outcome: "interrupted",
    message: interrupted,
  });
  log.info("The comment of the interrupted question was corrected.");
}

function isOver(state: string): boolean {
  return state === "ended" || state === "released";
}
