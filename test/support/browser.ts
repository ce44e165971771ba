/** A real browser for tests of exported sites: the machine's Chromium, or the one that a development dependency ships. */

import { access } from "node:fs/promises";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

interface Candidate {
  readonly executablePath: string;
  readonly args: readonly string[];
}

/** A browser that runs here, or why none does. */
export type FoundBrowser =
  | { readonly kind: "found"; readonly candidate: Candidate }
  | { readonly kind: "none"; readonly reason: string };

const basicArgs = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];

async function packagedCandidate(): Promise<Candidate> {
  const { default: packaged } = await import("@sparticuz/chromium");
  return { executablePath: await packaged.executablePath(), args: packaged.args };
}

async function installedCandidate(executablePath: string): Promise<Candidate> {
  await access(executablePath);
  return { executablePath, args: basicArgs };
}

async function launch({ executablePath, args }: Candidate): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...args], headless: true });
}

/** Looks for a browser: `CHROMIUM_PATH`, then Debian's, then the packaged one; each is started once to see that it runs. */
export async function findBrowser(): Promise<FoundBrowser> {
  const sources: readonly (() => Promise<Candidate>)[] = [
    ...[process.env["CHROMIUM_PATH"], "/usr/bin/chromium"].flatMap((path) =>
      path === undefined || path === "" ? [] : [() => installedCandidate(path)],
    ),
    packagedCandidate,
  ];
  const problems: string[] = [];
  for (const source of sources) {
    try {
      const candidate = await source();
      await (await launch(candidate)).close();
      return { kind: "found", candidate };
    } catch (error) {
      problems.push(String(error).split("\n", 1)[0] ?? "");
    }
  }
  return { kind: "none", reason: `no browser runs here: ${problems.join("; ")}` };
}

/** A page of a test, with everything that went wrong on it. */
export interface ObservedPage extends AsyncDisposable {
  readonly page: Page;
  /** Console errors and warnings, and uncaught exceptions. */
  readonly complaints: readonly string[];
  /** Addresses other than `file:` that the page asked for; all of them are refused. */
  readonly foreignRequests: readonly string[];
}

/** A running browser. */
export interface TestBrowser extends AsyncDisposable {
  openPage(options?: BrowserContextOptions): Promise<ObservedPage>;
}

async function observePage(browser: Browser, options: BrowserContextOptions): Promise<ObservedPage> {
  const context = await browser.newContext({ offline: true, ...options });
  const complaints: string[] = [];
  const foreignRequests: string[] = [];
  await context.route(
    (url) => url.protocol !== "file:",
    async (route) => {
      foreignRequests.push(route.request().url());
      await route.abort();
    },
  );
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints, foreignRequests, [Symbol.asyncDispose]: () => context.close() };
}

/** Starts a browser whose pages are cut off from the network. */
export async function startBrowser({ candidate }: FoundBrowser & { kind: "found" }): Promise<TestBrowser> {
  const browser = await launch(candidate);
  return {
    openPage: (options = {}) => observePage(browser, options),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
