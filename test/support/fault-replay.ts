/**
 * Every way in which one run can be struck at one of its requests: what a healthy run asks is counted, then the run is
 * repeated once for each request and each misfortune.
 */
import type { Fault } from "./faults.ts";

export type ServerName = "github" | "platform";

/** What strikes a request. A killed runner gets no post step: it is gone. */
export type Misfortune =
  | { readonly kind: "kill" | "cancel"; readonly when: "before" | "after" }
  | { readonly kind: "fault"; readonly name: string; readonly fault: Fault };

/** One request of a run and what becomes of it. */
export interface Strike {
  readonly server: ServerName;
  /** Number of the request at its server, from 0. */
  readonly request: number;
  readonly misfortune: Misfortune;
  /** What the run after it is: the same run once more, or a new run of the same event. */
  readonly next: "attempt" | "run";
  readonly name: string;
}

const html = "<html><body><h1>502 Bad Gateway</h1></body></html>";

/** Answers as broken services and proxies give them; before or after the request was carried out. */
const brokenAnswers: readonly { readonly name: string; readonly fault: Fault }[] = [
  {
    name: "429",
    fault: { kind: "answer", when: "before", status: 429, headers: { "retry-after": "1" }, body: "{}" },
  },
  ...(["before", "after"] as const).flatMap((when) => [
    { name: `a connection cut ${when}`, fault: { kind: "reset", when } as const },
    { name: `a 500 ${when}`, fault: { kind: "answer", when, status: 500, body: "{}" } as const },
    {
      name: `a 502 page ${when}`,
      fault: {
        kind: "answer",
        when,
        status: 502,
        headers: { "content-type": "text/html" },
        body: html,
      } as const,
    },
    {
      name: `garbage ${when}`,
      fault: {
        kind: "answer",
        when,
        status: 200,
        headers: { "content-type": "application/json" },
        body: "{]",
      } as const,
    },
  ]),
];

const misfortunes: readonly Misfortune[] = [
  ...(["before", "after"] as const).flatMap((when) => [
    { kind: "kill", when } as const,
    { kind: "cancel", when } as const,
  ]),
  ...brokenAnswers.map(({ name, fault }) => ({ kind: "fault", name, fault }) as const),
];

/** All strikes against a run that makes so many requests of each server. */
export function listStrikes(counts: Readonly<Record<ServerName, number>>): Strike[] {
  const servers = ["github", "platform"] as const;
  return servers.flatMap((server) =>
    Array.from({ length: counts[server] }, (_, request) =>
      misfortunes.flatMap((misfortune, index) =>
        nextRuns(server, request + index).map((next) => toStrike({ server, request, misfortune, next })),
      ),
    ).flat(),
  );
}

/** Both kinds of next run where the job is created; in turn elsewhere. */
function nextRuns(server: ServerName, turn: number): readonly Strike["next"][] {
  if (server === "platform") return ["attempt", "run"];
  return turn % 2 === 0 ? ["attempt"] : ["run"];
}

function toStrike(strike: Omit<Strike, "name">): Strike {
  const { server, request, misfortune, next } = strike;
  const what = misfortune.kind === "fault" ? misfortune.name : `${misfortune.kind} ${misfortune.when}`;
  return { ...strike, name: `${server} ${request + 1}: ${what}, then a new ${next}` };
}
