/** Plans the API reference pages: those generated for the navigation, and those whose front matter names an operation. */
import { posix } from "node:path";
import { isJsonObject, type JsonObject } from "../../../base/text.ts";
import { type DocsTree, ifUsable, readPageText } from "../content/docs-tree.ts";
import { type FrontMatter, toFrontMatter } from "../content/page-source.ts";
import { firstText, listOf, objectOf, textIn } from "../json-values.ts";
import { type ListedPage, titleFromName } from "../navigation.ts";
import type { WarningReporter } from "../report.ts";
import { PathClaims, type Route, Routes, toPortablePath, trimSlashes } from "../routes.ts";
import type { SiteConfig } from "../site-config.ts";
import {
  type ApiDocument,
  keyOf,
  maxJsonBytes,
  type Operation,
  type OperationName,
  readApiDocument,
  readOperationName,
} from "./api-document.ts";
import { type ApiReference, splitDescription } from "./describe-reference.ts";

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

/** The candidates of a document, by {@link keyOf}. */
type Candidates = ReadonlyMap<string, Candidate>;

const maxPages = 20_000;
const maxSearchedFiles = 500;
/** The version of an OpenAPI document, which is near its beginning. */
const versionPattern = /(?:^|[\s{,])["']?openapi["']?\s*:\s*["']?3\./;
const versionWithinLength = 100_000;

/** Plans the pages of one site's OpenAPI documents. */
export class ReferencePlanner {
  readonly pages = new Map<string, ListedPage>();
  readonly #docs: DocsTree;
  readonly #configured: readonly Source[];
  readonly #languages: ApiReference["languages"];
  readonly #warn: (message: string, page?: string) => void;
  readonly #routes: Routes;
  readonly #claims: PathClaims;
  readonly #candidates = new Map<string, Promise<Candidates>>();
  /** By page: the documents of its navigation entry, for front matter without a document. */
  readonly #inherited = new Map<string, readonly Source[]>();
  #everyFile: Promise<string[]> | undefined;
  /** Documents that the configuration names and the site does not have. */
  readonly #missing = new Set<string>();

  /**
   * @param configFile the configuration file, for warnings
   * @param routes the pages that have files; their paths are claimed
   */
  constructor(
    docs: DocsTree,
    { openapi, api: { openapi: fallback, examples } = {} }: SiteConfig,
    configFile: string,
    routes: readonly Route[],
    onWarning: WarningReporter,
  ) {
    this.#docs = docs;
    this.#routes = new Routes(routes);
    this.#claims = new PathClaims(routes);
    this.#warn = (message, page = configFile) => onWarning(page, message, "api");
    this.#configured = this.#readSources(openapi ?? fallback);
    this.#languages = examples?.autogenerate === false ? [] : examples?.languages;
  }

  /** Replaces operations and documents in the navigation by their pages. */
  async expandNavigation(navigation: unknown): Promise<unknown> {
    return this.#expand(navigation, this.#configured);
  }

  /** The operation that a page's front matter names, with its title and description as defaults for the page. */
  async referenceOf({ source }: Route, { openapi, description }: FrontMatter) {
    if (openapi === undefined) return undefined;
    const name = readOperationName(openapi);
    if (name === undefined) {
      this.#warn(`“${openapi}” is not of the form “METHOD /path” or “file METHOD /path”`, source);
      return undefined;
    }
    const found = await this.#search(name, source);
    if (found === undefined && !this.#isReported(name))
      this.#warn(`“${openapi}” is in no OpenAPI document of the site`, source);
    const operation = found?.operation ?? {};
    const showsDescription = description === undefined;
    const languages = this.#languages;
    const reference: ApiReference = { ...name, file: found?.file, showsDescription, languages };
    const { lead } = splitDescription(operation["description"]);
    return { reference, title: textIn(operation, "summary"), description: lead };
  }

  /** Searches the named document; without one, those of the navigation and the configuration, then all documents of the site. */
  async #search({ file, method, path }: OperationName, page: string) {
    const searchIn = async (files: readonly string[]) => {
      for (const candidate of files) {
        const found = (await this.#read(candidate))?.findOperation(method, path);
        if (found !== undefined) return { file: candidate, operation: found.operation };
      }
      return undefined;
    };
    const named = file && this.#findFile(file, page);
    if (file !== undefined) return searchIn(named ? [named] : []);
    const preferred = [...(this.#inherited.get(page) ?? []), ...this.#configured];
    const found = await searchIn(preferred.map((source) => source.file));
    if (found !== undefined) return found;
    this.#everyFile ??= this.#listDocuments();
    return searchIn(await this.#everyFile);
  }

  #read(file: string): Promise<ApiDocument | undefined> {
    return ifUsable(readApiDocument(this.#docs, file), (message) => this.#warn(message, file));
  }

  /** All OpenAPI documents of the site, ordered by path. */
  async #listDocuments(): Promise<string[]> {
    const documents: string[] = [];
    const isCandidate = (path: string) =>
      /\.(?:json|ya?ml)$/i.test(path) && !/^(?:docs|mint)\.json$/.test(path);
    for (const path of [...this.#docs.files].filter(isCandidate).slice(0, maxSearchedFiles)) {
      const text = await ifUsable(readPageText(this.#docs, path, maxJsonBytes), () => undefined);
      if (text !== undefined && versionPattern.test(text.slice(0, versionWithinLength))) documents.push(path);
    }
    return documents;
  }

  /** Finds a file by its path from the root, from the page's folder, or by the end of its path; the extension is optional. */
  #findFile(name: string, page = ""): string | undefined {
    const { files } = this.#docs;
    const folders = ["/", posix.join("/", posix.dirname(page))];
    const paths = folders.map((folder) => posix.join(folder, name).slice(1));
    const candidates = ["", ".json", ".yaml", ".yml"].flatMap((extension) =>
      paths.map((path) => path + extension),
    );
    return (
      candidates.find((candidate) => files.has(candidate)) ??
      [...files].find((file) => candidates.some((end) => file.endsWith(`/${end}`)))
    );
  }

  /** Reads an `openapi` value: a file, a file with a folder, or a list of either. */
  #readSources(value: unknown): Source[] {
    return [value ?? []].flat().flatMap((entry: unknown) => {
      const { source, directory }: JsonObject = isJsonObject(entry) ? entry : { source: entry };
      if (typeof source !== "string") return [];
      const file = this.#findFile(source);
      if (file === undefined) {
        this.#missing.add(source);
        const reason = /^https?:/i.test(source)
          ? "is not fetched: add a copy to the documents"
          : "is not part of the documents";
        this.#warn(`the OpenAPI document ${source} ${reason}`);
        return [];
      }
      const folder = typeof directory === "string" ? posix.join("/", directory).slice(1) : "";
      return { file, directory: folder || "api-reference" };
    });
  }

  async #expand(value: unknown, inherited: readonly Source[]): Promise<unknown> {
    if (typeof value === "string") return this.#expandEntry(value, inherited);
    if (Array.isArray(value))
      return Array.fromAsync(value as unknown[], (entry) => this.#expand(entry, inherited));
    if (!isJsonObject(value)) return value;
    if (value["asyncapi"] !== undefined) this.#warn("AsyncAPI documents are not supported");
    const { openapi, ...rest } = value;
    const sources = openapi === undefined ? inherited : this.#readSources(openapi);
    for (const [key, inner] of Object.entries(rest))
      if (typeof inner === "object") rest[key] = await this.#expand(inner, sources);
    const hasChildren = Object.values(rest).some((inner) => Array.isArray(inner) && inner.length > 0);
    if (openapi === undefined || hasChildren) return rest;
    return { ...rest, pages: await this.#pagesOfAll(sources) };
  }

  /** Whether the document of an operation that was not found is missing and reported. */
  #isReported({ file }: OperationName): boolean {
    return file === undefined ? this.#missing.size > 0 : this.#missing.has(file);
  }

  async #expandEntry(entry: string, inherited: readonly Source[]): Promise<string | undefined> {
    const named = readOperationName(entry);
    if (named === undefined) {
      const page = this.#routes.find(entry)?.source;
      if (page !== undefined && inherited.length > 0 && !this.#inherited.has(page))
        this.#inherited.set(page, inherited);
      return entry;
    }
    const sources = named.file === undefined ? inherited : this.#readSources(named.file);
    for (const source of sources) {
      const candidate = (await this.#candidatesOf(source)).get(keyOf(named));
      if (candidate !== undefined) return this.#pageOf(source, candidate) ?? entry;
    }
    return this.#isReported(named) ? undefined : entry;
  }

  /** The pages of all operations, in groups by tag. */
  async #pagesOfAll(sources: readonly Source[]): Promise<unknown[]> {
    const entries: { readonly group: string; readonly page: string }[] = [];
    for (const source of sources)
      for (const candidate of (await this.#candidatesOf(source)).values()) {
        const page = this.#pageOf(source, candidate);
        if (page !== undefined) entries.push({ group: candidate.group, page });
      }
    return [...Map.groupBy(entries, ({ group }) => group)].map(([group, own]) => ({
      group,
      pages: own.map(({ page }) => page),
    }));
  }

  #candidatesOf({ file, directory }: Source): Promise<Candidates> {
    const key = JSON.stringify([file, directory]);
    const cached = this.#candidates.get(key);
    if (cached !== undefined) return cached;
    const candidates = this.#read(file).then((found) => (found ? candidatesOf(found, directory) : new Map()));
    this.#candidates.set(key, candidates);
    return candidates;
  }

  /** The source of an operation's page: a page with a file at its path, or a generated one. */
  #pageOf({ file }: Source, candidate: Candidate): string | undefined {
    const existing = this.#routes.find(candidate.slug);
    if (existing?.slug.toLowerCase() === candidate.slug) return existing.source;
    if (candidate.page === undefined && this.pages.size >= maxPages) {
      this.#warn(`only ${maxPages} operations have a page`);
      return undefined;
    }
    candidate.page ??= this.#makePage(file, candidate);
    return candidate.page.route.source;
  }

  #makePage(file: string, { slug: preferred, operation: { method, path, operation } }: Candidate) {
    const outPath = this.#claims.claimNext(`${toPortablePath(preferred)}.html`);
    const slug = outPath.slice(0, -".html".length);
    const plain = `${file} ${method} ${path}`;
    const source = this.pages.has(plain) ? `${plain} (${slug})` : plain;
    const languages = this.#languages;
    const { metadata, content } = objectOf(operation["x-mint"]);
    const own = toFrontMatter(objectOf(metadata));
    const page: ListedPage = {
      route: { source, slug, outPath },
      frontMatter: {
        ...own,
        description: own.description ?? splitDescription(operation["description"]).lead,
        endpoint: `${method} ${path}`,
        deprecated: own.deprecated || operation["deprecated"] === true,
        hidden: own.hidden || operation["x-hidden"] === true,
      },
      title: own.title ?? textIn(operation, "summary") ?? titleFromName(slug.split("/").at(-1) ?? ""),
      content: typeof content === "string" ? content : "",
      reference: { file, method, path, showsDescription: own.description === undefined, languages },
    };
    this.pages.set(source, page);
    return page;
  }
}

/** The pages that can be generated from a document, with the slugs that the format defines. */
function candidatesOf(document: ApiDocument, directory: string): Candidates {
  const tags = listOf(document.root["tags"]).map(objectOf);
  const groups = new Map(tags.map(({ name, "x-group": group }) => [name, group]));
  const counts = new Map<string, number>();
  const candidates = new Map<string, Candidate>();
  for (const found of document.operations) {
    const { operation } = found;
    if (operation["x-excluded"] === true) continue;
    const tag = firstText(listOf(operation["tags"])[0]);
    const { href } = objectOf(operation["x-mint"]);
    const own = trimSlashes(posix.join("/", firstText(href) ?? ""));
    const base = (own || posix.join(directory, slugOf(tag ?? ""), nameOf(found))).toLowerCase();
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    const slug = count === 0 ? base : `${base}-${count}`;
    const group = firstText(groups.get(tag)) ?? tag ?? "API Reference";
    candidates.set(keyOf(found), { operation: found, group, slug });
  }
  return candidates;
}

/** The last segment of an operation's slug. */
function nameOf({ method, path, operation }: Operation): string {
  const summary = slugOf(textIn(operation, "summary") ?? "");
  const name = method === "WEBHOOK" ? slugOf(path) : `${method.toLowerCase()}-${slugOf(path)}`;
  return summary || name || "operation";
}

/** Turns a text into a path segment, according to the format's rules. */
function slugOf(text: string): string {
  // An unclosed brace matches to the end of its line: otherwise each would scan the rest, in quadratic time.
  return text
    .replaceAll(" ", "-")
    .replace(/\{.*?(\}|$)/gm, (match, end) => (end === "" ? match : "-"))
    .replace(/^-/, "")
    .replace(/-$/, "")
    .replace(/[{}(),.'\n/]/g, "")
    .replaceAll("--", "-")
    .toLowerCase();
}
