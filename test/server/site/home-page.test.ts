import { expect, test } from "vitest";
import { renderFiles } from "./render-files.ts";

const vitePress = `---
layout: home
hero:
  name: Acme
  text: The build tool
  tagline: Fast <br> and small
  image: { src: /logo.png, alt: The logo }
  actions:
    - { theme: brand, text: Get started, link: /guide }
    - { theme: alt, text: GitHub, link: "https://github.com/acme/acme" }
features:
  - { title: Quick, details: "Starts in *no* time", icon: ⚡, link: /guide, linkText: Read more }
  - { title: Drawn, details: Has a logo, icon: { src: /logo.png } }
  - { title: Own, icon: "<svg viewBox='0 0 1 1'></svg>" }
---

## More

Text.
`;

test("the front page of VitePress is shown as text, links and cards", async () => {
  const files = { "index.md": vitePress, "guide.md": "# Guide\n", "public/logo.png": "png" };
  await using site = await renderFiles(files);
  expect(await site.read("index.md")).toMatchInlineSnapshot(`
    "# Acme

    The build tool

    Fast\\
    and small

    ![The logo](public/logo.png)

    [Get started](guide.md) · [GitHub](https://github.com/acme/acme)

    - [⚡ Quick](guide.md)

      Starts in *no* time

      Read more

    - **Drawn**

      Has a logo

    - **Own**

    ## More

    Text.
    "
  `);
  const html = await site.read("index.html");
  expect(html).toContain("<h1>Acme</h1>");
  expect(html).toContain('class="card card-link"');
  expect(html).not.toContain("&lt;br");
  expect(site.warnings).toMatchInlineSnapshot(`
    [
      {
        "kind": "icon",
        "message": "there is no icon like “<svg”",
        "page": "index.md",
      },
    ]
  `);
});

test("the hero of Starlight is shown above the page's text", async () => {
  const index = `---
title: Welcome
description: All about it.
template: splash
hero:
  tagline: Congrats!
  image: { file: ../assets/houston.webp }
  actions: [{ text: Example, link: /guide/, icon: right-arrow }]
---
import { Card } from "@astrojs/starlight/components";

<Card title={"Next" + " steps"} icon="pencil">Edit.</Card>
`;
  const files = { "index.mdx": index, "guide.md": "# Guide\n", "assets/houston.webp": "webp" };
  await using site = await renderFiles(files);
  expect(await site.read("index.md")).toMatchInlineSnapshot(`
    "# Welcome

    > All about it.

    Congrats!

    ![](assets/houston.webp)

    [Example](guide.md)

    - **Next steps**

      Edit.
    "
  `);
  expect(site.warnings).toMatchInlineSnapshot(`[]`);
});

test("values of a wrong type are ignored", async () => {
  const index =
    "---\ntitle: Home\nhero: { name: [1], image: 7, actions: { a: 1 } }\nfeatures: [1, {}]\n---\nText.\n";
  await using site = await renderFiles({ "index.md": index });
  expect(await site.read("index.md")).toContain("Text.");
});
