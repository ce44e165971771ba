/** Plans the API reference pages: those generated for the navigation, and those whose front matter names an operation. */
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

/** An OpenAPI document named by the configuration, and the folder of its generated pages. */
interface Source {
  readonly file: string;
  readonly directory: string;
}

/** A page that can be generated for an operation. */
interface Candidate {
  readonly operation: Operation;
  readonly group: string;
  readonly slug: string;
  /** Set once the page is generated. */
  page?: ListedPage;
}

/** The candidates of a document, by method and path. */
type Candidates = ReadonlyMap<string, Candidate>;

/** Per document. */
const maxOperations = 5000;
const maxDepth = 24;
const maxPages = 20_000;
const maxSearchedFiles = 500;
/** The version of an OpenAPI document, which is near its beginning. */
const versionPattern = /(?:^|[\s{,])["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\./;
const versionWithinLength = 100_000;

/** The configuration of OpenAPI outside the navigation. */
export interface ApiConfig {
  readonly openapi?: unknown;
  readonly api?: unknown;
}

/** Plans the pages of one site's OpenAPI documents. */
export class ReferencePlanner {
  /** The generated pages, by their sources. */
  readonly pages = new Map<string, ListedPage>();
  readonly #docs: DocsTree;
  readonly #configured: readonly Source[];
  readonly #api: JsonObject;
  /** Display options from the configuration. */
  readonly #display: Pick<ApiReference, "languages" | keyof FieldDisplay>;
  readonly #warn: (message: string, page?: string) => void;
  /** The pages that have files. */
  readonly #routes: Routes;
  readonly #claims: PathClaims;
  readonly #candidates = new Map<string, Promise<Candidates>>();
  /** By page: the documents of its navigation entry, for front matter without a document. */
  readonly #inherited = new Map<string, readonly Source[]>();
  #everyFile: Promise<string[]> | undefined;

  /**
   * @param configFile the configuration file, for warnings
   * @param routes the pages that have files; their paths are claimed
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

  /** Replaces operations and documents in the navigation by their pages. */
  async expandNavigation(navigation: unknown): Promise<unknown> {
    return this.#expand(navigation, this.#configured, 0);
  }

  /** The operation or schema that a page's front matter names, with its title and description as defaults for the page. */
  async referenceOf(
    { source }: Route,
    { openapi, openapiSchema, description, api, authMethod }: FrontMatter,
  ): Promise<{ reference: ApiReference; title?: string; description?: string } | undefined> {
    const named = openapiSchema ?? openapi;
    if (named === undefined) return this.#referenceToOwnEndpoint(api, authMethod);
    const name = openapiSchema === undefined ? readOperationName(named) : readSchemaName(named);
    if (name === undefined) {
      this.#warn(`“${named}” is not of the form “METHOD /path” or “file METHOD /path”`, source);
      return undefined;
    }
    const found = await this.#search(name, source);
    const reference = { method: name.method, name: name.name, ...this.#display };
    if (found === undefined) {
      this.#warn(`“${named}” is in no OpenAPI document of the site`, source);
      return { reference: { ...reference, file: undefined, showsDescription: false } };
    }
    const isSchema = name.method === "SCHEMA";
    const lead = isSchema ? undefined : splitDescription(found.object["description"]).lead;
    const summary = found.object[isSchema ? "title" : "summary"];
    return {
      reference: { ...reference, file: found.file, showsDescription: description === undefined },
      ...(typeof summary === "string" && summary.trim() !== "" && { title: summary.trim() }),
      ...(lead !== undefined && { description: lead }),
    };
  }

  /** The reference of a page that documents its endpoint with components, if the server is known. */
  #referenceToOwnEndpoint(api: string | undefined, authMethod: string | undefined) {
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
    const ownEndpoint = { server: String(server ?? ""), header: headers.get(authMethod ?? configured) };
    return {
      reference: {
        file: undefined,
        method,
        name: path,
        showsDescription: false,
        ownEndpoint,
        ...this.#display,
      },
    };
  }

  /** Searches the named document; without one, those of the navigation and the configuration, then all documents of the site. */
  async #search(
    { file, method, name }: OperationName,
    page: string,
  ): Promise<{ file: string; object: JsonObject } | undefined> {
    const searchIn = async (files: readonly string[]) => {
      for (const path of files) {
        const object = await this.#lookUp(path, method, name);
        if (object !== undefined) return { file: path, object };
      }
      return undefined;
    };
    if (file !== undefined) return searchIn([this.#findFile(file, page) ?? ""]);
    const preferred = [...(this.#inherited.get(page) ?? []), ...this.#configured];
    const found = await searchIn(preferred.map((source) => source.file));
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

  /** All OpenAPI documents of the site, ordered by path. */
  async #listDocuments(): Promise<string[]> {
    const documents: string[] = [];
    const isCandidate = (path: string) =>
      /\.(?:json|ya?ml)$/i.test(path) && !/^(?:docs|mint)\.json$/.test(path);
    for (const path of [...this.#docs.files].filter(isCandidate).slice(0, maxSearchedFiles)) {
      const text = await ifUsable(readPageText(this.#docs, path), () => undefined);
      if (text !== undefined && versionPattern.test(text.slice(0, versionWithinLength))) documents.push(path);
    }
    return documents;
  }

  /** Finds a file by its path from the root, from the page's folder, or by the end of its path; the extension is optional. */
  #findFile(name: string, page = ""): string | undefined {
    const { files } = this.#docs;
    const folders = ["/", posix.join("/", posix.dirname(page))];
    const paths = isRemote(name) ? [name] : folders.map((folder) => posix.join(folder, name).slice(1));
    const candidates = ["", ".json", ".yaml", ".yml"].flatMap((extension) =>
      paths.map((path) => path + extension),
    );
    return (
      candidates.find((candidate) => files.has(candidate)) ??
      [...files].find((file) => !isRemote(file) && candidates.some((end) => file.endsWith(`/${end}`)))
    );
  }

  /** Reads an `openapi` value: a file, a file with a folder, or a list of either. */
  #readSources(value: unknown): Source[] {
    return [value ?? []].flat().flatMap((entry: unknown) => {
      const { source, directory }: JsonObject = isJsonObject(entry) ? entry : { source: entry };
      if (typeof source !== "string") return [];
      const file = this.#findFile(source);
      const reason = isRemote(source)
        ? "is not fetched: add a copy to the documents, or export with --remote-media fetch"
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
    if (value["asyncapi"] !== undefined) this.#warn("AsyncAPI documents are not supported");
    const { openapi, ...rest } = value;
    const sources = openapi === undefined ? inherited : this.#readSources(openapi);
    for (const [key, inner] of Object.entries(rest))
      if (typeof inner === "object") rest[key] = await this.#expand(inner, sources, depth + 1);
    const hasChildren = Object.values(rest).some((inner) => Array.isArray(inner) && inner.length > 0);
    if (openapi === undefined || hasChildren) return rest;
    return { ...rest, pages: await this.#pagesOfAll(sources) };
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

  /** The pages of all operations, in groups by tag. */
  async #pagesOfAll(sources: readonly Source[]): Promise<unknown[]> {
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
    const cached = this.#candidates.get(key);
    if (cached !== undefined) return cached;
    const candidates = this.#read(file).then((document): Candidates => {
      if (document === undefined) return new Map();
      const warn = (count: number) =>
        this.#warn(`only ${maxOperations} of its ${count} operations have a page`, file);
      return candidatesOf(document, directory, warn);
    });
    this.#candidates.set(key, candidates);
    return candidates;
  }

  /** The source of an operation's page: a page with a file at its path, or a generated one. */
  #pageOf(source: Source, candidate: Candidate): string | undefined {
    const written = this.#routes.find(candidate.slug);
    if (written?.slug.toLowerCase() === candidate.slug) return written.source;
    return (candidate.page ?? this.#makePage(source, candidate))?.route.source;
  }

  #makePage({ file }: Source, candidate: Candidate): ListedPage | undefined {
    if (this.pages.size >= maxPages) {
      this.#warn(`only ${maxPages} operations have a page`);
      return undefined;
    }
    const { method, path } = candidate.operation;
    const outPath = this.#claims.claimNext(`${toPortablePath(candidate.slug)}.html`);
    const slug = outPath.slice(0, -".html".length);
    const plain = `${file} ${method} ${path}`;
    const source = this.pages.has(plain) ? `${plain} (${slug})` : plain;
    const { showsDescription, ...page } = describeCandidate(candidate.operation, slug);
    const reference = { file, method, name: path, showsDescription, ...this.#display };
    candidate.page = { route: { source, slug, outPath }, ...page, reference };
    this.pages.set(source, candidate.page);
    return candidate.page;
  }
}

/** The front matter, title and content of a generated page. */
function describeCandidate(candidate: Operation, slug: string) {
  const { method, path, operation } = candidate;
  const extension = objectOf(operation["x-mint"]);
  const metadata = toFrontMatter(objectOf(extension["metadata"]));
  const name = titleFromName(slug.split("/").at(-1) ?? "");
  const frontMatter: FrontMatter = {
    ...metadata,
    description: metadata.description ?? splitDescription(operation["description"]).lead,
    sidebarTitle: metadata.sidebarTitle ?? (extension["href"] === undefined ? undefined : name),
    endpoint: `${method} ${path}`,
    deprecated: metadata.deprecated || operation["deprecated"] === true,
    hidden: metadata.hidden || operation["x-hidden"] === true,
  };
  return {
    frontMatter,
    title: metadata.title ?? nameOperation(candidate).title ?? name,
    content: typeof extension["content"] === "string" ? extension["content"] : "",
    showsDescription: metadata.description === undefined,
  };
}

/** The pages that can be generated from a document, with the slugs that the format defines. */
function candidatesOf(document: ApiDocument, directory: string, onCut: (count: number) => void): Candidates {
  const tags = listOf(document.root["tags"]).map(objectOf);
  const groups = new Map(tags.map(({ name, "x-group": group }) => [name, group]));
  const slugs = new Set<string>();
  const counts = new Map<string, number>();
  const candidates = new Map<string, Candidate>();
  const operations = listOperations(document);
  if (operations.length > maxOperations) onCut(operations.length);
  for (const found of operations.slice(0, maxOperations)) {
    const { operation, method, path } = found;
    if (operation["x-excluded"] === true) continue;
    const tag = nonEmpty(listOf(operation["tags"])[0]);
    const { href } = objectOf(operation["x-mint"]);
    const defaultSlug = posix.join(directory, slugOf(tag ?? ""), nameOperation(found).slug);
    const base =
      (typeof href === "string" ? posix.join("/", href).slice(1) : defaultSlug).toLowerCase() || "operation";
    let slug = base;
    let count = counts.get(base) ?? 1;
    for (; slugs.has(slug); count += 1) slug = `${base}-${count}`;
    counts.set(base, count);
    slugs.add(slug);
    const group = nonEmpty(groups.get(tag)) ?? tag ?? "API Reference";
    candidates.set(`${method} ${path}`, { operation: found, group, slug });
  }
  return candidates;
}

function nonEmpty(text: unknown): string | undefined {
  return typeof text === "string" && text !== "" ? text : undefined;
}
