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
  const kind = body && kindOf(mediaType, value);
  /** The fields of a form, with one for each item of a list. A file is represented by its name. */
  const fields = entriesOf(value).flatMap(([name, field]) =>
    [field].flat().map((item) => {
      const isFile = item === filePlaceholder;
      return { name, text: isFile ? exampleFile : textOf(item, 0), isFile };
    }),
  );
  return {
    ...{ method, url, kind, value, fields },
    text: kind === "json" && typeof value === "string" ? JSON.stringify(value) : textOf(value, 2),
    // For multipart bodies, libraries set the content type with its boundary.
    headers: [
      ...headers,
      ...(body === undefined || kind === "multipart" ? [] : [["Content-Type", mediaType] as const]),
    ],
  };
}

/** The name of a file in the samples. */
const exampleFile = "example-file";

function kindOf(mediaType: string, value: unknown): "json" | "form" | "multipart" | "text" | "file" {
  if (value === filePlaceholder) return "file";
  // A string that starts like an object or array is invalid JSON: it is shown as it is.
  if (isJsonType(mediaType)) return typeof value === "string" && /^\s*[[{]/.test(value) ? "text" : "json";
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
    // Unlike `--data` and `--form`, these options do not read a file if the text starts with `@` or `<`.
    text: () => [`--data-raw ${quote(text)}`],
    file: () => [`--data-binary ${quote(`@${exampleFile}`)}`],
    form: () =>
      fields.map((field) => `--data-urlencode ${quote(`${encodeURIComponent(field.name)}=${field.text}`)}`),
    multipart: () =>
      fields.map(({ name, text, isFile }) =>
        isFile ? `--form ${quote(`${name}=@${text}`)}` : `--form-string ${quote(`${name}=${text}`)}`,
      ),
  };
  const lines = [
    // With `--request HEAD`, curl would wait for a body.
    method === "HEAD" ? "curl --head" : `curl --request ${method}`,
    `--url ${quote(url)}`,
    ...headers.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...(kind === undefined ? [] : body[kind]()),
  ];
  return lines.join(" \\\n  ");
}

function javascriptSample({ method, url, headers, kind, text, fields }: Parts): string {
  const print = (value: unknown) => JSON.stringify(value, null, 2);
  const formType = kind === "form" ? "URLSearchParams" : "FormData";
  const form = [
    `const form = new ${formType}();`,
    ...fields.map(
      ({ name, text, isFile }) => `form.append(${print(name)}, ${isFile ? "file" : print(text)});`,
    ),
    "",
  ];
  const sent = {
    json: `JSON.stringify(${text})`,
    text: print(text),
    file: "file",
    form: "form",
    multipart: "form",
  };
  const options = [
    `method: ${print(method)}`,
    ...(headers.length > 0 ? [`headers: ${print(Object.fromEntries(headers))}`] : []),
    ...(kind === undefined ? [] : [`body: ${sent[kind]}`]),
  ];
  return [
    ...(kind === "form" || kind === "multipart" ? form : []),
    `const response = await fetch(${print(url)}, {`,
    ...options.map((option) => `  ${option.replaceAll("\n", "\n  ")},`),
    "});",
    "console.log(await response.text());",
  ].join("\n");
}

function pythonSample({ method, url, headers, kind, value, text, fields }: Parts): string {
  const open = `open("${exampleFile}", "rb")`;
  const tuples = fields.map(({ name, text, isFile }) => {
    const content = kind === "form" ? JSON.stringify(text) : `(None, ${JSON.stringify(text)})`;
    return `    (${JSON.stringify(name)}, ${isFile ? open : content}),`;
  });
  const form = ["[", ...tuples, "]"].join("\n");
  const body = {
    json: { name: "payload", code: pythonValue(value), argument: "json=payload" },
    // The library sends other strings as Latin-1.
    text: { name: "payload", code: JSON.stringify(text), argument: "data=payload.encode()" },
    file: { name: "file", code: open, argument: "data=file" },
    form: { name: "payload", code: form, argument: "data=payload" },
    multipart: { name: "files", code: form, argument: "files=files" },
  };
  const variables = [
    ...(headers.length > 0
      ? [{ name: "headers", code: pythonValue(Object.fromEntries(headers)), argument: "headers=headers" }]
      : []),
    ...(kind === undefined ? [] : [body[kind]]),
  ];
  const named = variables.map(({ argument }) => `, ${argument}`).join("");
  return [
    "import requests",
    "",
    `url = ${JSON.stringify(url)}`,
    ...variables.map(({ name, code }) => `${name} = ${code}`),
    "",
    `response = requests.request(${JSON.stringify(method)}, url${named})`,
    "print(response.text)",
  ].join("\n");
}

/** Prints a value as a Python literal: JSON but for three words. */
function pythonValue(value: unknown): string {
  const words: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
  const json = printJson(value, 4) ?? "null";
  return json.replace(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) => words[token] ?? token);
}
