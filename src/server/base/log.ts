/** The server's log on standard error, as text or as JSON lines with request and job ids. */
import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import type { Log } from "../../base/runtime.ts";

const fields = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Runs `work`; the JSON log lines that it writes have these fields. */
export function withLogFields<Result>(added: Readonly<Record<string, string>>, work: () => Result): Result {
  return fields.run({ ...fields.getStore(), ...added }, work);
}

/** Creates the log. Debug messages are written only if `isVerbose`. */
export function createConsoleLog(format: "text" | "json", isVerbose: boolean): Log {
  const write = (level: string, message: string) => {
    const time = new Date().toISOString();
    // Names of files and output of agents may contain line feeds and characters that control a terminal. Only a message starts
    // at the beginning of a line.
    const visible = message.replace(/(?![\t\n])\p{Cc}/gu, " ").replaceAll("\n", "\n  ");
    const text = `${time} ${level === "warning" ? "warning: " : ""}${visible}`;
    const json = () => JSON.stringify({ time, level, message, ...fields.getStore() });
    process.stderr.write(`${format === "json" ? json() : text}\n`);
  };
  return {
    debug: (message) => (isVerbose ? write("debug", message) : undefined),
    info: (message) => write("info", message),
    notice: (message) => write("info", message),
    warning: (message) => write("warning", message),
  };
}
