import { afterAll, describe, expect, test } from "vitest";
import { runInSandbox, SandboxError } from "../../../src/server/site/content/sandbox.ts";
import { renderFiles } from "./render-files.ts";
import { renderText } from "./render-text.ts";

/** What a page of this one expression shows, as text; errors by their message. */
async function evaluate(expression: string, before = ""): Promise<string> {
  const page = `${before}\nexport const $content = () => [${expression}];`;
  const program = { modules: new Map([["page", page]]), entry: "page", tags: [] };
  const shown = JSON.parse(await runInSandbox(program)) as { readonly tree: readonly unknown[] };
  return shown.tree.map(String).join();
}

describe("the sandbox", () => {
  test.each([
    "process",
    "require",
    "module",
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "setTimeout",
    "setInterval",
    "setImmediate",
    "queueMicrotask",
    "std",
    "os",
    "Buffer",
    "WebAssembly",
    "SharedArrayBuffer.host",
    "window",
    "document",
    "print",
    "load",
  ])("has no %s", async (name) => {
    expect(await evaluate(`(() => { try { return typeof ${name}; } catch { return "undefined"; } })()`)).toBe(
      "undefined",
    );
  });

  test.each(["", "a", "ab", "abc", '{"url":"https://e.com/?a=1"}', "\0\xff\xfe"])(
    "encodes %j in Base64",
    async (text) => {
      expect(await evaluate(`btoa(${JSON.stringify(text)})`)).toBe(btoa(text));
    },
  );

  test("refuses to encode other characters than those of Latin 1", async () => {
    expect(await evaluate('(() => { try { return btoa("☃"); } catch { return "refused"; } })()')).toBe(
      "refused",
    );
  });

  test.each([
    ["a function's constructor", 'typeof [].constructor.constructor("return typeof process")()', "string"],
    ["its own global object", '[].constructor.constructor("return this")() === globalThis', "true"],
    [
      "an error's constructor",
      '(() => { try { null.x } catch (e) { return e.constructor.constructor("return typeof process")() } })()',
      "undefined",
    ],
    ["a function of the runtime", '$mdx.run.constructor("return typeof process")()', "undefined"],
    ["indirect eval", '(0, eval)("typeof process")', "undefined"],
    ["import.meta", "Object.keys(import.meta).filter((key) => key !== 'url').length", "0"],
  ])("cannot reach this process by %s", async (_, expression, shown) => {
    const text =
      expression.startsWith("typeof") || shown === "undefined" ? expression : `String(${expression})`;
    expect(await evaluate(text)).toBe(shown);
  });

  test.each([
    ["a file of the machine", "node:fs"],
    ["a file by its address", "file:///etc/passwd"],
    ["a module that is not the page's", "../../secret.mdx"],
  ])("cannot import %s", async (_, name) => {
    const page = `import * as found from ${JSON.stringify(name)};`;
    expect(await evaluate("Object.keys(found).join() || 'nothing'", page)).toBe("nothing");
    expect(
      await evaluate(
        `(import(${JSON.stringify(name)}).then((module) => { globalThis.leaked = module; }), typeof leaked)`,
      ),
    ).toBe("undefined");
  });

  test.each([
    ["an endless loop", "(() => { while (true) {} })()", "it runs too long"],
    ["a catastrophic regular expression", '/^(a+)+$/.test("a".repeat(40) + "b")', "it runs too long"],
    [
      "an endless loop that catches errors",
      "(() => { for (;;) try { for (;;) {} } catch {} })()",
      "it runs too long",
    ],
    [
      "an endless loop in what is returned",
      "({ [Symbol.iterator]: () => ({ next: () => ({ value: null }) }) })",
      "it runs too long",
    ],
    [
      "an endless array",
      "(() => { const list = []; for (;;) list.push(list.length); })()",
      "InternalError: out of memory",
    ],
    ["a buffer of 40 MB", "new Uint8Array(4e7).length", "InternalError: out of memory"],
    [
      "a map that grows",
      "(() => { const map = new Map(); for (;;) map.set(map.size, {}); })()",
      "InternalError: out of memory",
    ],
    ["a string of 2^28", '"x".repeat(2 ** 28)', "InternalError: out of memory"],
    ["an endless recursion", "(function again() { return again() + 1; })()", "InternalError: stack overflow"],
    ["a wait that never ends", "await new Promise(() => {})", "it waits for a promise"],
    ["a result of 16 million characters", '"x".repeat(2 ** 23 + 1)', "its result is too large"],
  ])("stops %s", async (_, expression, message) => {
    const isAwait = expression.startsWith("await");
    const result = isAwait ? evaluate("1", `${expression};`) : evaluate(expression);
    await expect(result).rejects.toThrow(new SandboxError(message));
    expect(await evaluate("1 + 1")).toBe("2");
  });

  test("stops a built-in function that takes too long", async () => {
    const search =
      '(() => { const text = "x".repeat(8e6); for (let n = 0; n < 9000; n += 1) text.indexOf("xy"); })()';
    const page = `export const $content = () => ${search};`;
    const program = { modules: new Map([["page", page]]), entry: "page", tags: [] };
    await expect(runInSandbox(program, 100)).rejects.toThrow("timed out");
    expect(await evaluate("1 + 1")).toBe("2");
  });

  test("is discarded after a failure inside the engine, and the next page gets a new one", async () => {
    const deep = 'JSON.parse("[".repeat(500_000) + "]".repeat(500_000))';
    await expect(evaluate(deep)).rejects.toThrow(SandboxError);
    expect(await evaluate("1 + 1")).toBe("2");
  });

  test("shares no state between pages", async () => {
    await evaluate(
      '(globalThis.left = 1, Array.prototype.map = () => ["changed"], JSON.stringify = () => "changed", "")',
    );
    expect(await evaluate("typeof left + [1].map(String) + JSON.stringify([1])")).toBe("undefined1[1]");
  });

  afterAll(() => {
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("polluted");
  });
});

describe("the sandbox's result", () => {
  const returns = (value: string) =>
    `export const changed = ($mdx.run = () => ${value});\n\n{changed}\n\nKept.`;

  test("cannot pollute a prototype", async () => {
    await renderText(
      returns(
        '\'{"tree":[["b",{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},["x"]]],"__proto__":{"polluted":1}}\'',
      ),
    );
    await renderText(
      'export const props = JSON.parse(\'{"__proto__":{"polluted":1},"title":"t"}\');\n\n<Card {...props} />',
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test.each([
    ["a tree of a million nodes", "'{\"tree\":[' + '\"x\",'.repeat(999_999) + '\"x\"]}'"],
    [
      "a tree that is nested without end",
      '\'{"tree":\' + \'["b",{},[\'.repeat(5000) + "]]".repeat(5000) + "}"',
    ],
    ["a tree of brackets", '\'{"tree":\' + "[".repeat(500_000) + "]".repeat(500_000) + "}"'],
    ["no JSON", '"{"'],
    ["something else", "42"],
  ])("can be %s; the page then stays as written", async (_, value) => {
    const { html, warnings } = await renderText(returns(value));
    expect(html.replace(/\s+/g, "")).toBe("{changed}<p>Kept.</p>");
    expect(warnings).toHaveLength(1);
  });

  test.each([
    ["null", ""],
    ['{"tree":{"a":1}}', ""],
    ['{"tree":[null,1,true,{},[],[null],[{}],[9999],[-1],[0.5],["b"],["b",1,2]]}', "<b></b><b></b>"],
    ['{"tree":["x"],"warnings":[1,{}]}', "x"],
  ])("can be %s", async (json, shown) => {
    const { html } = await renderText(returns(JSON.stringify(json)));
    expect(html.replace(/\s+/g, "")).toBe(shown);
  });

  test.each([
    ["an element", 'React.createElement("script", null, "alert(1)")'],
    [
      "HTML",
      'React.createElement("div", { dangerouslySetInnerHTML: { __html: "<img src=x onerror=alert(1)><script>alert(1)</script>" } })',
    ],
    [
      "an attribute that runs",
      'React.createElement("b", { onclick: "alert(1)", onmouseover: "alert(1)", style: "background:url(javascript:alert(1))" })',
    ],
    ["a link", 'React.createElement("a", { href: "java" + "script:alert(1)" }, "x")'],
    ["a frame", 'React.createElement("iframe", { srcdoc: "<script>alert(1)</script>" })'],
    [
      "a drawing",
      'React.createElement("svg", { onload: "alert(1)" }, React.createElement("script", null, "alert(1)"))',
    ],
    ["a name that is markup", 'React.createElement("b onclick=alert(1)", null, "x")'],
  ])("is sanitized: %s", async (_, expression) => {
    const { html, warnings } = await renderText(`{(() => ${expression})()}`);
    expect(warnings.join()).not.toContain("stays");
    expect(html).not.toMatch(/alert|script|on\w+=|style=|srcdoc|<svg(?! class="icon")/i);
  });

  test("contains only links that a page may contain", async () => {
    const placeholder =
      'React.createElement("docs-component", { dataName: "Link", dataProps: JSON.stringify({ href: address(2) }) }, "x")';
    await using site = await renderFiles({
      "index.mdx": `export const address = (number) => "java" + "script:alert(" + number + ")";

<Card title="x" href={address(1)} img={address(4)} />

{${placeholder}}

<Frame><img src={address(3)} /></Frame>
`,
    });
    expect(await site.read("index.html")).not.toContain("javascript:");
    const link = site.warnings.filter(({ kind }) => kind === "link").map(({ message }) => message);
    expect(link).toEqual(Array.from({ length: 3 }, () => expect.stringContaining("not allowed")));
  });
});
