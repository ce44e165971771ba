/** Faults that a test orders beforehand for chosen requests to one of the servers of `test/support`. */

/** What goes wrong with a request. `before` the server handled it: nothing happened there; `after`: it all did. */
export type Fault =
  | { readonly kind: "reset"; readonly when: "before" | "after" }
  | {
      readonly kind: "answer";
      readonly when?: "before" | "after";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The request, or its answer, waits until the promise settles (latency without a clock). */
  | { readonly kind: "hold"; readonly when?: "before" | "after"; readonly until: Promise<unknown> };

/** Which requests a fault meets: by default the first one that matches. */
export interface FaultRule {
  readonly method?: string;
  /** Matched against path and query; a string must occur in it. */
  readonly path?: string | RegExp;
  /** How many matching requests pass unharmed first. */
  readonly skip?: number;
  /** How many are harmed after those; `Infinity` for all. */
  readonly times?: number;
  readonly fault: Fault;
  /** Called at the fault's moment, so after the request was carried out for `after`: the time to kill the client, say. */
  readonly onMeet?: () => void;
}

/** The faults of one server. */
export interface FaultPlan {
  add(rule: FaultRule): void;
  /** Drops every rule, so that the next run meets a healthy server. */
  clear(): void;
  /** The rule that this request meets, used up by asking. */
  take(request: { readonly method: string; readonly path: string }): FaultRule | undefined;
}

function meets(rule: FaultRule, request: { method: string; path: string }): boolean {
  if (rule.method !== undefined && rule.method !== request.method) return false;
  if (rule.path === undefined) return true;
  return typeof rule.path === "string" ? request.path.includes(rule.path) : rule.path.test(request.path);
}

/** Makes an empty plan. */
export function createFaultPlan(): FaultPlan {
  let rules: { rule: FaultRule; skip: number; times: number }[] = [];
  return {
    add(rule) {
      rules.push({ rule, skip: rule.skip ?? 0, times: rule.times ?? 1 });
    },
    clear() {
      rules = [];
    },
    take(request) {
      for (const entry of rules) {
        if (!meets(entry.rule, request)) continue;
        if (entry.skip > 0) entry.skip -= 1;
        else if (entry.times > 0) {
          entry.times -= 1;
          return entry.rule;
        }
      }
      return undefined;
    },
  };
}
