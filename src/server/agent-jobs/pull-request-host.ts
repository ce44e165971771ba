/** Where an agent's work goes: GitHub, or the served repository itself. Everything it does may be repeated. */
export interface PullRequestHost {
  /** The repository's address; a path where it is below the platform's own address. */
  readonly repository: string;
  /** The commit that a job starts from or goes on from, present in the platform's own repository. */
  findStart(work: { readonly branch: string }, deps: { readonly signal: AbortSignal }): Promise<StartPoint>;
  /** Brings the commit to the branch and finds or opens its pull request. */
  publish(change: PublishedChange, deps: { readonly signal: AbortSignal }): Promise<string>;
}

/** Where work starts. */
export interface StartPoint {
  readonly commit: string;
  /** The branch that the pull request will ask to change. */
  readonly base: string;
}

/** A commit that is to be seen and merged. */
export interface PublishedChange {
  readonly jobId: string;
  readonly branch: string;
  readonly base: string;
  readonly commit: string;
  readonly title: string;
  /** What the agent was asked to do, in order. */
  readonly prompts: readonly string[];
}
