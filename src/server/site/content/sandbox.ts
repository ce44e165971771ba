/** Runs what a page's author wrote as JavaScript, in an engine that can reach nothing: QuickJS, compiled to WebAssembly. */
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
import { withTimeLimit } from "./parse-page.ts";
import { sandboxRuntime } from "./sandbox-runtime.ts";

/** A page's modules by their names; all that they can import is each other. */
export interface SandboxProgram {
  readonly modules: ReadonlyMap<string, string>;
  /** The module that holds the page. */
  readonly entry: string;
  /** Names of components that stay tags, unless a module declares them. */
  readonly tags: Iterable<string>;
}

/** A page's code was stopped or failed; the message says why, for its author. */
export class SandboxError extends Error {}

/** A page may take so much; the real ones that were measured stay far below. */
const limits = {
  /** Of WebAssembly, 64 KiB each. The engine's own limit does not count what buffers and strings hold. */
  memoryPages: 512,
  stackBytes: 256 * 1024,
  /** The engine asks after ten thousand steps each whether to go on: counted, not timed, so that a busy machine changes nothing. */
  interrupts: 1000,
  resultLength: 8 * 1024 * 1024,
};

/** What the engine begins with, empty; it asks for no less. */
const initialPages = 256;
let sharedEngine: Promise<QuickJSWASMModule> | undefined;

/** Node has it, and TypeScript declares it for browsers only. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object;
};

function loadEngine(): Promise<QuickJSWASMModule> {
  const { buffer } = readPacked("quickjs");
  const maximum = initialPages + limits.memoryPages;
  const wasmMemory = new WebAssembly.Memory({ initial: initialPages, maximum });
  // Its declarations are those of its CommonJS form.
  const variant = engineVariant as unknown as QuickJSSyncVariant;
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmBinary: buffer, wasmMemory }));
}

/**
 * Runs a page's modules in a context of their own, without any input or output.
 *
 * @returns What the page shows, as JSON; as little trusted as the page.
 * @throws {SandboxError} when a limit is reached, or the code cannot be linked.
 */
export async function runInSandbox(program: SandboxProgram, limitMs?: number): Promise<string> {
  let loading: typeof sharedEngine;
  let engine: QuickJSWASMModule;
  do {
    loading = sharedEngine ??= loadEngine();
    engine = await loading;
    // Another page may have broken it meanwhile.
  } while (loading !== sharedEngine);
  try {
    // The engine's own functions do not ask whether to go on.
    return withTimeLimit(() => runOnce(engine, program), limitMs);
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    // Something broke off inside the engine, the stack of this process for instance: its memory is in no known state.
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
  // What is not reached after an error is released with the engine.
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
  if (context.typeof(result) !== "string") return new SandboxError("it waits for something");
  using length = context.getProp(result, "length");
  const isTooLong = context.getNumber(length) > limits.resultLength;
  return isTooLong ? new SandboxError("it makes too much") : context.getString(result);
}

/** Evaluates code for its effects; gives what went wrong. */
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
  // Without memory for an error, the engine throws null.
  const dumped: unknown = context.dump(error) ?? { name: "InternalError", message: "out of memory" };
  const { name, message } = isJsonObject(dumped) ? dumped : { name: "Error", message: dumped };
  return new SandboxError(`${String(name)}: ${String(message)}`.slice(0, 300));
}
