/** A real browser for tests of exported sites: the machine's Chromium, or the one that an npm package ships. */

import { execFile } from "node:child_process";
import { access, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { makeOnce } from "./made-once.ts";

interface Candidate {
  readonly executablePath: string;
  /** Added to the process's own environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A browser that runs here, or why none does. */
export type FoundBrowser =
  | { readonly kind: "found"; readonly candidate: Candidate }
  | { readonly kind: "none"; readonly reason: string };

const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];

/** A Chromium that an npm package ships, 66 MB: installed when a test needs it, where the machine has none. */
const packageName = "@sparticuz/chromium";
const packageVersion = "153.0.0";

/** Unpacks the package's browser, and the system libraries that a bare machine lacks, into the temporary folder. */
const unpackScript = `
  const { default: chromium, inflate } = await import("${packageName}");
  await chromium.executablePath();
  await inflate("node_modules/${packageName}/bin/al2023.tar.br");
`;

async function packagedCandidate(): Promise<Candidate> {
  const folder = await makeOnce(`chromium-${packageVersion}`, async (work, target) => {
    const unpacked = join(work, "unpacked");
    await mkdir(unpacked, { recursive: true });
    const run = (program: string, ...args: string[]) =>
      promisify(execFile)(program, args, { cwd: work, env: { ...process.env, TMPDIR: unpacked } });
    await writeFile(join(work, "package.json"), '{ "private": true, "type": "module" }\n');
    await run("npm", "install", "--no-audit", "--no-fund", `${packageName}@${packageVersion}`);
    await run(process.execPath, "--input-type=module", "--eval", unpackScript);
    // The package's own configuration expects the fonts in /tmp; without fonts, texts have no size.
    const fonts = `<fontconfig><dir>${join(target, "fonts")}</dir><cachedir>${join(target, "font-cache")}</cachedir></fontconfig>\n`;
    await writeFile(join(unpacked, "fonts.conf"), fonts);
    await rename(unpacked, target);
  });
  const environment = {
    LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
    FONTCONFIG_FILE: join(folder, "fonts.conf"),
  };
  return { executablePath: join(folder, "chromium"), environment };
}

async function installedCandidate(executablePath: string): Promise<Candidate> {
  await access(executablePath);
  return { executablePath, environment: {} };
}

async function launch({ executablePath, environment }: Candidate): Promise<Browser> {
  const own = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return chromium.launch({ executablePath, args, env: { ...Object.fromEntries(own), ...environment } });
}

/**
 * Looks for a browser: `CHROMIUM_PATH`, then Debian's, whose shell without windows takes half the time, then the packaged one. Each is
 * started once to see that it runs.
 */
export async function findBrowser(): Promise<FoundBrowser> {
  const sources: readonly (() => Promise<Candidate>)[] = [
    ...[process.env["CHROMIUM_PATH"], "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].flatMap(
      (path) => (path === undefined || path === "" ? [] : [() => installedCandidate(path)]),
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
interface ObservedPage extends AsyncDisposable {
  readonly page: Page;
  /** Console errors and warnings, and uncaught exceptions. */
  readonly complaints: readonly string[];
  /** Addresses that the page asked for besides files and those of the allowed origin; all of them are refused. */
  readonly foreignRequests: readonly string[];
}

/** A running browser. */
export interface TestBrowser extends AsyncDisposable {
  /** @param origin a server of the test, which the page may reach */
  openPage(options?: BrowserContextOptions, origin?: string): Promise<ObservedPage>;
}

async function observePage(
  browser: Browser,
  options: BrowserContextOptions,
  origin?: string,
): Promise<ObservedPage> {
  const context = await browser.newContext({ offline: origin === undefined, ...options });
  const complaints: string[] = [];
  const foreignRequests: string[] = [];
  await context.route(
    (url) => url.protocol !== "file:" && url.origin !== origin,
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
    openPage: (options = {}, origin) => observePage(browser, options, origin),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
