/** A request as code that sends it. */
import { isJsonObject } from "../../../base/text.ts";
import { entriesOf } from "../json-values.ts";
import { fileMark, printJson } from "./schema-reader.ts";

/** What is sent where. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: { readonly mediaType: string; readonly value: unknown } | undefined;
}

/** A code with its language and the title of its tab. */
export interface Sample {
  readonly language: string;
  readonly title: string;
  readonly code: string;
}

/** The samples that are made, by the names that configurations have for their languages. */
const makers = {
  curl: { title: "cURL", language: "bash", make: curlSample, names: "bash curl sh shell" },
  python: { title: "Python", language: "python", make: pythonSample, names: "python py" },
  javascript: {
    title: "JavaScript",
    language: "javascript",
    make: javascriptSample,
    names: "javascript js node nodejs node.js typescript ts",
  },
};

/** The request in each language that is asked for, or all where none of them is known; none where none is asked for. */
export function requestSamples(request: SampleRequest, languages?: readonly string[]): Sample[] {
  if (languages?.length === 0) return [];
  const parts = partsOf(request);
  const known = Object.values(makers);
  const named = (languages ?? []).flatMap((name) => {
    return known.filter(({ names }) => names.split(" ").includes(name.toLowerCase()));
  });
  const chosen = named.length > 0 ? new Set(named) : known;
  return [...chosen].map(({ title, language, make }) => ({ title, language, code: make(parts) }));
}

type Parts = ReturnType<typeof partsOf>;

/** A request with what each language needs of its body. */
function partsOf({ method, url, headers, body }: SampleRequest) {
  const { mediaType = "", value } = body ?? {};
  const kind = body && kindOf(mediaType);
  // What begins like an object or a list is JSON that could not be read: it is shown as it is written.
  const isQuoted = kind === "json" && typeof value === "string" && !/^\s*[[{]/.test(value);
  /** A form's fields; what would be a file has its name. */
  const fields = entriesOf(value).map(([name, field]) => {
    const isFile = field === fileMark;
    return { name, text: isFile ? "example-file" : textOf(field, 0), isFile };
  });
  // The libraries write the type of a form with parts themselves, and how it is divided.
  const isWritten = headers.some(([name]) => /^content-type$/i.test(name)) || kind === "multipart";
  return {
    ...{ method, url, kind, value, fields },
    /** The body as one text. */
    text: isQuoted ? JSON.stringify(value) : textOf(value, 2),
    /** The fields that are no files, by their names. */
    texts: Object.fromEntries(fields.filter(({ isFile }) => !isFile).map(({ name, text }) => [name, text])),
    headers: body === undefined || isWritten ? headers : [...headers, ["Content-Type", mediaType] as const],
  };
}

function kindOf(mediaType: string): "json" | "form" | "multipart" | "text" {
  if (/[/+]json\b/i.test(mediaType)) return "json";
  if (/form-urlencoded/i.test(mediaType)) return "form";
  return /^multipart\//i.test(mediaType) ? "multipart" : "text";
}

/** A value in a request: a text as it is, and JSON of anything else. */
export function textOf(value: unknown, space: number): string {
  return typeof value === "string" ? value : (printJson(value, space) ?? "");
}

function curlSample({ method, url, headers, kind, text, fields }: Parts): string {
  const quote = (words: string) => `'${words.replaceAll("'", "'\\''")}'`;
  const body = {
    json: () => [`--data ${quote(text)}`],
    text: () => [`--data ${quote(text)}`],
    form: () => fields.map((field) => `--data-urlencode ${quote(`${field.name}=${field.text}`)}`),
    multipart: () =>
      fields.map((field) => `--form ${quote(`${field.name}=${field.isFile ? "@" : ""}${field.text}`)}`),
  };
  const lines = [
    `curl --request ${method}`,
    `--url ${quote(url)}`,
    ...headers.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...(kind === undefined ? [] : body[kind]()),
  ];
  return lines.join(" \\\n  ");
}

function javascriptSample({ method, url, headers, kind, text, fields, texts }: Parts): string {
  const print = (value: unknown) => JSON.stringify(value, null, 2);
  const body = {
    json: () => `JSON.stringify(${text})`,
    text: () => print(text),
    form: () => `new URLSearchParams(${print(texts)})`,
    multipart: () => "form",
  };
  const appended = fields.map(
    (field) => `form.append(${print(field.name)}, ${field.isFile ? "file" : print(field.text)});`,
  );
  const options = [
    `method: ${print(method)}`,
    ...(headers.length > 0 ? [`headers: ${print(Object.fromEntries(headers))}`] : []),
    ...(kind === undefined ? [] : [`body: ${body[kind]()}`]),
  ];
  return [
    ...(kind === "multipart" ? ["const form = new FormData();", ...appended, ""] : []),
    `const response = await fetch(${print(url)}, {`,
    ...options.map((option) => `  ${option.replaceAll("\n", "\n  ")},`),
    "});",
    "console.log(await response.json());",
  ].join("\n");
}

function pythonSample({ method, url, headers, kind, value, text, fields, texts }: Parts): string {
  const payload = kind === "json" ? value : kind === "text" ? text : texts;
  const files = kind === "multipart" ? fields.filter(({ isFile }) => isFile) : [];
  const opened = files.map(({ name }) => `    ${JSON.stringify(name)}: open("example-file", "rb"),`);
  const variables = [
    ...(headers.length > 0 ? [["headers", "headers", pythonValue(Object.fromEntries(headers))]] : []),
    ...(kind === undefined ? [] : [[kind === "json" ? "json" : "data", "payload", pythonValue(payload)]]),
    ...(files.length > 0 ? [["files", "files", ["{", ...opened, "}"].join("\n")]] : []),
  ];
  const named = variables.map(([argument, name]) => `, ${argument}=${name}`).join("");
  return [
    "import requests",
    "",
    `url = ${JSON.stringify(url)}`,
    ...variables.map(([, name, written]) => `${name} = ${written}`),
    "",
    `response = requests.request(${JSON.stringify(method)}, url${named})`,
    "print(response.text)",
  ].join("\n");
}

const maxPythonDepth = 30;

/** A value as Python writes it. */
function pythonValue(value: unknown, depth = 0): string {
  const indent = "    ".repeat(depth + 1);
  const end = `\n${"    ".repeat(depth)}`;
  if (depth > maxPythonDepth) return "None";
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[${value.map((item) => `\n${indent}${pythonValue(item, depth + 1)},`).join("")}${end}]`;
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(
      ([key, item]) => `\n${indent}${JSON.stringify(key)}: ${pythonValue(item, depth + 1)},`,
    );
    return entries.length === 0 ? "{}" : `{${entries.join("")}${end}}`;
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null || value === undefined ? "None" : JSON.stringify(value);
}
