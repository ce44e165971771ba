/** What a command may say while it works; the frame writes it to the job's log, escaped. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  /** Shown as an annotation; for facts that a person should know but need not act on. */
  notice(message: string): void;
  warning(message: string): void;
}
