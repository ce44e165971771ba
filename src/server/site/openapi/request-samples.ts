/** Generates sample code for a request. */
import { entriesOf } from "../json-values.ts";
import { filePlaceholder, printJson } from "./schema-reader.ts";

/** A request to generate samples for. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: { readonly mediaType: string; readonly value: unknown } | undefined;
}

/** Code with its language and the title of its tab. */
export interface Sample {
  readonly language: string;
  readonly title: string;
  readonly code: string;
}

/** The supported languages. `names` are their names in configurations. */
const generators = [
  { title: "cURL", language: "bash", generate: curlSample, names: "bash curl sh shell" },
  { title: "Python", language: "python", generate: pythonSample, names: "python py" },
  {
    title: "JavaScript",
    language: "javascript",
    generate: javascriptSample,
    names: "javascript js node nodejs node.js typescript ts",
  },
];

/** Generates samples in the requested languages. Default, or if none is supported: all; an empty list: none. */
export function requestSamples(request: SampleRequest, languages: readonly string[] = ["all"]): Sample[] {
  if (languages.length === 0) return [];
  const parts = partsOf(request);
  const requested = languages.flatMap((name) =>
    generators.filter(({ names }) => names.split(" ").includes(name.toLowerCase())),
  );
  const chosen = requested.length > 0 ? new Set(requested) : generators;
  return [...chosen].map(({ title, language, generate }) => ({ title, language, code: generate(parts) }));
}

type Parts = ReturnType<typeof partsOf>;

/** A request with its body in the forms that the languages need. */
function partsOf({ method, url, headers, body }: SampleRequest) {
  const { mediaType = "", value } = body ?? {};
  const kind = body && kindOf(mediaType);
  // A string that starts like an object or array is invalid JSON: it is shown unquoted.
  const isQuoted = kind === "json" && typeof value === "string" && !/^\s*[[{]/.test(value);
  /** The fields of a form. A file is represented by its name. */
  const fields = entriesOf(value).map(([name, field]) => {
    const isFile = field === filePlaceholder;
    return { name, text: isFile ? "example-file" : textOf(field, 0), isFile };
  });
  // For multipart bodies, libraries set the content type with its boundary.
  const hasContentType = headers.some(([name]) => /^content-type$/i.test(name)) || kind === "multipart";
  return {
    ...{ method, url, kind, value, fields },
    text: isQuoted ? JSON.stringify(value) : textOf(value, 2),
    /** The fields without files, by name. */
    texts: Object.fromEntries(fields.filter(({ isFile }) => !isFile).map(({ name, text }) => [name, text])),
    headers:
      body === undefined || hasContentType ? headers : [...headers, ["Content-Type", mediaType] as const],
  };
}

function kindOf(mediaType: string): "json" | "form" | "multipart" | "text" {
  if (isJsonType(mediaType)) return "json";
  if (/form-urlencoded/i.test(mediaType)) return "form";
  return /^multipart\//i.test(mediaType) ? "multipart" : "text";
}

/** Whether a media type is JSON, such as `application/problem+json`. */
export function isJsonType(mediaType: string): boolean {
  return /[/+]json\b/i.test(mediaType);
}

/** A value in a request: strings as they are, other values as JSON. */
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
    ...variables.map(([, name, value]) => `${name} = ${value}`),
    "",
    `response = requests.request(${JSON.stringify(method)}, url${named})`,
    "print(response.text)",
  ].join("\n");
}

/** Prints a value as a Python literal: JSON but for three words. */
function pythonValue(value: unknown): string {
  const words = new Map([
    ["true", "True"],
    ["false", "False"],
    ["null", "None"],
  ]);
  const json = printJson(value, 4) ?? "null";
  return json.replace(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) => words.get(token) ?? token);
}
