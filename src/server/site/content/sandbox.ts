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
function evaluate(context: QuickJSContext, code: string, type: "global" | "module") {
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

/**
 * The script that runs before a page's modules. It defines the parts of React that a first rendering needs, and `$mdx`, which the compiled
 * modules call. A page can change all of it, so its result is untrusted and checked outside.
 */
const sandboxRuntime = `"use strict";
const $mdx = (({ stringify, parse }, today) => {
  const elementType = Symbol("element");
  const tagName = Symbol("tagName");
  const Fragment = Symbol("Fragment");
  const MarkdownNode = Symbol("MarkdownNode");
  const Html = Symbol("Html");
  const Block = Symbol("Block");
  const maxSnippets = 1000;
  const warnings = new Set();
  const openSnippets = new Set();
  const components = [];
  let snippets = 0;
  const warn = (message) => void (warnings.size < 50 && warnings.add(message));
  const describe = (error) => error instanceof Error ? error.name + ": " + error.message : String(error);

  const isElement = (value) => value?.type !== undefined && value.$$typeof === elementType;
  const element = (type, props) => ({ $$typeof: elementType, type, key: props.key ?? null, props });
  const createElement = (type, props, ...children) => {
    const all = { ...type?.defaultProps, ...props };
    if (children.length > 0) all.children = children.length === 1 ? children[0] : children;
    return element(type, all);
  };
  const tag = (name) => new Proxy(() => null, {
    get: (_, key) => {
      if (key === tagName) return name;
      return typeof key === "string" && /^[A-Z]/.test(key) ? tag(name + "." + key) : undefined;
    },
  });

  const render = (value, out) => {
    if (["string", "number", "bigint"].includes(typeof value)) out.push(String(value));
    else if (isElement(value)) renderElement(value, out);
    else if (typeof value === "object" && typeof value?.[Symbol.iterator] === "function") for (const item of value) render(item, out);
    else if (typeof value === "object" && value !== null) warn("an object was left out: it cannot be shown");
    return out;
  };
  const renderElement = ({ type, props }, out) => {
    const { children } = props;
    if (type === Fragment) return render(children, out);
    if (type === MarkdownNode) return out.push(props.content === undefined ? [props.id] : [props.id, render(props.content, [])]);
    if (type === Block) return out.push({ block: render(children, []) });
    if (type === Html) return out.push({ html: String(props.html) });
    const name = typeof type === "string" ? type : type?.[tagName];
    if (name === undefined) return renderComponent(type, props, out);
    const html = props.dangerouslySetInnerHTML?.__html;
    out.push([name, plain(props), render(html === undefined ? children : element(Html, { html }), [])]);
  };
  const renderComponent = (type, props, out) => {
    const { source } = type ?? {};
    if (source !== undefined && (openSnippets.has(source) || ++snippets > maxSnippets))
      return warn("the snippet " + source + " was left out: it includes itself, or there are too many");
    const context = type?.context;
    const outer = context?.current;
    openSnippets.add(source);
    const name = type?.displayName ?? type?.name ?? "…";
    components.push(name);
    if (context !== undefined) context.current = props.value;
    let rendered;
    try {
      rendered = render(context !== undefined ? props.children : type(props), []);
    } catch (error) {
      // Stack overflow: the outermost component is replaced by its content, not the innermost one.
      if (error instanceof InternalError && components.length > 1) throw error;
      warn("<" + name + "> shows only its content: " + describe(error));
      rendered = render(props.children, []);
    } finally {
      components.pop();
      openSnippets.delete(source);
      if (context !== undefined) context.current = outer;
    }
    for (const item of rendered) out.push(item);
  };
  /** Converts properties to JSON: elements become their content, functions are omitted. */
  const plain = ({ children, key, ref, dangerouslySetInnerHTML, ...props }) => {
    const replace = (_, value) => {
      if (isElement(value)) return { $content: render(value, []) };
      return typeof value === "bigint" ? String(value) : value;
    };
    try {
      return parse(stringify(props, replace));
    } catch (error) {
      warn("the properties of an element were left out: " + describe(error));
      return {};
    }
  };

  const noop = () => undefined;
  const noEffect = () => {
    const owner = components.length === 0 ? "an expression" : "<" + components.at(-1) + ">";
    warn(owner + " keeps its initial state: its effects do not run");
  };
  const initial = (value) => typeof value === "function" ? value() : value;
  const context = (current) => {
    const created = { current };
    const consumer = ({ children }) => children(created.current);
    return Object.assign(created, { Provider: Object.assign(() => null, { context: created }), Consumer: consumer });
  };
  const hooks = {
    useState: (value) => [initial(value), noop],
    useReducer: (_, value, start) => [start === undefined ? value : start(value), noop],
    useMemo: (make) => make(),
    useCallback: (callback) => callback,
    useRef: (current) => ({ current }),
    useId: () => "id",
    useContext: (context) => context.current,
    useEffect: noEffect, useLayoutEffect: noEffect,
  };
  const React = {
    ...hooks, createElement, Fragment, Suspense: Fragment, createContext: context,
    memo: (type) => type, forwardRef: (draw) => (props) => draw(props, null),
  };
  const console = new Proxy({}, { get: () => noop });
  Object.assign(globalThis, hooks, { React, Fragment, createContext: context, console });

  // The engine lacks it, and components use it for links.
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  globalThis.btoa = (text) => String(text).replace(/[^]{1,3}/g, (bytes) => {
    const bits = [0, 1, 2].reduce((sum, index) => sum * 256 + (bytes.charCodeAt(index) || 0), 0);
    if (/[^\\0-\\xff]/.test(bytes)) throw new Error("btoa converts only characters of Latin 1");
    return [18, 12, 6, 0].map((shift) => digits[(bits >> shift) & 63]).join("").slice(0, bytes.length + 1).padEnd(4, "=");
  });

  // Two exports on the same day are equal: random numbers have a fixed seed, and the time is noon, when it is the same day in most zones.
  let seed = 1;
  Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [today] : args, newTarget),
    apply: (target) => String(new target(today)),
  });
  Date.now = () => today;

  const attempt = (location, problem, read, fallback) => {
    try {
      return read();
    } catch (error) {
      warn(problem + " (" + location + "): " + describe(error));
      return fallback;
    }
  };
  return {
    block: (children) => element(Block, { children }),
    node: (id, content, children = content) => element(MarkdownNode, { id, content, children }),
    /** The value of an expression, or else its source. */
    show(id, location, read) {
      return attempt(location, "an expression stays as written", read, element(MarkdownNode, { id }));
    },
    /** The value of a variable, or else its source. */
    name(id, read) {
      try {
        const value = read();
        if (value !== undefined) return value;
      } catch (error) {
        if (!(error instanceof ReferenceError)) warn(describe(error));
      }
      return element(MarkdownNode, { id });
    },
    value: (location, read) => attempt(location, "a value was left out", read, undefined),
    /** The values of a snippet's variables: its properties, or else globals. */
    scope: (props, names) => {
      const values = { __proto__: null, children: null, ...props };
      return names.map((name) => name in values ? values[name] : globalThis[name]);
    },
    /** The export of a module, or else a tag if its name is that of a component. */
    use(module, name, local, source) {
      const value = (name === "default" ? module.$content : undefined) ?? module[name];
      if (value !== undefined) return value;
      warn(source + " exports no " + name);
      return /^[A-Z]/.test(local) ? tag(local) : undefined;
    },
    tags(names) {
      for (const name of names) globalThis[name] ??= tag(name);
    },
    run: (Content) => stringify({ tree: render(Content({}), []), warnings: [...warnings] }),
  };
})(JSON, Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), new Date().getUTCDate(), 12));
`;
