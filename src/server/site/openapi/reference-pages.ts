/** Which pages describe operations: those that the navigation asks for, and those whose front matter names one. */
import { posix } from "node:path";
import { isJsonObject, type JsonObject } from "../../../base/text.ts";
import { type DocsTree, ifUsable, readPageText } from "../content/docs-tree.ts";
import { type FrontMatter, readEndpoint, toFrontMatter } from "../content/page-source.ts";
import { listOf, objectOf } from "../json-values.ts";
import { type ListedPage, titleFromName } from "../navigation.ts";
import { type WarningReporter, withoutRepeats } from "../report.ts";
import { PathClaims, type Route, Routes, toPortablePath } from "../routes.ts";
import { type ApiDocument, readApiDocument } from "./api-document.ts";
import { type ApiReference, splitDescription } from "./describe-reference.ts";
import {
  findOperation,
  findSchema,
  listOperations,
  nameOperation,
  type Operation,
  type OperationName,
  readOperationName,
  readSchemaName,
  slugOf,
} from "./operations.ts";
import { isRemote } from "./remote-documents.ts";
import type { FieldDisplay } from "./schema-reader.ts";

/** An OpenAPI document that a configuration names, and the folder of the pages that are made from it. */
interface Source {
  readonly file: string;
  readonly directory: string;
}

/** A page that can be made from an operation. */
interface Candidate {
  readonly operation: Operation;
  readonly group: string;
  readonly slug: string;
  /** Set once the page is made. */
  page?: ListedPage;
}

/** The candidates of a document, by their operations' methods and paths. */
type Candidates = ReadonlyMap<string, Candidate>;

const maxOperations = 5000;

const maxDepth = 24;
const maxPages = 20_000;
const maxSearchedFiles = 500;
/** An OpenAPI document says so near its beginning. */
const signLength = 100_000;
const sign = /(?:^|[\s{,])["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\./;

/** What the configuration says of OpenAPI outside its navigation. */
export interface ApiConfig {
  readonly openapi?: unknown;
  readonly api?: unknown;
}

/** Plans the pages of one site's OpenAPI documents. */
export class ReferencePlanner {
  /** The pages that the navigation asks for, by their sources. */
  readonly pages = new Map<string, ListedPage>();
  readonly #docs: DocsTree;
  readonly #configured: readonly Source[];
  readonly #api: JsonObject;
  /** What the configuration says of how operations are shown. */
  readonly #display: Pick<ApiReference, "languages" | keyof FieldDisplay>;
  readonly #warn: (message: string, page?: string) => void;
  /** The pages that are files. */
  readonly #routes: Routes;
  readonly #claims: PathClaims;
  readonly #candidates = new Map<string, Promise<Candidates>>();
  /** The documents that apply where a page's front matter names none, by the page's source. */
  readonly #inherited = new Map<string, readonly Source[]>();
  #everyFile: Promise<string[]> | undefined;

  /**
   * @param configFile the site's configuration, which warnings name
   * @param routes the pages that are files; their addresses are taken
   */
  constructor(
    docs: DocsTree,
    config: ApiConfig,
    configFile: string,
    routes: readonly Route[],
    onWarning: WarningReporter,
  ) {
    this.#docs = docs;
    this.#routes = new Routes(routes);
    this.#claims = new PathClaims(routes);
    this.#warn = withoutRepeats((message: string, page = configFile) => onWarning(page, message, "api"));
    this.#api = objectOf(config.api);
    this.#configured = this.#readSources(config.openapi ?? this.#api["openapi"]);
    const { languages, autogenerate, defaults } = objectOf(this.#api["examples"]);
    const listed = autogenerate === false ? [] : languages;
    const { expanded, post } = objectOf(this.#api["params"]);
    this.#display = {
      ...(Array.isArray(listed) && { languages: listed.map(String) }),
      ...((defaults === "all" || defaults === "required") && { examples: defaults }),
      ...(expanded === "all" && { isExpanded: true }),
      ...(Array.isArray(post) && { pills: post.map(String) }),
    };
  }

  /** The navigation with pages where it names operations or whole documents. */
  async expandNavigation(navigation: unknown): Promise<unknown> {
    return this.#expand(navigation, this.#configured, 0);
  }

  /** What a page's front matter asks to describe, and what it takes from there where it does not say it itself. */
  async referenceOf(
    { source }: Route,
    { openapi, openapiSchema, description, api, authMethod }: FrontMatter,
  ): Promise<{ reference: ApiReference; title?: string; description?: string } | undefined> {
    const named = openapiSchema ?? openapi;
    if (named === undefined) return this.#referenceOfOwn(api, authMethod);
    const name = openapiSchema === undefined ? readOperationName(named) : readSchemaName(named);
    if (name === undefined) {
      this.#warn(
        `“${named}” names no operation: “METHOD /path” is expected, after a file if need be`,
        source,
      );
      return undefined;
    }
    const found = await this.#search(name, source);
    const described = { method: name.method, name: name.name, ...this.#display };
    if (found === undefined) {
      this.#warn(`“${named}” is in no OpenAPI document of the site`, source);
      return { reference: { ...described, file: undefined, isDescribed: false } };
    }
    const lead = name.method === "SCHEMA" ? undefined : splitDescription(found.holder["description"]).lead;
    const summary = found.holder[name.method === "SCHEMA" ? "title" : "summary"];
    return {
      reference: { ...described, file: found.file, isDescribed: description === undefined },
      ...(typeof summary === "string" && summary.trim() !== "" && { title: summary.trim() }),
      ...(lead !== undefined && { description: lead }),
    };
  }

  /** The request of a page that describes its endpoint itself, where it is known which server has it. */
  #referenceOfOwn(api: string | undefined, authMethod: string | undefined) {
    const { method, path = "" } = readEndpoint(api) ?? {};
    const own = objectOf(this.#api["mdx"]);
    const server = [own["server"] ?? this.#api["baseUrl"]].flat()[0];
    const isKnown = typeof server === "string" || /^https?:/i.test(path);
    if (method === undefined || !isKnown) return undefined;
    const { method: configured, name } = objectOf(own["auth"] ?? this.#api["auth"]);
    const headers = new Map<unknown, readonly [string, string]>([
      ["bearer", ["Authorization", "Bearer <token>"]],
      ["basic", ["Authorization", "Basic <credentials>"]],
      ["key", [typeof name === "string" ? name : "x-api-key", "<api-key>"]],
    ]);
    const written = { server: String(server ?? ""), header: headers.get(authMethod ?? configured) };
    return {
      reference: { file: undefined, method, name: path, isDescribed: false, written, ...this.#display },
    };
  }

  /** The first document that has what is named: the one that is named with it, else those that apply, else any. */
  async #search(
    { file, method, name }: OperationName,
    page: string,
  ): Promise<{ file: string; holder: JsonObject } | undefined> {
    const searchIn = async (files: readonly string[]) => {
      for (const path of files) {
        const holder = await this.#lookUp(path, method, name);
        if (holder !== undefined) return { file: path, holder };
      }
      return undefined;
    };
    if (file !== undefined) return searchIn([this.#findFile(file, page) ?? ""]);
    const applying = [...(this.#inherited.get(page) ?? []), ...this.#configured];
    const found = await searchIn(applying.map((source) => source.file));
    if (found !== undefined) return found;
    this.#everyFile ??= this.#listDocuments();
    return searchIn(await this.#everyFile);
  }

  async #lookUp(file: string, method: string, name: string): Promise<JsonObject | undefined> {
    const document = await this.#read(file);
    if (document === undefined || method !== "SCHEMA")
      return document && findOperation(document, method, name)?.operation;
    const schema = findSchema(document, name);
    return schema === undefined ? undefined : document.resolve(schema, () => undefined).value;
  }

  async #read(file: string): Promise<ApiDocument | undefined> {
    if (!this.#docs.files.has(file)) return undefined;
    return ifUsable(readApiDocument(this.#docs, file), (message) => this.#warn(message, file));
  }

  /** Every OpenAPI document in the folder, in the order of their names. */
  async #listDocuments(): Promise<string[]> {
    const found: string[] = [];
    const isCandidate = (path: string) =>
      /\.(?:json|ya?ml)$/i.test(path) && !/^(?:docs|mint)\.json$/.test(path);
    for (const path of [...this.#docs.files].filter(isCandidate).slice(0, maxSearchedFiles)) {
      const text = await ifUsable(readPageText(this.#docs, path), () => undefined);
      if (text !== undefined && sign.test(text.slice(0, signLength))) found.push(path);
    }
    return found;
  }

  /**
   * The file that a page or the configuration means: from the root, beside the page, or by the end of its path; with or without
   * its extension.
   */
  #findFile(written: string, page = ""): string | undefined {
    const { files } = this.#docs;
    const folders = ["/", posix.join("/", posix.dirname(page))];
    const paths = isRemote(written)
      ? [written]
      : folders.map((folder) => posix.join(folder, written).slice(1));
    const forms = ["", ".json", ".yaml", ".yml"].flatMap((end) => paths.map((path) => path + end));
    return (
      forms.find((form) => files.has(form)) ??
      [...files].find((file) => !isRemote(file) && forms.some((form) => file.endsWith(`/${form}`)))
    );
  }

  /** What a configuration says with `openapi`: a file, a file with a folder, or several. */
  #readSources(value: unknown): Source[] {
    return [value ?? []].flat().flatMap((entry: unknown) => {
      const { source, directory }: JsonObject = isJsonObject(entry) ? entry : { source: entry };
      if (typeof source !== "string") return [];
      const file = this.#findFile(source);
      const reason = isRemote(source)
        ? "is not fetched: name a copy of it among the documents, or export with --remote-media fetch"
        : "is not part of the documents";
      if (file === undefined && !(isRemote(source) && this.#docs.fetched !== undefined))
        this.#warn(`the OpenAPI document ${source} ${reason}`);
      const folder = typeof directory === "string" ? posix.join("/", directory).slice(1) : "";
      return file === undefined ? [] : [{ file, directory: folder || "api-reference" }];
    });
  }

  async #expand(value: unknown, inherited: readonly Source[], depth: number): Promise<unknown> {
    if (depth > maxDepth) return value;
    if (typeof value === "string") return this.#expandEntry(value, inherited);
    if (Array.isArray(value))
      return Array.fromAsync(value as unknown[], (entry) => this.#expand(entry, inherited, depth + 1));
    if (!isJsonObject(value)) return value;
    if (value["asyncapi"] !== undefined) this.#warn("AsyncAPI documents are not shown");
    const { openapi, ...rest } = value;
    const sources = openapi === undefined ? inherited : this.#readSources(openapi);
    for (const [key, inner] of Object.entries(rest))
      if (typeof inner === "object") rest[key] = await this.#expand(inner, sources, depth + 1);
    const hasChildren = Object.values(rest).some((inner) => Array.isArray(inner) && inner.length > 0);
    if (openapi === undefined || hasChildren) return rest;
    return { ...rest, pages: await this.#everyPage(sources) };
  }

  async #expandEntry(entry: string, inherited: readonly Source[]): Promise<string> {
    const named = readOperationName(entry);
    if (named === undefined) {
      const page = this.#routes.find(entry)?.source;
      if (page !== undefined && inherited.length > 0 && !this.#inherited.has(page))
        this.#inherited.set(page, inherited);
      return entry;
    }
    const sources = named.file === undefined ? inherited : this.#readSources(named.file);
    for (const source of sources) {
      const candidate = (await this.#candidatesOf(source)).get(`${named.method} ${named.name}`);
      if (candidate !== undefined) return this.#pageOf(source, candidate) ?? entry;
    }
    return entry;
  }

  /** Groups of pages by the tags of their operations. */
  async #everyPage(sources: readonly Source[]): Promise<unknown[]> {
    const groups = new Map<string, string[]>();
    for (const source of sources)
      for (const candidate of (await this.#candidatesOf(source)).values()) {
        const page = this.#pageOf(source, candidate);
        const pages = groups.get(candidate.group) ?? [];
        if (page !== undefined && pages.push(page) === 1) groups.set(candidate.group, pages);
      }
    return [...groups].map(([group, pages]) => ({ group, pages }));
  }

  async #candidatesOf({ file, directory }: Source): Promise<Candidates> {
    const key = JSON.stringify([file, directory]);
    const known = this.#candidates.get(key);
    if (known !== undefined) return known;
    const candidates = this.#read(file).then((document): Candidates => {
      if (document === undefined) return new Map();
      const warn = (count: number) =>
        this.#warn(`of its ${count} operations ${maxOperations} have a page`, file);
      return candidatesOf(document, directory, warn);
    });
    this.#candidates.set(key, candidates);
    return candidates;
  }

  /** The source of an operation's page: a written one at its address takes the place of one that would be made. */
  #pageOf(source: Source, candidate: Candidate): string | undefined {
    const written = this.#routes.find(candidate.slug);
    if (written?.slug.toLowerCase() === candidate.slug) return written.source;
    return (candidate.page ?? this.#makePage(source, candidate))?.route.source;
  }

  #makePage({ file }: Source, candidate: Candidate): ListedPage | undefined {
    if (this.pages.size >= maxPages) {
      this.#warn(`of the operations only ${maxPages} have a page`);
      return undefined;
    }
    const { method, path } = candidate.operation;
    const outPath = this.#claims.claimNext(`${toPortablePath(candidate.slug)}.html`);
    const slug = outPath.slice(0, -".html".length);
    const plain = `${file} ${method} ${path}`;
    const source = this.pages.has(plain) ? `${plain} (${slug})` : plain;
    const { isDescribed, ...described } = describeCandidate(candidate.operation, slug);
    const reference = { file, method, name: path, isDescribed, ...this.#display };
    candidate.page = { route: { source, slug, outPath }, ...described, reference };
    this.pages.set(source, candidate.page);
    return candidate.page;
  }
}

/** What a page that is made from an operation says of itself, as front matter would. */
function describeCandidate(found: Operation, slug: string) {
  const { method, path, operation } = found;
  const extension = objectOf(operation["x-mint"]);
  const written = toFrontMatter(objectOf(extension["metadata"]));
  const name = titleFromName(slug.split("/").at(-1) ?? "");
  const frontMatter: FrontMatter = {
    ...written,
    description: written.description ?? splitDescription(operation["description"]).lead,
    sidebarTitle: written.sidebarTitle ?? (extension["href"] === undefined ? undefined : name),
    endpoint: `${method} ${path}`,
    deprecated: written.deprecated || operation["deprecated"] === true,
    hidden: written.hidden || operation["x-hidden"] === true,
  };
  return {
    frontMatter,
    title: written.title ?? nameOperation(found).title ?? name,
    content: typeof extension["content"] === "string" ? extension["content"] : "",
    isDescribed: written.description === undefined,
  };
}

/** The pages that can be made from a document, with the addresses that the format gives them. */
function candidatesOf(document: ApiDocument, directory: string, onCut: (count: number) => void): Candidates {
  const tags = listOf(document.root["tags"]).map(objectOf);
  const groups = new Map(tags.map(({ name, "x-group": group }) => [name, group]));
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  const candidates = new Map<string, Candidate>();
  const operations = listOperations(document);
  if (operations.length > maxOperations) onCut(operations.length);
  for (const found of operations.slice(0, maxOperations)) {
    const { operation, method, path } = found;
    if (operation["x-excluded"] === true) continue;
    const tag = nonEmpty(listOf(operation["tags"])[0]);
    const { href } = objectOf(operation["x-mint"]);
    const made = posix.join(directory, slugOf(tag ?? ""), nameOperation(found).slug);
    const base =
      (typeof href === "string" ? posix.join("/", href).slice(1) : made).toLowerCase() || "operation";
    let slug = base;
    let count = counts.get(base) ?? 1;
    for (; taken.has(slug); count += 1) slug = `${base}-${count}`;
    counts.set(base, count);
    taken.add(slug);
    const group = nonEmpty(groups.get(tag)) ?? tag ?? "API Reference";
    candidates.set(`${method} ${path}`, { operation: found, group, slug });
  }
  return candidates;
}

function nonEmpty(text: unknown): string | undefined {
  return typeof text === "string" && text !== "" ? text : undefined;
}
