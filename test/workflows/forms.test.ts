/** The forms of issues and discussions: GitHub shows a form that breaks its format as an empty field, and says so only to readers of the file. */
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";

const root = new URL("../../", import.meta.url);
const support = await readFile(new URL("SUPPORT.md", root), "utf8");

const text = z.string().check(z.minLength(1));
const described = { label: text, description: z.optional(text) };
const required = z.optional(z.strictObject({ required: z.boolean() }));
const id = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/));
const field = { id, validations: required };

/** GitHub's form schema. */
const Element = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("markdown"), attributes: z.strictObject({ value: text }) }),
  z.strictObject({
    ...field,
    type: z.literal("textarea"),
    attributes: z.strictObject({
      ...described,
      placeholder: z.optional(text),
      value: z.optional(text),
      render: z.optional(text),
    }),
  }),
  z.strictObject({
    ...field,
    type: z.literal("input"),
    attributes: z.strictObject({ ...described, placeholder: z.optional(text), value: z.optional(text) }),
  }),
  z.strictObject({
    ...field,
    type: z.literal("dropdown"),
    attributes: z.strictObject({
      ...described,
      multiple: z.optional(z.boolean()),
      options: z.array(text).check(z.minLength(1)),
      default: z.optional(z.int()),
    }),
  }),
  z.strictObject({
    ...field,
    type: z.literal("checkboxes"),
    attributes: z.strictObject({
      ...described,
      options: z.array(z.strictObject({ label: text, required: z.optional(z.boolean()) })),
    }),
  }),
]);
const Body = z.array(Element).check(z.minLength(1));

const shapes = {
  ISSUE_TEMPLATE: z.strictObject({
    name: text,
    description: text,
    labels: z.optional(z.array(text)),
    body: Body,
  }),
  DISCUSSION_TEMPLATE: z.strictObject({
    title: z.optional(text),
    labels: z.optional(z.array(text)),
    body: Body,
  }),
};

async function readForms(folder: keyof typeof shapes) {
  const names = await readdir(new URL(`.github/${folder}/`, root));
  return Promise.all(
    names
      .filter((name) => name !== "config.yml")
      .map(async (name) => ({
        folder,
        name,
        content: parse(await readFile(new URL(`.github/${folder}/${name}`, root), "utf8")) as unknown,
      })),
  );
}

const forms = (await Promise.all([readForms("ISSUE_TEMPLATE"), readForms("DISCUSSION_TEMPLATE")])).flat();

describe("the forms", () => {
  test.each(forms)("$folder/$name is one that GitHub shows", ({ folder, content }) => {
    const result = shapes[folder].safeParse(content);
    if (!result.success) throw new Error(z.prettifyError(result.error));
    const fields = result.data.body.flatMap((element) => (element.type === "markdown" ? [] : [element]));
    expect(fields.length).toBeGreaterThan(0);
    for (const values of [
      fields.map((element) => element.id),
      fields.map(({ attributes }) => attributes.label),
    ])
      expect(new Set(values).size).toBe(values.length);
  });

  test("of discussions are those of categories that every repository begins with, and SUPPORT.md names them", () => {
    const slugs = forms.flatMap(({ folder, name }) =>
      folder === "DISCUSSION_TEMPLATE" ? [name.replace(/\.yml$/, "")] : [],
    );
    // A form's file has the name of its category, in the way of its address. Polls take no form.
    expect(slugs.sort()).toEqual(["ideas", "q-a", "show-and-tell"]);
    const named = [...support.matchAll(/discussions\/(?:new\?category=|categories\/)([\w-]+)/g)];
    expect(named.map(([, slug]) => slug).sort()).toEqual(slugs);
  });

  test("lead questions to discussions, and vulnerabilities to the maintainers alone", async () => {
    const config = await readFile(new URL(".github/ISSUE_TEMPLATE/config.yml", root), "utf8");
    const Config = z.strictObject({
      blank_issues_enabled: z.boolean(),
      contact_links: z.array(z.strictObject({ name: text, url: z.url(), about: text })),
    });
    expect(Config.parse(parse(config)).contact_links.map(({ url }) => new URL(url).pathname)).toEqual([
      "/docs-automation/docs-automation-action/discussions/new",
      "/docs-automation/docs-automation-action/security/advisories/new",
    ]);
  });
});
