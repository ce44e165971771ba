/** Runs a page's JavaScript in an isolated engine without input and output: QuickJS, compiled to WebAssembly. */
import engineVariant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { isJsonObject, messageOf } from "../../../base/text.ts";
import { readPacked } from "./packed-data.ts";
import { sandboxRuntime } from "./sandbox-runtime.ts";
import { withTimeLimit } from "./time-limit.ts";

/** The modules of a page. */
export interface SandboxProgram {
  /** Source code by module name; modules can import only each other. */
  readonly modules: ReadonlyMap<string, string>;
  readonly entry: string;
  /** Names of components that stay tags unless a module declares them. */
  readonly tags: Iterable<string>;
}

/** A page's code failed or was stopped; `message` tells its author why. */
export class SandboxError extends Error {}

/** Limits for one page. Measured pages stay far below them. */
const limits = {
  /** WebAssembly pages of 64 KiB. The engine's own memory limit does not count the content of buffers and strings. */
  memoryPages: 512,
  stackBytes: 256 * 1024,
  /** The engine calls the interrupt handler every 10,000 steps. Steps, unlike time, do not depend on the machine's load. */
  interrupts: 1000,
  resultLength: 8 * 1024 * 1024,
};

/** WebAssembly pages that the engine requires at its start. */
const initialPages = 256;
let sharedEngine: Promise<QuickJSWASMModule> | undefined;

/** TypeScript declares it only for browsers; Node has it, too. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object;
};

function loadEngine(): Promise<QuickJSWASMModule> {
  const { buffer } = readPacked("quickjs");
  const maximum = initialPages + limits.memoryPages;
  const wasmMemory = new WebAssembly.Memory({ initial: initialPages, maximum });
  // The package's types describe its CommonJS build.
  const variant = engineVariant as unknown as QuickJSSyncVariant;
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmBinary: buffer, wasmMemory }));
}

/**
 * Runs a page's modules in a new context without input and output.
 *
 * @returns The page's content as JSON, which is as untrusted as the page.
 * @throws {SandboxError} when a limit is reached, or the code cannot be linked.
 */
export async function runInSandbox(program: SandboxProgram, limitMs?: number): Promise<string> {
  let loading: typeof sharedEngine;
  let engine: QuickJSWASMModule;
  do {
    loading = sharedEngine ??= loadEngine();
    engine = await loading;
    // While this call waited, another page may have discarded the engine.
  } while (loading !== sharedEngine);
  try {
    // The engine's built-in functions do not call the interrupt handler.
    return withTimeLimit(() => runOnce(engine, program), limitMs);
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    // The engine was interrupted by the time limit or a host error such as a stack overflow: its memory may be inconsistent.
    sharedEngine = undefined;
    throw new SandboxError(messageOf(error), { cause: error });
  }
}

function runOnce(engine: QuickJSWASMModule, program: SandboxProgram): string {
  const runtime = engine.newRuntime();
  let interrupts = 0;
  runtime.setMaxStackSize(limits.stackBytes);
  runtime.setInterruptHandler(() => {
    interrupts += 1;
    return interrupts > limits.interrupts;
  });
  runtime.setModuleLoader(
    (name) => program.modules.get(name) ?? "",
    (_importer, name) => name,
  );
  const context = runtime.newContext();
  const result = runProgram(context, program);
  // If the run throws, the whole engine is discarded.
  context.dispose();
  runtime.dispose();
  if (interrupts > limits.interrupts) throw new SandboxError("it runs too long");
  if (result instanceof SandboxError) throw result;
  return result;
}

function runProgram(context: QuickJSContext, { entry, tags }: SandboxProgram): string | SandboxError {
  const start = `import { $content } from ${JSON.stringify(entry)};
globalThis.$result = $mdx.run($content);`;
  const problem =
    evaluate(context, sandboxRuntime, "global") ??
    evaluate(context, `$mdx.tags(${JSON.stringify([...tags])})`, "global") ??
    evaluate(context, start, "module");
  if (problem !== undefined) return problem;
  using result = context.getProp(context.global, "$result");
  if (context.typeof(result) !== "string") return new SandboxError("it waits for a promise");
  using length = context.getProp(result, "length");
  const isTooLong = context.getNumber(length) > limits.resultLength;
  return isTooLong ? new SandboxError("its result is too large") : context.getString(result);
}

/** Evaluates code and returns its error, if any. */
function evaluate(
  context: QuickJSContext,
  code: string,
  type: "global" | "module",
): SandboxError | undefined {
  const result = context.evalCode(code, "page.js", { type });
  if (result.error === undefined) {
    result.value.dispose();
    return undefined;
  }
  using error = result.error;
  // The engine throws null if it has no memory for an error object.
  const dumped: unknown = context.dump(error) ?? { name: "InternalError", message: "out of memory" };
  const { name, message } = isJsonObject(dumped) ? dumped : { name: "Error", message: dumped };
  return new SandboxError(`${String(name)}: ${String(message)}`.slice(0, 300));
}
