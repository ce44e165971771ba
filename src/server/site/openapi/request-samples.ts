/** A request as code that sends it. */
import { isJsonObject } from "../../../base/text.ts";
import { entriesOf, fileMark, printJson } from "./schema-reader.ts";

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

type BodyKind = "json" | "form" | "multipart" | "text";

function kindOf(mediaType: string): BodyKind {
  if (/[/+]json\b/i.test(mediaType)) return "json";
  if (/form-urlencoded/i.test(mediaType)) return "form";
  return /^multipart\//i.test(mediaType) ? "multipart" : "text";
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
  const known = Object.values(makers);
  const named = (languages ?? []).flatMap((name) => {
    return known.filter(({ names }) => names.split(" ").includes(name.toLowerCase()));
  });
  const chosen = named.length > 0 ? new Set(named) : known;
  return [...chosen].map(({ title, language, make }) => ({ title, language, code: make(request) }));
}

/** A form's fields as text; what would be a file has its name. */
function formFields(value: unknown): { name: string; text: string; isFile: boolean }[] {
  return entriesOf(value).map(([name, field]) => {
    const text = typeof field === "string" ? field : (printJson(field, 0) ?? "");
    return { name, text: text === fileMark ? "example-file" : text, isFile: text === fileMark };
  });
}

function bodyText(value: unknown): string {
  return typeof value === "string" ? value : (printJson(value) ?? "");
}

/** What a form library writes into this header is not for the sample to say. */
function writtenHeaders({ headers, body }: SampleRequest): (readonly [string, string])[] {
  const isSet = headers.some(([name]) => name.toLowerCase() === "content-type");
  if (body === undefined || isSet || kindOf(body.mediaType) === "multipart") return [...headers];
  return [...headers, ["Content-Type", body.mediaType]];
}

function curlSample(request: SampleRequest): string {
  const { method, url, body } = request;
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const fields = formFields(body?.value);
  const bodyLines: Readonly<Record<BodyKind, () => string[]>> = {
    json: () => [`--data ${quote(bodyText(body?.value))}`],
    text: () => [`--data ${quote(bodyText(body?.value))}`],
    form: () => fields.map(({ name, text }) => `--data-urlencode ${quote(`${name}=${text}`)}`),
    multipart: () =>
      fields.map(({ name, text, isFile }) => `--form ${quote(`${name}=${isFile ? "@" : ""}${text}`)}`),
  };
  const lines = [
    `curl --request ${method}`,
    `--url ${quote(url)}`,
    ...writtenHeaders(request).map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : bodyLines[kindOf(body.mediaType)]()),
  ];
  return lines.join(" \\\n  ");
}

function javascriptSample(request: SampleRequest): string {
  const { method, url, body } = request;
  const headers = writtenHeaders(request);
  const kind = body === undefined ? undefined : kindOf(body.mediaType);
  const form =
    kind === "multipart"
      ? [
          "const form = new FormData();",
          ...formFields(body?.value).map(
            ({ name, text, isFile }) =>
              `form.append(${JSON.stringify(name)}, ${isFile ? "file" : JSON.stringify(text)});`,
          ),
          "",
        ]
      : [];
  const written = {
    json: () => `JSON.stringify(${bodyText(body?.value)})`,
    text: () => JSON.stringify(bodyText(body?.value)),
    form: () =>
      `new URLSearchParams(${printJson(Object.fromEntries(formFields(body?.value).map(({ name, text }) => [name, text])))})`,
    multipart: () => "form",
  };
  const options = [
    `method: ${JSON.stringify(method)}`,
    ...(headers.length > 0 ? [`headers: ${printJson(Object.fromEntries(headers))}`] : []),
    ...(kind === undefined ? [] : [`body: ${written[kind]()}`]),
  ].map((option) => `  ${option.replaceAll("\n", "\n  ")},\n`);
  return [
    ...form,
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `${options.join("")}});`,
    "console.log(await response.json());",
  ].join("\n");
}

function pythonSample(request: SampleRequest): string {
  const { method, url, body } = request;
  const headers = writtenHeaders(request);
  const kind = body === undefined ? undefined : kindOf(body.mediaType);
  const fields = formFields(body?.value);
  const pairsOf = (list: typeof fields) => Object.fromEntries(list.map(({ name, text }) => [name, text]));
  const files = fields.filter(({ isFile }) => isFile);
  const payload = {
    json: () => ["json", body?.value],
    text: () => ["data", bodyText(body?.value)],
    form: () => ["data", pairsOf(fields)],
    multipart: () => ["data", pairsOf(fields.filter(({ isFile }) => !isFile))],
  };
  const [argument, value] = kind === undefined ? [] : payload[kind]();
  const fileLines = files.map(({ name }) => `    ${JSON.stringify(name)}: open("example-file", "rb"),`);
  const isUpload = kind === "multipart" && files.length > 0;
  const call = [
    JSON.stringify(method),
    "url",
    ...(headers.length > 0 ? ["headers=headers"] : []),
    ...(argument === undefined ? [] : [`${argument}=payload`]),
    ...(isUpload ? ["files=files"] : []),
  ];
  return [
    "import requests",
    "",
    `url = ${JSON.stringify(url)}`,
    ...(headers.length > 0 ? [`headers = ${pythonValue(Object.fromEntries(headers))}`] : []),
    ...(argument === undefined ? [] : [`payload = ${pythonValue(value)}`]),
    ...(isUpload ? ["files = {", ...fileLines, "}"] : []),
    "",
    `response = requests.request(${call.join(", ")})`,
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
