/** The log of a server: what happens goes to standard error, as text or as lines of JSON, with the request or job that it belongs to. */
import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import type { Log } from "../../base/runtime.ts";

const fields = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Does work whose log lines carry these fields, in JSON. */
export function withLogFields<Result>(added: Readonly<Record<string, string>>, work: () => Result): Result {
  return fields.run({ ...fields.getStore(), ...added }, work);
}

export function createConsoleLog(format: "text" | "json", isVerbose: boolean): Log {
  const write = (level: string, message: string) => {
    const time = new Date().toISOString();
    const text = `${time} ${level === "warning" ? "warning: " : ""}${message}`;
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
