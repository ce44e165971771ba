/** The generated tables, as Markdown. */

import { ActionError, type ErrorCode, errorCodes } from "../src/base/errors.ts";
import { commandNames, outputs } from "../src/commands/outputs.ts";
import { listInputs, publicName } from "../src/commands/read-inputs.ts";

export function renderInputTable(): string {
  const inputs = listInputs().filter(({ isFlagOnly }) => !isFlagOnly);
  const rows = inputs.map(({ name, commands, required, default: value, description }) => [
    `\`${name}\``,
    commandCell(commands),
    required ? "required" : value === undefined || value === "" ? "" : `\`${value}\``,
    description,
  ]);
  return table(["input", "commands", "default", "meaning"], rows);
}

export function renderOutputTable(): string {
  const rows = Object.entries(outputs).map(([key, { commands, description }]) => [
    `\`${publicName(key)}\``,
    commandCell(commands),
    description,
  ]);
  return table(["output", "commands", "meaning"], rows);
}

interface ErrorText {
  /** Why it happens, as a sentence. */
  readonly cause: string;
  /** Headings of `docs/troubleshooting.md` that say more. */
  readonly symptoms?: readonly string[];
}

const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  "invalid-input": {
    cause: "An input is missing or invalid, or contradicts another one.",
    symptoms: ["Fork or Dependabot", "Documents not found", "Values file refused"],
  },
  unauthorized: {
    cause: "The platform does not know the key, or GitHub does not know the token.",
    symptoms: ["401"],
  },
  forbidden: {
    cause: "The platform knows the key and refuses the request, or storage refuses the link to the bundle.",
    symptoms: ["403", "Expired link"],
  },
  "not-found": {
    cause: "The platform, storage or GitHub does not have the thing that the request names.",
    symptoms: ["404", "Expired link"],
  },
  conflict: { cause: "A job that is under way, or has ended, does not allow the request." },
  "rate-limited": {
    cause: "The request limit of the platform or of GitHub is used up, or the storage for artifacts is full.",
    symptoms: ["Rate limits"],
  },
  rejected: {
    cause: "The platform or GitHub does not accept the content of the request.",
    symptoms: ["No artifact service"],
  },
  unavailable: { cause: "The server failed with an error of its own, even after five attempts." },
  unreachable: {
    cause:
      "The connection failed, or broke before an answer: a wrong host or port, the network, a proxy or a certificate.",
    symptoms: ["Wrong address", "Certificate", "Proxy"],
  },
  "unexpected-response": {
    cause:
      "The answer is not from the API: often it is from a login page, a proxy, or the site instead of its API.",
    symptoms: ["Outcome unknown"],
  },
  "job-failed": { cause: "The platform accepted the job and could not finish it." },
  "bundle-corrupt": {
    cause: "The archive is incomplete or damaged, or its digest is not the announced one.",
  },
  "bundle-too-large": {
    cause: "The bundle, or what it unpacks to, is larger than `max-bundle-megabytes`.",
    symptoms: ["Bundle too large"],
  },
  "unsafe-archive": { cause: "The archive contains links, devices, or names that lead out of its folder." },
  "disk-full": {
    cause: "The runner's disk has too little space, or cannot be written.",
    symptoms: ["Disk full"],
  },
  "stream-cut": {
    cause: "The connection broke while the assistant was answering, or the assistant reported an error.",
  },
  "timed-out": { cause: "The job, its bundle or the answer took longer than `timeout-minutes`." },
  cancelled: { cause: "A person, or `concurrency:` in the workflow, cancelled the run." },
  "missing-permission": { cause: "The job's token may not do what the command needs.", symptoms: ["403"] },
  "pull-request-mismatch": { cause: "The pull request is in a repository that this run does not expect." },
  internal: { cause: "A bug in the action." },
};

/** @param lines what the log shows of each error, as the tests provoked it */
export function renderErrorReference(lines: Readonly<Record<string, string>>): string {
  const errors = errorCodes.map((code) => new ActionError(code, ""));
  const rows = errors.map(({ code, class: errorClass, retryable }) => [
    `[\`${code}\`](#${code})`,
    errorClass,
    retryable ? "yes" : "no",
    errorTexts[code].cause,
  ]);
  const note =
    "If the error comes from GitHub and not from the platform, the class is `github`, and the hint says what to do there. Some errors have a more specific hint than the one below.";
  const sections = errors.map(({ code, hint }) => {
    const { cause, symptoms = [] } = errorTexts[code];
    const links = symptoms.map((symptom) => {
      return `[${symptom}](../troubleshooting.md#${symptom.toLowerCase().replaceAll(" ", "-")})`;
    });
    const seen = lines[code] === undefined ? [] : [`\`\`\`text\n${lines[code]}\n\`\`\``];
    const more = links.length === 0 ? [] : [`**More.** ${links.join(", ")}.`];
    return [`## ${code}`, ...seen, `**Cause.** ${cause}`, `**Next step.** ${hint}`, ...more].join("\n\n");
  });
  return [table(["code", "class", "run again?", "cause"], rows), note, ...sections].join("\n\n");
}

function commandCell(commands: readonly string[]): string {
  return commands.length === commandNames.length ? "all" : commands.join(", ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
