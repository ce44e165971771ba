import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { type Account, type GitHubEvent, readEvent, type TextEvent } from "../../src/github/event.ts";
import {
  hasPermission,
  isCheckboxTickEvent,
  type PermissionFlags,
  readPermission,
  refuseUnpermitted,
} from "../../src/github/gate.ts";
import { tryAgainBox } from "../../src/presentation/status-comment.ts";
import { connectRun } from "../support/connect-github.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";

const mona: Account = { login: "mona", id: 1, isBot: false };
const eve: Account = { login: "eve", id: 2, isBot: false };
const marker = "\n\n<!-- docs-automation:claim:v1 x -->";
const actions: Account = { login: "github-actions[bot]", id: 41_898_282, isBot: true };
const renovate: Account = { login: "renovate[bot]", id: 29_139_614, isBot: true };

const flagsByLogin: Readonly<Record<string, PermissionFlags>> = {
  mona: { pull: true, triage: true, push: true },
  tria: { pull: true, triage: true },
  eve: { pull: true },
};

function comment(author: Account | undefined, overrides: Partial<TextEvent> = {}): TextEvent {
  const text = {
    kind: "issue-comment",
    id: 5,
    nodeId: "IC_5",
    body: "/docs go",
    url: "",
    createdAt: "",
    changedAt: "",
  } as const;
  const thread = {
    kind: "issue",
    number: 1,
    nodeId: "I_1",
    title: "",
    body: "",
    author: undefined,
    url: "",
    createdAt: "",
  } as const;
  return {
    type: "text",
    action: "created",
    sender: author,
    thread,
    text: { ...text, author },
    ...overrides,
  };
}

interface Gate {
  readonly event: GitHubEvent;
  readonly eventName?: string;
  readonly actor?: string;
  readonly triggeringActor?: string;
  readonly runAttempt?: number;
  readonly minimumPermission?: "read" | "triage" | "write" | "maintain" | "admin";
  readonly allowedUsers?: readonly string[];
  readonly allowedBots?: readonly string[];
}

const run = { eventName: "issue_comment", actor: "mona", triggeringActor: "mona", runAttempt: 1 };
const policy = { minimumPermission: "write", allowedUsers: [], allowedBots: [] } as const;

function gate({ event, ...options }: Gate) {
  const github = {
    event,
    context: { ...run, ...options },
    readPermission: async (login: string) => flagsByLogin[login] ?? {},
    readIdentity: async () => actions,
  };
  return refuseUnpermitted({ ...policy, ...options }, github);
}

describe("the gate", () => {
  test("permits a user with the permission", async () => {
    expect(await gate({ event: comment(mona) })).toBeUndefined();
  });

  test("says that the token may be the reason if GitHub shows no permission of an account", async () => {
    const refusals = [eve, { login: "stranger", id: 8, isBot: false }].map((user) =>
      gate({ event: comment(user) }),
    );

    const message = "Not permitted: @eve has less than `write` permission on this repository";
    expect(await Promise.all(refusals)).toMatchObject([
      { message: `${message}.` },
      { message: `${message.replace("eve", "stranger")}, or the token cannot read it.` },
    ]);
  });

  test("looks up each account once", async () => {
    const checked: string[] = [];
    const readPermission = async (login: string) => {
      checked.push(login);
      return flagsByLogin["mona"] ?? {};
    };
    const event = comment({ ...mona, login: "Mona" }, { sender: mona });

    const context = { ...run, runAttempt: 2 };
    const github = { event, context, readPermission, readIdentity: async () => actions };
    expect(await refuseUnpermitted(policy, github)).toBeUndefined();
    expect(checked).toStrictEqual(["Mona"]);
  });

  test.each([
    [{ runAttempt: 2, actor: "eve", triggeringActor: "eve" }],
    [{ runAttempt: 1, actor: "mona", triggeringActor: "eve" }],
  ])("refuses a run that a user with read permission started: %j", async (changes) => {
    expect(await gate({ event: comment(mona), ...changes })).toMatchObject({ reason: "permission" });
  });

  test.each([
    ["a user with read permission", comment(eve), "permission"],
    ["a user without access", comment({ login: "stranger", id: 8, isBot: false }), "permission"],
    ["a bot that is not named", comment(renovate), "bot"],
    ["our own account", comment(actions), "own-comment"],
    [
      "our own account as some answers name it",
      comment({ ...actions, login: "github-actions" }),
      "own-comment",
    ],
    ["a deleted account", comment(undefined), "deleted-account"],
    ["an event that another account than the author sent", comment(mona, { sender: eve }), "confused-deputy"],
    ["an edit by another account", comment(eve, { action: "edited", sender: mona }), "confused-deputy"],
  ])("refuses %s", async (_name, event, code) => {
    expect(await gate({ event })).toMatchObject({ reason: code });
  });

  test("refuses a text with our marker, from any account", async () => {
    const event = comment(mona);
    const body = "/docs go\n\n<!-- docs-automation:claim:v9 x -->";

    expect(await gate({ event: { ...event, text: { ...event.text, body } } })).toMatchObject({
      reason: "own-comment",
      message: "Not permitted: the text contains a marker of the action's own texts.",
    });
  });

  test("checks the user who re-ran a trusted event, unless it is the actor", async () => {
    const event = { type: "other", action: "", sender: mona } as const;
    const rerun = { event, eventName: "workflow_dispatch", runAttempt: 2 };

    expect(await gate({ ...rerun, triggeringActor: "eve" })).toMatchObject({ reason: "permission" });
    expect(await gate({ ...rerun, triggeringActor: "mona" })).toBeUndefined();
  });

  test("does not check the actor of a first attempt, which GitHub may set to a bot", async () => {
    const actor = "merge-queue[bot]";

    expect(await gate({ event: comment(mona), actor, triggeringActor: actor })).toBeUndefined();
  });

  test("checks the users who added a label and who re-ran the workflow, not the text's author", async () => {
    const labelled = (author: Account | undefined, sender: Account | undefined, body = "Do this.") => {
      const event = comment(author, { action: "labeled", sender, label: "docs" });
      return { ...event, text: { ...event.text, body } };
    };

    for (const author of [mona, eve, renovate, actions, undefined]) {
      expect(await gate({ event: labelled(author, mona) })).toBeUndefined();
      expect(await gate({ event: labelled(author, eve) })).toMatchObject({ reason: "permission" });
      expect(await gate({ event: labelled(author, renovate) })).toMatchObject({ reason: "bot" });
      expect(await gate({ event: labelled(author, undefined) })).toMatchObject({ reason: "deleted-account" });
    }
    expect(await gate({ event: labelled(eve, mona), runAttempt: 2, triggeringActor: "eve" })).toMatchObject({
      reason: "permission",
    });
    expect(await gate({ event: labelled(actions, mona, `a${marker}`) })).toMatchObject({
      reason: "own-comment",
    });
  });

  describe("a ticked checkbox in our own comment", () => {
    const before = `### Docs agent: failed\n\n${tryAgainBox}${marker}`;
    const after = before.replace("[ ]", "[x]");
    const press = (overrides: Partial<TextEvent> = {}, text: Partial<TextEvent["text"]> = {}) => {
      const event = comment(actions, { action: "edited", sender: mona, previousBody: before, ...overrides });
      return { ...event, text: { ...event.text, body: after, ...text } };
    };

    test("is a request by its sender", async () => {
      expect(await gate({ event: press() })).toBeUndefined();
      expect(isCheckboxTickEvent(press())).toBe(true);
      const overCrlf = press({ previousBody: before.replaceAll("\n", "\r\n") });
      expect(await gate({ event: overCrlf })).toBeUndefined();
    });

    test.each<[string, TextEvent, string]>([
      ["by a user with read permission", press({ sender: eve }), "permission"],
      ["by a bot", press({ sender: renovate }), "bot"],
      ["by our own account", press({ sender: actions }), "bot"],
      ["by a deleted account", press({ sender: undefined }), "deleted-account"],
      ["in a comment that imitates ours", press({}, { author: eve }), "own-comment"],
      ["in a comment of the user who ticks it", press({}, { author: mona }), "own-comment"],
      ["in a comment of another bot", press({}, { author: renovate }), "own-comment"],
      ["in a comment of a deleted account", press({}, { author: undefined }), "own-comment"],
      ["in a new comment", press({ action: "created" }), "own-comment"],
      ["in an issue", press({}, { kind: "issue" }), "own-comment"],
      ["with another change", press({ previousBody: `x${before}` }), "own-comment"],
      ["with a line more", press({}, { body: `${after}\n` }), "own-comment"],
      ["that was pressed before", press({ previousBody: after }), "own-comment"],
      ["that was unticked", press({ previousBody: after }, { body: before }), "own-comment"],
      [
        "of another name",
        press({ previousBody: `- [ ] Go${marker}` }, { body: `- [x] Go${marker}` }),
        "own-comment",
      ],
      [
        "whose marker came with it",
        press({ previousBody: "- [ ] Try again" }, { body: `- [x] Try again${marker}` }),
        "own-comment",
      ],
    ])("is refused %s", async (_name, event, code) => {
      expect(await gate({ event })).toMatchObject({ reason: code });
    });

    test("is an ordinary edit if the comment has no marker", async () => {
      const event = press({ previousBody: "- [ ] Try again" }, { body: "- [x] Try again" });

      expect(isCheckboxTickEvent(event)).toBe(false);
      expect(await gate({ event })).toMatchObject({ reason: "confused-deputy" });
    });

    test("is refused if a user with read permission re-runs it", async () => {
      const rerun = { event: press(), runAttempt: 2, triggeringActor: "eve" };
      expect(await gate(rerun)).toMatchObject({ reason: "permission" });
    });
  });

  test("permits listed users and bots, by exact login", async () => {
    expect(await gate({ event: comment(eve), allowedUsers: ["Eve"] })).toBeUndefined();
    for (const name of ["renovate[bot]", "Renovate", "@renovate"])
      expect(await gate({ event: comment(renovate), allowedBots: [name] })).toBeUndefined();
    expect(await gate({ event: comment(eve), allowedUsers: ["eve2", "ev", "*"] })).toMatchObject({
      reason: "permission",
    });
    expect(await gate({ event: comment(renovate), allowedUsers: ["renovate[bot]"] })).toMatchObject({
      reason: "bot",
    });
    expect(await gate({ event: comment(renovate), allowedBots: ["*"] })).toMatchObject({ reason: "bot" });
  });

  test("checks no account if only users with write access can cause the event", async () => {
    const push = {
      type: "push",
      action: "",
      sender: renovate,
      ref: "refs/heads/main",
      before: "",
      after: "",
      head: { id: "", message: "" },
      deleted: false,
      forced: false,
      defaultBranch: "main",
      commits: [],
    } as const;

    expect(await gate({ event: push, eventName: "push" })).toBeUndefined();
    expect(
      await gate({ event: { type: "other", action: "", sender: eve }, eventName: "workflow_dispatch" }),
    ).toBeUndefined();
    const schedule = { type: "other", action: "", sender: undefined } as const;
    expect(await gate({ event: schedule, eventName: "schedule" })).toBeUndefined();
  });

  test("refuses other events of users without permission and of deleted accounts", async () => {
    const event = { type: "other", action: "started", sender: eve } as const;
    expect(await gate({ event, eventName: "watch" })).toMatchObject({ reason: "permission" });
    expect(await gate({ event: { ...event, sender: undefined }, eventName: "watch" })).toMatchObject({
      reason: "deleted-account",
    });
  });

  test("refuses a run that follows a run of a user without permission, even if a maintainer sent the event", async () => {
    const event = { type: "other", action: "completed", sender: mona } as const;
    const run = { eventName: "workflow_run", actor: "eve", triggeringActor: "eve" };
    expect(await gate({ event, ...run })).toMatchObject({ reason: "permission" });
  });

  test("throws if the permission lookup fails", async () => {
    const failing = refuseUnpermitted(
      { ...policy, minimumPermission: "read" },
      {
        event: comment(mona),
        context: run,
        readPermission: () => Promise.reject(new Error("no answer")),
        readIdentity: async () => actions,
      },
    );

    await expect(failing).rejects.toThrow("no answer");
  });
});

/** Every event in GitHub's webhook schemas with its actions, and the events that only workflows have. */
function listEvents(): Map<string, string[]> {
  const require = createRequire(import.meta.url);
  const { definitions } = require("@octokit/webhooks-schemas") as { definitions: object };
  const actions = new Map<string, string[]>([["schedule", [""]]]);
  for (const name of Object.keys(definitions)) {
    const [, event, action = ""] = /^(\w+)\$(\w+)$/.exec(name) ?? [];
    if (event !== undefined)
      actions.set(event, [...(actions.get(event) ?? []), action === "event" ? "" : action]);
  }
  return actions.set("pull_request_target", actions.get("pull_request") ?? []);
}

/** A payload with all fields that the action reads from any event. */
function hostilePayload(action: string, author: string, sender: string, merged: boolean) {
  const user = (login: string) => ({ login, id: login === "eve" ? 2 : 1, type: "User" });
  const side = { ref: "main", sha: "a", repo: { id: 1 } };
  const text = { id: 1, node_id: "N", number: 1, title: "a", body: "/docs go", user: user(author) };
  return {
    ...(action === "" ? {} : { action }),
    ...{ ref: "refs/heads/main", before: "a", after: "b", repository: { default_branch: "main" } },
    ...{ sender: user(sender), comment: text, issue: text, review: text, discussion: text },
    pull_request: { ...text, merged, base: side, head: side },
    release: { tag_name: "v1", author: user(author) },
    workflow_run: { actor: user(author), triggering_actor: user(author), conclusion: "success" },
  };
}

describe("the gate for every event and action of GitHub", () => {
  const events = listEvents();
  const pairs = [...events].flatMap(([name, actions]) =>
    [...actions, "an-action-of-tomorrow"].map((action) => [name, action] as const),
  );

  /** The gate's decision on an event, and the logins whose permission it checked. `eve` has only read permission. */
  async function decide(
    [eventName, action]: readonly [string, string],
    {
      author = "mona",
      sender = "mona",
      triggeringActor = sender,
      merged = true,
    }: { author?: string; sender?: string; triggeringActor?: string; merged?: boolean },
  ) {
    const checked: string[] = [];
    const runAttempt = triggeringActor === sender ? 1 : 2;
    const refusal = await refuseUnpermitted(policy, {
      event: readEvent(eventName, hostilePayload(action, author, sender, merged)),
      context: { eventName, actor: sender, triggeringActor, runAttempt },
      async readPermission(login) {
        checked.push(login);
        return flagsByLogin[login] ?? {};
      },
      readIdentity: async () => actions,
    });
    return { allowed: refusal === undefined, checked };
  }

  test("checks permissions, except for events that only users with write access can cause", async () => {
    expect(pairs.length).toBeGreaterThan(300);
    const trusted: string[] = [];
    for (const pair of pairs) {
      const stranger = await decide(pair, { author: "eve", sender: "eve" });
      if (stranger.allowed) trusted.push(pair.join(" ").trim());
      else expect(stranger.checked, pair.join(" ")).toStrictEqual(["eve"]);
    }
    expect(trusted.toSorted()).toStrictEqual([
      "merge_group checks_requested",
      "pull_request closed",
      "pull_request_target closed",
      "push",
      "release published",
      "release released",
      "repository_dispatch",
      "repository_dispatch an-action-of-tomorrow",
      "schedule",
      "workflow_dispatch",
    ]);
  });

  test("checks permissions for every action of a pull request that is not merged", async () => {
    for (const pair of pairs.filter(([name]) => name.startsWith("pull_request"))) {
      const stranger = await decide(pair, { author: "eve", sender: "eve", merged: false });
      expect(stranger, pair.join(" ")).toStrictEqual({ allowed: false, checked: ["eve"] });
    }
  });

  test("refuses users without permission as author, sender or re-runner", async () => {
    const isWritten = ([name]: readonly [string, string]) =>
      /^(?:issue|discussion|pull_request)/.test(name) && events.has(name);
    for (const pair of pairs) {
      const rerun = await decide(pair, { triggeringActor: "eve" });
      expect(rerun.allowed, pair.join(" ")).toBe(false);
      expect(rerun.checked, pair.join(" ")).toContain("eve");
      const isMerge = pair[0].startsWith("pull_request") && pair[1] === "closed";
      if (!isWritten(pair) || isMerge || pair[0] === "pull_request_review_thread") continue;
      const author = await decide(pair, { author: "eve" });
      // For a label, the author's text is not used.
      expect(author.allowed, pair.join(" ")).toBe(/^(?:issues|discussion) labeled$/.test(pair.join(" ")));
      const sender = await decide(pair, { sender: "eve" });
      expect(sender.allowed, pair.join(" ")).toBe(false);
    }
  });
});

describe("hasPermission", () => {
  test("accepts a higher level, and treats a missing permission as false", () => {
    expect(hasPermission({ admin: true }, "triage")).toBe(true);
    expect(hasPermission({ triage: true, pull: true }, "write")).toBe(false);
    expect(hasPermission({}, "read")).toBe(false);
  });
});

describe("readPermission", () => {
  test("reads the permissions of a custom role, and none of an unknown user", async () => {
    await using github = await startGitHubStandIn();
    github.addPerson("custom", { role: "write", customRole: "docs-writer" });
    const api = connectRun(github, { contents: "read" });

    expect(await readPermission("custom", api)).toMatchObject({ push: true, maintain: false });
    expect(await readPermission("stranger", api)).toStrictEqual({});
  });

  test.each(["{}", "[]", '{"message":"OK"}'])(
    "takes no response of a wrong shape for missing permissions: %s",
    async (body) => {
      await using github = await startGitHubStandIn();
      github.faults.add({ path: "/collaborators/", fault: { kind: "answer", status: 200, body } });

      const response = readPermission("mona", connectRun(github, { contents: "read" }));
      await expect(response).rejects.toMatchObject({ code: "unexpected-response" });
    },
  );

  test("gives a hint about the token, not about the workflow's permissions", async () => {
    await using github = await startGitHubStandIn();
    const body = '{"message":"Must have push access to view collaborator permission."}';
    github.faults.add({ path: "/collaborators/", fault: { kind: "answer", status: 403, body } });

    const failure = await readPermission("mona", connectRun(github, {})).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "missing-permission",
      message: `The run's token may not look up the permission of mona: ${JSON.parse(body).message}`,
      hint: expect.stringMatching(/remove the input `github-token`\..*`metadata: read`/),
    });
  });
});
