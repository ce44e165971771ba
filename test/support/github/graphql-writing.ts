/** People, reactions and what every text has in common, as GraphQL shows them. */

import type { Actor, Links } from "./api-call.ts";
import { connect, type PageArguments } from "./graphql-connection.ts";
import type { Reaction, Writing } from "./records.ts";
import { authorAssociation } from "./render-people.ts";
import { type GitHubState, rememberPerson } from "./state.ts";

export interface GraphContext {
  readonly state: GitHubState;
  readonly links: Links;
  readonly actor: Actor;
}

/** Here a bot's login is without the `[bot]` that REST puts at its end. */
export function actorObject(login: string, { state, links }: GraphContext) {
  const { id, type } = rememberPerson(state, login);
  const name = login.replace(/\[bot\]$/, "");
  const path = type === "Bot" ? `/apps/${name}` : `/${name}`;
  return {
    __typename: type,
    id: `U_${id}`,
    databaseId: id,
    login: name,
    name: null,
    avatarUrl: `${links.html}/avatars/${id}`,
    url: `${links.html}${path}`,
    resourcePath: path,
  };
}

const CONTENTS: Readonly<Record<string, string>> = {
  "+1": "THUMBS_UP",
  "-1": "THUMBS_DOWN",
  laugh: "LAUGH",
  hooray: "HOORAY",
  confused: "CONFUSED",
  heart: "HEART",
  rocket: "ROCKET",
  eyes: "EYES",
};

/** REST's word for a reaction. */
export function reactionWord(content: string): string {
  return Object.keys(CONTENTS).find((word) => CONTENTS[word] === content) ?? content;
}

export function reactionObject({ id, content, author, createdAt }: Reaction, context: GraphContext) {
  const user = actorObject(author, context);
  return {
    __typename: "Reaction",
    id: `REA_${id}`,
    databaseId: id,
    content: CONTENTS[content],
    createdAt,
    user: user.__typename === "User" ? user : null,
  };
}

/** The fields of every text. */
export function writingObject(writing: Writing, context: GraphContext) {
  const lastEdit = writing.edits.at(-1);
  // The newest edit comes first, and the oldest entry is the text as it was created.
  const edits = [
    ...writing.edits.toReversed().map((edit, index, all) => ({
      ...edit,
      diff: index === 0 ? writing.body : (all[index - 1]?.previousBody ?? ""),
    })),
    {
      id: writing.id,
      editor: writing.author,
      editedAt: writing.createdAt,
      diff: writing.edits[0]?.previousBody,
    },
  ].map(({ id, editor, editedAt, diff }) => ({
    id: `UCE_${id}`,
    editor: actorObject(editor, context),
    editedAt,
    createdAt: editedAt,
    updatedAt: editedAt,
    deletedAt: null,
    diff,
  }));
  return {
    databaseId: writing.id,
    fullDatabaseId: String(writing.id),
    author: actorObject(writing.author, context),
    authorAssociation: authorAssociation(context.state, writing.author),
    body: writing.body,
    bodyText: writing.body,
    createdAt: writing.createdAt,
    publishedAt: writing.createdAt,
    updatedAt: writing.updatedAt,
    editor: lastEdit === undefined ? null : actorObject(lastEdit.editor, context),
    lastEditedAt: lastEdit?.editedAt ?? null,
    includesCreatedEdit: writing.edits.length > 0,
    isMinimized: false,
    viewerDidAuthor: writing.author === context.actor.login,
    userContentEdits: (page: PageArguments) => connect(writing.edits.length === 0 ? [] : edits, page),
    reactions: (page: PageArguments) =>
      connect(
        writing.reactions.map((reaction) => reactionObject(reaction, context)),
        page,
      ),
  };
}
