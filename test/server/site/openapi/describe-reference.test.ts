import { describe, expect, it } from "vitest";
import { describeSite } from "./described-page.ts";

const info = { title: "Plants", version: "1" };

/** The outline of a page with this operation of a document, and the warnings. */
async function describeOperation(operation: object, document: object = {}, page = "GET /plants") {
  const [method = "", path = ""] = page.split(" ");
  const api = {
    openapi: "3.1.0",
    info,
    paths: { [path]: { [method.toLowerCase()]: operation } },
    ...document,
  };
  const site = await describeSite({ "api.json": api, "page.mdx": `---\nopenapi: ${page}\n---\nOwn text.\n` });
  return { outline: site.outlines.get("page") ?? "", warnings: site.warnings };
}

const ok = { 200: { description: "Fine." } };

/** The outline of the response whose body has this schema. */
async function describeSchema(schema: object, schemas: object = {}) {
  const content = { "application/json": { schema, example: {} } };
  const responses = { 200: { description: "Fine.", content } };
  const { outline, warnings } = await describeOperation({ responses }, { components: { schemas } });
  return { outline: outline.slice(outline.indexOf("## Response")), warnings };
}

describe("an operation of an OpenAPI document", () => {
  it("follows the page's own text, with samples, credentials, parameters, body and responses", async () => {
    const plant = {
      type: "object",
      required: ["name"],
      properties: {
        id: { type: "integer", readOnly: true },
        name: { type: "string", description: "What it is *called*.", maxLength: 20 },
        kind: { enum: ["tree", "herb"], default: "herb" },
        secret: { type: "string", writeOnly: true },
      },
    };
    const { outline, warnings } = await describeOperation(
      {
        description: "Changes a plant.\n\nIt [grows](/growth).",
        deprecated: true,
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer", example: 7 } },
          {
            name: "dry",
            in: "query",
            description: "Whether to only try.",
            schema: { type: "boolean" },
            examples: { try: { value: true } },
          },
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Plant" } } },
        },
        responses: {
          200: {
            description: "The plant.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Plant" } } },
          },
          404: { description: "There is none." },
        },
      },
      {
        servers: [{ url: "https://{region}.example.com/v1/", variables: { region: { default: "eu" } } }],
        security: [{ key: [] }],
        components: {
          schemas: { Plant: plant },
          securitySchemes: { key: { type: "http", scheme: "bearer", description: "From your account." } },
        },
      },
      "PATCH /plants/{id}",
    );
    expect(warnings).toEqual([]);
    expect(outline).toMatchInlineSnapshot(`
      "Own text.
      <Warning>
        Deprecated
      It grows.
      <RequestExample>
        \`\`\`bash title="cURL"
      curl --request PATCH \\
        --url 'https://eu.example.com/v1/plants/7' \\
        --header 'Authorization: Bearer <token>' \\
        --header 'Content-Type: application/json' \\
        --data '{
        "name": "<string>",
        "kind": "herb",
        "secret": "<string>"
      }'
        \`\`\`python title="Python"
      import requests

      url = "https://eu.example.com/v1/plants/7"
      headers = {
          "Authorization": "Bearer <token>",
          "Content-Type": "application/json"
      }
      payload = {
          "name": "<string>",
          "kind": "herb",
          "secret": "<string>"
      }

      response = requests.request("PATCH", url, headers=headers, json=payload)
      print(response.text)
        \`\`\`javascript title="JavaScript"
      const response = await fetch("https://eu.example.com/v1/plants/7", {
        method: "PATCH",
        headers: {
          "Authorization": "Bearer <token>",
          "Content-Type": "application/json"
        },
        body: JSON.stringify({
          "name": "<string>",
          "kind": "herb",
          "secret": "<string>"
        }),
      });
      console.log(await response.text());
      <ResponseExample>
        \`\`\`json title="200"
      {
        "id": 123,
        "name": "<string>",
        "kind": "herb"
      }
      ## Servers
      <ParamField name=https://{region}.example.com/v1/>
        <ParamField name=region type=string default=eu>
      ## Authorization
      <ParamField header=Authorization type=string required>
        A header of the form Bearer <token>.
        From your account.
      ## Path parameters
      <ParamField name=id type=integer required>
        Example: 7
      ## Query parameters
      <ParamField name=dry type=boolean>
        Whether to only try.
        Example: true
      ## Body
      application/json
      <ParamField name=name type=string required>
        What it is called.
        maxLength: 20
      <ParamField name=kind type=enum<string> default=herb>
        Available options: tree, herb
      <ParamField name=secret type=string>
      ## Response
      <Tabs>
        <Tab title=200>
          application/json
          The plant.
          <ResponseField name=id type=integer>
          <ResponseField name=name type=string required>
            What it is called.
            maxLength: 20
          <ResponseField name=kind type=enum<string> default=herb>
            Available options: tree, herb
        <Tab title=404>
          There is none.
      "
    `);
  });

  it("shows alternative security requirements", async () => {
    const { outline } = await describeOperation(
      { security: [{ key: [] }, { login: ["read", "write"], basic: [] }], responses: ok },
      {
        components: {
          securitySchemes: {
            key: { type: "apiKey", in: "query", name: "api_key" },
            login: { type: "oauth2", flows: {} },
            basic: { type: "http", scheme: "basic" },
          },
        },
      },
    );
    expect(outline.slice(outline.indexOf("## Auth"), outline.indexOf("## Response"))).toMatchInlineSnapshot(`
      "## Authorization
      <ParamField query=api_key type=string required>
      Or:
      <ParamField header=Authorization type=string required>
        A header of the form Bearer <token>.
        Scopes: read, write
      <ParamField header=Authorization type=string required>
        Basic authentication: Basic <credentials>, with username:password in Base64.
      "
    `);
    expect(outline).toContain("--url 'https://api.example.com/plants?api_key=%3Capi-key%3E'");
  });

  it("shows where a token comes from, and its format", async () => {
    const tokenUrl = "https://example.com/token";
    const flows = {
      clientCredentials: { tokenUrl, scopes: {} },
      authorizationCode: { authorizationUrl: "/authorize", tokenUrl, "x-docsUrl": "/docs" },
    };
    const securitySchemes = {
      login: { type: "oauth2", flows },
      oidc: { type: "openIdConnect", openIdConnectUrl: "https://example.com/.well-known" },
      jwt: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    };
    const { outline } = await describeOperation(
      { security: [{ login: [] }, { oidc: [] }, { jwt: [] }], responses: ok },
      { components: { securitySchemes } },
    );
    expect(outline).toContain(`  tokenUrl: ${tokenUrl}, authorizationUrl: /authorize\n`);
    expect(outline).toContain("  openIdConnectUrl: https://example.com/.well-known\n");
    expect(outline).toContain("  bearerFormat: JWT\n");
  });

  it("shows the servers and their variables if there is a choice", async () => {
    const servers = [
      { url: "https://live.example.com", description: "The *live* one." },
      {
        url: "https://{region}.example.com",
        variables: { region: { default: "eu", enum: ["eu", "us"], description: "Where." } },
      },
    ];
    const { outline } = await describeOperation({ servers, responses: ok }, { servers: [{ url: "/other" }] });
    expect(
      outline.slice(outline.indexOf("## Servers"), outline.indexOf("## Response")),
    ).toMatchInlineSnapshot(`
      "## Servers
      <ParamField name=https://live.example.com>
        The live one.
      <ParamField name=https://{region}.example.com>
        <ParamField name=region type=enum<string> default=eu>
          Where.
          Available options: eu, us
      "
    `);
    const single = await describeOperation({ responses: ok }, { servers: [{ url: "/other" }] });
    expect(single.outline).not.toContain("## Servers");
  });

  it("shows each example of a parameter, or that of a list's items", async () => {
    const parameters = [
      {
        name: "at",
        in: "query",
        schema: {},
        examples: { day: { value: "2026" }, all: { value: { a: 1 } }, to: { value: 7 } },
      },
      { name: "tags", in: "query", schema: { type: "array", items: { type: "string", example: "green" } } },
    ];
    const { outline } = await describeOperation({ parameters, responses: ok });
    expect(outline).toContain("name=at type=any>\n  Example: 2026, 7\n");
    expect(outline).toContain("name=tags type=string[]>\n  Example: green\n");
  });

  it("reads a description that is indented as a whole, as in source code", async () => {
    const schema = {
      type: "object",
      properties: { url: { description: "\n    Called *later*:\n\n        code\n" } },
    };
    const content = { "application/json": { schema, example: {} } };
    const { outline } = await describeOperation({ responses: { 200: { description: "Fine.", content } } });
    expect(outline).toMatch(/name=url type=any>\n {2}Called later:\n\s*```.*\ncode\n/);
  });

  it("shows a client certificate, which is no header of the request", async () => {
    const securitySchemes = { certificate: { type: "mutualTLS", description: "Ask us for one." } };
    const { outline } = await describeOperation(
      { security: [{ certificate: [] }], responses: ok },
      { components: { securitySchemes }, servers: [{ url: "/v1" }] },
    );
    expect(outline).toContain("<ParamField name=mutual TLS type=string required>\n  Ask us for one.");
    expect(outline).toContain("--url 'https://api.example.com/v1/plants'\n");
    expect(outline).not.toContain("Bearer");
  });

  it("warns of an undefined security scheme, and shows the other requirements", async () => {
    const { outline, warnings } = await describeOperation(
      { security: [{ key: [] }, { key: [], gone: [] }, { gone: [] }], responses: ok },
      { components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "api_key" } } } },
    );
    expect(outline).toContain("<ParamField query=api_key type=string required>");
    expect(outline.match(/<ParamField query=api_key/g)).toHaveLength(1);
    expect(warnings).toContainEqual(expect.stringContaining("no security scheme “gone”"));
  });

  it("sends a header once that is both a credential or the body's type and a parameter", async () => {
    const headers = ["X-Api-Key", "authorization", "Content-Type", "X-Other"];
    const { outline } = await describeOperation(
      {
        parameters: headers.map((name) => ({
          name,
          in: "header",
          required: true,
          schema: { type: "string" },
        })),
        requestBody: { content: { "application/json": { example: 1 } } },
        responses: ok,
      },
      {
        security: [{ key: [], token: [] }],
        components: {
          securitySchemes: {
            key: { type: "apiKey", in: "header", name: "x-api-key" },
            token: { type: "http", scheme: "bearer" },
          },
        },
      },
      "POST /plants",
    );
    expect(outline.match(/--header .*/g)).toEqual([
      "--header 'x-api-key: <api-key>' \\",
      "--header 'Authorization: Bearer <token>' \\",
      "--header 'X-Other: <string>' \\",
      "--header 'Content-Type: application/json' \\",
    ]);
  });

  it.each([
    ["", "https://api.example.com/plants"],
    ["v1/", "https://api.example.com/v1/plants"],
    ["//plants.example.com", "https://plants.example.com/plants"],
    ["{scheme}://a.example.com/{base}", "{scheme}://a.example.com/{base}/plants"],
  ])("sends a request to the server %j", async (url, expected) => {
    const { outline } = await describeOperation({ responses: ok }, { servers: [{ url }] });
    expect(outline).toContain(`--url '${expected}'`);
  });

  it("generates samples of forms with files", async () => {
    const schema = {
      type: "object",
      properties: { photo: { type: "string", format: "binary" }, note: { type: "string", example: "it's" } },
    };
    const { outline } = await describeOperation(
      { requestBody: { content: { "multipart/form-data": { schema } } }, responses: ok },
      {},
      "POST /photos",
    );
    expect(outline.slice(0, outline.indexOf("## Body"))).toMatchInlineSnapshot(`
      "Own text.
      <RequestExample>
        \`\`\`bash title="cURL"
      curl --request POST \\
        --url 'https://api.example.com/photos' \\
        --form 'photo=@example-file' \\
        --form-string 'note=it'\\''s'
        \`\`\`python title="Python"
      import requests

      url = "https://api.example.com/photos"
      files = [
          ("photo", open("example-file", "rb")),
          ("note", (None, "it's")),
      ]

      response = requests.request("POST", url, files=files)
      print(response.text)
        \`\`\`javascript title="JavaScript"
      const form = new FormData();
      form.append("photo", file);
      form.append("note", "it's");

      const response = await fetch("https://api.example.com/photos", {
        method: "POST",
        body: form,
      });
      console.log(await response.text());
      "
    `);
  });

  it("generates samples of other bodies", async () => {
    const samplesOf = async (mediaType: string, schema: object) => {
      const requestBody = { content: { [mediaType]: { schema } } };
      const { outline } = await describeOperation({ requestBody, responses: ok }, {}, "POST /notes");
      return outline;
    };
    const form = await samplesOf("application/x-www-form-urlencoded", {
      properties: { text: { type: "string", example: "a b" } },
    });
    expect(form).toContain(
      "--header 'Content-Type: application/x-www-form-urlencoded' \\\n  --data-urlencode 'text=a b'",
    );
    expect(form).toContain('const form = new URLSearchParams();\nform.append("text", "a b");\n');
    expect(form).toContain("body: form,");
    expect(form).toContain('payload = [\n    ("text", "a b"),\n]');
    const text = await samplesOf("text/plain", { type: "string", example: "Hi" });
    expect(text).toContain("--data-raw 'Hi'");
    expect(text).toContain('body: "Hi",');
    expect(text).toContain('requests.request("POST", url, headers=headers, data=payload.encode())');
  });

  it("leaves out an example that contains itself", async () => {
    const site = await describeSite({
      "api.yaml": `openapi: 3.1.0
paths:
  /a:
    post:
      requestBody:
        content:
          application/json: {example: &it {again: [*it, *it]}}
      responses: {}
`,
      "page.mdx": "---\nopenapi: POST /a\n---\n",
    });
    expect(site.outlines.get("page")).toContain("payload = None");
  });

  it("puts media types, statuses and alternatives into tabs", async () => {
    const text = { "text/plain": { schema: { type: "string" } } };
    const json = {
      "application/json": {
        schema: {
          oneOf: [
            { title: "Tree", type: "object", properties: { height: { type: "number" } } },
            { $ref: "#/components/schemas/Herb" },
          ],
        },
        examples: { oak: { summary: "An oak", value: { height: 30 } }, mint: { value: { edible: true } } },
      },
    };
    const { outline } = await describeOperation(
      {
        responses: {
          200: { description: "Fine.", content: { ...json, ...text } },
          default: { description: "Not." },
        },
      },
      { components: { schemas: { Herb: { type: "object", properties: { edible: { type: "boolean" } } } } } },
    );
    expect(outline.slice(outline.indexOf("<ResponseExample"))).toMatchInlineSnapshot(`
      "<ResponseExample>
        \`\`\`json title="200 An oak"
      {
        "height": 30
      }
        \`\`\`json title="200 mint"
      {
        "edible": true
      }
      ## Response
      <Tabs>
        <Tab title=200>
          Fine.
          <Tabs>
            <Tab title=application/json>
              <Tabs>
                <Tab title=Tree>
                  <ResponseField name=height type=number>
                <Tab title=Herb>
                  <ResponseField name=edible type=boolean>
            <Tab title=text/plain>
              Type: string
        <Tab title=default>
          Not.
      "
    `);
  });

  it("shows every named example of the first media type", async () => {
    const examples = { oak: { summary: "An oak", value: { height: 30 } }, mint: { value: { edible: true } } };
    const schema = { type: "object", properties: { height: { type: "integer" } } };
    const { outline } = await describeOperation({
      requestBody: { content: { "application/json": { schema, examples } } },
      responses: {
        200: {
          description: "Fine.",
          content: {
            "application/xml": { schema, example: "<height>30</height>" },
            "application/json": { schema },
            "text/csv": { schema },
          },
        },
        201: { description: "Made.", content: { "application/xml": { schema } } },
      },
    });
    const titles = [...outline.matchAll(/```(\w+ title=".*")/g)].map(([, title]) => title);
    expect(titles).toEqual([
      'bash title="cURL"',
      'python title="Python"',
      'javascript title="JavaScript"',
      'json title="mint"',
      'json title="200"',
    ]);
  });

  it("takes the values of an example from the schema: its constant, its example, its first of several, its default", async () => {
    const properties = {
      example: { type: "string", example: "a", default: "z" },
      examples: { type: "string", examples: ["b", "y"], default: "z" },
      default: { type: "string", default: "c", enum: ["z"] },
      constant: { const: "d", example: "z" },
      choice: { enum: ["e", "z"] },
      type: { type: "string" },
    };
    const { outline } = await describeOperation({
      responses: {
        200: {
          description: "Fine.",
          content: { "application/json": { schema: { type: "object", properties } } },
        },
      },
    });
    expect(
      outline.slice(outline.indexOf("<ResponseExample>"), outline.indexOf("## Response")),
    ).toMatchInlineSnapshot(`
      "<ResponseExample>
        \`\`\`json title="200"
      {
        "example": "a",
        "examples": "b",
        "default": "c",
        "constant": "d",
        "choice": "e",
        "type": "<string>"
      }
      "
    `);
  });

  it("generates the example of a large request once, and then that of its response", async () => {
    const fields = Array.from({ length: 6000 }, (_, at) => [`f${at}`, { type: "boolean" }]);
    const schema = { type: "object", properties: Object.fromEntries(fields) };
    const { outline } = await describeOperation({
      requestBody: { content: { "application/json": { schema } } },
      responses: {
        200: { description: "Fine.", content: { "application/json": { schema: { type: "integer" } } } },
      },
    });
    expect(outline).toContain('title="200"\n123\n');
  });

  it("shows the document's own samples first, and reports callbacks", async () => {
    const { outline, warnings } = await describeOperation({
      "x-codeSamples": [{ lang: "go", label: 'The "client"', source: "client.List()\n" }],
      callbacks: { grown: { "{$request.body#/url}": { post: { description: "It grew.", responses: ok } } } },
      responses: {},
    });
    expect(outline).toContain('```go title="The client"\nclient.List()');
    expect(warnings).toEqual(["api: page: api.json: callbacks are not shown"]);
  });

  it("shows samples that share a label under their languages, in place of the generated ones", async () => {
    const label = "List plants";
    const { outline } = await describeOperation({
      "x-codeSamples": [
        { lang: "cURL", label, source: "curl plants" },
        { lang: "python", label, source: "list()" },
        { lang: "go", label: "With retries", source: "List()" },
      ],
      responses: {},
    });
    const titles = [...outline.matchAll(/```.*title="(.*)"/g)].map(([, title]) => title);
    expect(titles).toEqual(["cURL", "python", "With retries", "JavaScript"]);
  });

  it("keeps the examples that the page writes itself", async () => {
    const site = await describeSite({
      "api.json": { openapi: "3.0.3", info, paths: { "/plants": { get: { responses: ok } } } },
      "page.mdx":
        "---\nopenapi: GET /plants\n---\n<RequestExample>\n\n```bash mine\nplants\n```\n\n</RequestExample>\n",
    });
    const outline = site.outlines.get("page") ?? "";
    expect(outline.match(/<RequestExample>/g)).toHaveLength(1);
    expect(outline).toContain("## Response");
  });
});

describe("a schema", () => {
  it("merges allOf, and reads nullable schemas of both versions", async () => {
    const { outline } = await describeSchema(
      {
        allOf: [
          { $ref: "#/components/schemas/Named" },
          {
            type: "object",
            required: ["age"],
            properties: { age: { type: ["integer", "null"], minimum: 0 } },
          },
        ],
      },
      {
        Named: {
          type: "object",
          properties: {
            name: { type: "string", nullable: true },
            near: { anyOf: [{ $ref: "#/components/schemas/Place" }, { type: "null" }] },
            mark: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
            code: { anyOf: [{ type: "string" }, { minLength: 2 }] },
            data: { nullable: true },
            more: { anyOf: [{}, { type: "null" }] },
            none: { type: "null" },
          },
        },
        Place: { type: "object", properties: { at: { type: "string", format: "uri" } } },
      },
    );
    expect(outline).toMatchInlineSnapshot(`
      "## Response
      200, application/json
      Fine.
      <ResponseField name=name type=string | null>
      <ResponseField name=near type=object | null>
        <Expandable title=Child attributes>
          <ResponseField name=at type=string<uri>>
      <ResponseField name=mark type=string | integer | null>
      <ResponseField name=code type=string>
      <ResponseField name=data type=any | null>
      <ResponseField name=more type=any | null>
      <ResponseField name=none type=null>
      <ResponseField name=age type=integer | null required>
        minimum: 0
      "
    `);
  });

  it("calls alternatives without fields options, not attributes", async () => {
    const text = { type: "string", description: "A name." };
    const { outline } = await describeSchema({
      type: "object",
      properties: {
        id: { oneOf: [text, { type: "integer", minimum: 1 }] },
        owner: { oneOf: [text, { type: "object", properties: { name: { type: "string" } } }] },
      },
    });
    expect(outline).toMatch(/name=id .*\n {2}<Expandable title=Available options>/);
    expect(outline).toMatch(/name=owner .*\n {2}<Expandable title=Child attributes>/);
  });

  it("keeps what only one part of allOf says about a property", async () => {
    const { outline } = await describeSchema(
      {
        allOf: [
          { $ref: "#/components/schemas/Plant" },
          {
            properties: {
              kind: { description: "Of this garden." },
              place: { properties: { bed: { type: "integer" } } },
              parent: { description: "The mother plant." },
              owner: { $ref: "#/components/schemas/Gardener" },
            },
          },
        ],
      },
      {
        Plant: {
          type: "object",
          properties: {
            kind: { enum: ["tree", "herb"], description: "Any." },
            place: { type: "object", properties: { garden: { type: "string" } } },
            parent: { $ref: "#/components/schemas/Plant" },
            owner: { type: "string" },
          },
        },
        Gardener: { type: "object", properties: { name: { type: "string" } } },
      },
    );
    expect(outline).toMatchInlineSnapshot(`
      "## Response
      200, application/json
      Fine.
      <ResponseField name=kind type=enum<string>>
        Of this garden.
        Available options: tree, herb
      <ResponseField name=place type=object>
        <Expandable title=Child attributes>
          <ResponseField name=garden type=string>
          <ResponseField name=bed type=integer>
      <ResponseField name=parent type=object>
        The mother plant.
        <Expandable title=Child attributes>
          <ResponseField name=kind type=enum<string>>
            Any.
            Available options: tree, herb
          <ResponseField name=place type=object>
            <Expandable title=Child attributes>
              <ResponseField name=garden type=string>
          <ResponseField name=parent type=object>
            Recursive: the same fields as Plant.
          <ResponseField name=owner type=string>
      <ResponseField name=owner type=object>
        <Expandable title=Child attributes>
          <ResponseField name=name type=string>
      "
    `);
  });

  it("generates an example of the whole if a part of allOf has one of its own", async () => {
    const place = {
      type: "object",
      properties: { garden: { example: "north" } },
      example: { garden: "south" },
    };
    const schema = { allOf: [place, { properties: { bed: { example: 7 } } }] };
    const content = { "application/json": { schema } };
    const { outline } = await describeOperation({ responses: { 200: { description: "Fine.", content } } });
    expect(outline).toContain(`{\n  "garden": "north",\n  "bed": 7\n}`);
  });

  it("takes title and description of allOf from its own parts, or else from the first one", async () => {
    const rule = (name: string) => ({
      title: name,
      description: `Rule ${name}.`,
      properties: { [name]: {} },
    });
    const refersTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const { outline } = await describeSchema(
      {
        oneOf: [
          { allOf: [refersTo("Create"), refersTo("Info")] },
          { allOf: [refersTo("Delete"), refersTo("Info")] },
          { allOf: [refersTo("Create"), { description: "Made here." }, refersTo("Info")] },
          { title: "Own", allOf: [refersTo("Create"), refersTo("Info")] },
        ],
      },
      {
        Create: rule("creation"),
        Delete: rule("deletion"),
        Info: { title: "info", description: "Data.", properties: { id: {} } },
      },
    );
    expect(outline.match(/(?<=<Tab title=).*>\n.*/g)).toEqual([
      "creation>\n    Rule creation.",
      "deletion>\n    Rule deletion.",
      "creation>\n    Made here.",
      "Own>\n    Rule creation.",
    ]);
  });

  it("names the value of a discriminator that selects an alternative, and sends it", async () => {
    const pet = (name: string, kind: object) => ({
      type: "object",
      properties: { kind, [name]: { type: "boolean" } },
    });
    const { outline } = await describeOperation(
      {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                oneOf: ["Cat", "Dog", "Fish", "Bird"].map((name) => ({
                  $ref: `#/components/schemas/${name}`,
                })),
                discriminator: {
                  propertyName: "kind",
                  mapping: { cat: "#/components/schemas/Cat", dog: "Dog", hound: "Dog" },
                },
              },
            },
          },
        },
        responses: ok,
      },
      {
        components: {
          schemas: {
            Cat: pet("purrs", { type: "string", example: "any" }),
            Dog: pet("barks", { type: "string" }),
            Fish: pet("swims", { type: "string" }),
            Bird: pet("flies", { enum: ["bird", "birds"] }),
          },
        },
      },
      "POST /pets",
    );
    expect(outline).toContain(`--data '{\n  "kind": "cat",\n  "purrs": true\n}'`);
    expect(outline.slice(outline.indexOf("## Body"), outline.indexOf("## Response"))).toMatchInlineSnapshot(`
      "## Body
      application/json
      <Tabs>
        <Tab title=Cat>
          <ParamField name=kind type=string>
            const: cat
          <ParamField name=purrs type=boolean>
        <Tab title=Dog>
          <ParamField name=kind type=enum<string>>
            Available options: dog, hound
          <ParamField name=barks type=boolean>
        <Tab title=Fish>
          <ParamField name=kind type=string>
            const: Fish
          <ParamField name=swims type=boolean>
        <Tab title=Bird>
          <ParamField name=kind type=enum<string>>
            Available options: bird, birds
          <ParamField name=flies type=boolean>
      "
    `);
  });

  it("shows the schemas that extend a schema with a discriminator", async () => {
    const extended = (...parts: object[]) => ({ allOf: [{ $ref: "#/components/schemas/Pet" }, ...parts] });
    const { outline } = await describeSchema(
      { properties: { pet: extended(), friend: { $ref: "#/components/schemas/Cat" } } },
      {
        Named: { type: "object", properties: { name: { type: "string" } } },
        Pet: {
          allOf: [{ $ref: "#/components/schemas/Named" }],
          properties: { kind: { enum: ["cat", "dog"] } },
          discriminator: {
            propertyName: "kind",
            mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" },
          },
        },
        Cat: extended({ properties: { owner: { $ref: "#/components/schemas/Dog" } } }),
        Dog: { ...extended(), properties: { barks: { type: "boolean" } } },
      },
    );
    expect(outline).toMatchInlineSnapshot(`
      "## Response
      200, application/json
      Fine.
      <ResponseField name=pet type=object>
        <Expandable title=Child attributes>
          <ResponseField name=name type=string>
          <ResponseField name=kind type=enum<string>>
            Available options: cat, dog
          <Tabs>
            <Tab title=Cat>
              <ResponseField name=name type=string>
              <ResponseField name=kind type=string>
                const: cat
              <ResponseField name=owner type=object>
                <Expandable title=Child attributes>
                  <ResponseField name=name type=string>
                  <ResponseField name=kind type=enum<string>>
                    Available options: cat, dog
                  <ResponseField name=barks type=boolean>
            <Tab title=Dog>
              <ResponseField name=name type=string>
              <ResponseField name=kind type=string>
                const: dog
              <ResponseField name=barks type=boolean>
      <ResponseField name=friend type=object>
        <Expandable title=Child attributes>
          <ResponseField name=name type=string>
          <ResponseField name=kind type=enum<string>>
            Available options: cat, dog
          <ResponseField name=owner type=object>
            <Expandable title=Child attributes>
              <ResponseField name=name type=string>
              <ResponseField name=kind type=enum<string>>
                Available options: cat, dog
              <ResponseField name=barks type=boolean>
      "
    `);
  });

  it("shows maps, lists and constraints", async () => {
    const { outline } = await describeSchema({
      type: "object",
      properties: {
        labels: {
          type: "object",
          maxProperties: 5,
          additionalProperties: { type: "string", pattern: "^a|b$" },
        },
        rows: {
          type: "array",
          minItems: 1,
          uniqueItems: true,
          items: { type: "object", properties: { cell: { type: ["string", "number"] } } },
        },
        size: { type: "number", exclusiveMinimum: 0, maximum: 9, multipleOf: 3 },
        old: { type: "string", deprecated: true, const: "x", "x-mint": { pre: ["PII"], post: ["unique"] } },
      },
    });
    expect(outline).toMatchInlineSnapshot(`
      "## Response
      200, application/json
      Fine.
      <ResponseField name=labels type=object>
        maxProperties: 5
        <Expandable title=Child attributes>
          <ResponseField name={key} type=string>
            pattern: ^a|b$
      <ResponseField name=rows type=object[]>
        minItems: 1, uniqueItems: true
        <Expandable title=Child attributes>
          <ResponseField name=cell type=string | number>
      <ResponseField name=size type=number>
        exclusiveMinimum: 0, maximum: 9, multipleOf: 3
      <ResponseField name=old type=string deprecated pre=["PII"] post=["unique"]>
        const: x
      "
    `);
  });

  it("shows what the items of a list are", async () => {
    const { outline } = await describeSchema({
      type: "object",
      properties: {
        tags: { type: "array", maxItems: 5, items: { type: "string", description: "A tag.", maxLength: 20 } },
        rows: { type: "array", description: "The rows.", items: { type: "string", description: "A row." } },
        more: { type: "array", description: "More.", items: { type: "string", description: "More." } },
      },
    });
    expect(outline).toContain("name=rows type=string[]>\n  The rows.\n  A row.\n");
    expect(outline).toMatch(/name=more type=string\[\]>\n {2}More\.\n$/);
    expect(outline).toContain(
      "<ResponseField name=tags type=string[]>\n  A tag.\n  maxItems: 5, items.maxLength: 20\n",
    );
  });

  it.each(["json", "yaml"])("keeps each digit of a large integer in %s", async (format) => {
    const schema = `{"type": "integer", "minimum": -1, "maximum": 9223372036854775807, "example": 1234567890123456789}`;
    const media = `{"application/json": {"schema": ${schema}, "example": {"id": 1234567890123456789, "size": 1}}}`;
    const text = `{"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {"/a/{id}": {"post": {
      "parameters": [{"in": "query", "name": "id", "required": true, "schema": ${schema}}],
      "requestBody": {"content": ${media}},
      "responses": {"200": {"description": "Fine.", "content": {"application/json":
        {"schema": ${schema}, "example": "{\\"id\\": 1234567890123456789}"}}}}}}}}`;
    const site = await describeSite({
      [`api.${format}`]: text,
      "page.mdx": "---\nopenapi: POST /a/{id}\n---\n",
    });
    const outline = site.outlines.get("page") ?? "";
    expect(outline).toContain("minimum: -1, maximum: 9223372036854775807");
    expect(outline).toContain("Example: 1234567890123456789");
    expect(outline).toContain("?id=1234567890123456789");
    expect(outline.match(/"id": 1234567890123456789/g)).toHaveLength(4);
  });

  it("merges lists of required properties that double with each level", async () => {
    const allOf = (level: number) => [
      { $ref: `#/components/schemas/S${level}` },
      { $ref: `#/components/schemas/S${level}` },
    ];
    const levels = Array.from({ length: 40 }, (_, level) => [
      `S${level}`,
      { required: ["a"], allOf: allOf(level + 1) },
    ]);
    const last = { S40: { properties: { a: { type: "string" } } } };
    const { outline } = await describeSchema({ allOf: allOf(0) }, { ...Object.fromEntries(levels), ...last });
    expect(outline).toContain("<ResponseField name=a type=string required>");
  });

  it("has its own sentences in the language of the page", async () => {
    const deep = Array.from({ length: 10 }).reduce<object>(
      (inner) => ({ type: "object", properties: { inner } }),
      { type: "string" },
    );
    const properties = {
      self: { $ref: "#/components/schemas/Node" },
      size: { enum: Array.from({ length: 253 }, (_, index) => index) },
      deep,
    };
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Node" }, example: {} } };
    const { outlines } = await describeSite({
      "api.json": {
        openapi: "3.1.0",
        info,
        security: [{ login: [] }],
        paths: { "/plants": { get: { responses: { 200: { description: "Gut.", content } } } } },
        components: {
          schemas: { Node: { type: "object", properties } },
          securitySchemes: { login: { type: "http", scheme: "basic" } },
        },
      },
      "page.mdx": "---\nopenapi: GET /plants\nlang: de\n---\n",
    });
    const outline = outlines.get("page") ?? "";
    expect(outline).toContain(
      "Basic-Authentifizierung: Basic <credentials>, mit username:password in Base64.",
    );
    expect(outline).toContain("Rekursiv: dieselben Felder wie Node.");
    expect(outline).toContain(", 99 und 153 weitere");
    expect(outline).toContain("Weitere Felder werden nicht gezeigt.");
  });

  it("stops at recursion with a note", async () => {
    const { outline, warnings } = await describeSchema(
      { $ref: "#/components/schemas/Node" },
      {
        Node: {
          type: "object",
          properties: {
            value: { type: "string" },
            children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
          },
        },
      },
    );
    expect(outline).toContain(
      "<ResponseField name=children type=object[]>\n  Recursive: the same fields as Node.",
    );
    expect(warnings).toEqual([]);
  });
});

describe("a hostile OpenAPI document", () => {
  const levels = (count: number, make: (next: object) => object) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`S${at}`, make({ $ref: `#/components/schemas/S${at + 1}` })]),
    );

  it.for([
    [
      "fields that double at each level",
      levels(40, (next) => ({ type: "object", properties: { a: next, b: next } })),
    ],
    [
      "alternatives that double at each level",
      levels(40, (next) => ({ oneOf: [next, { anyOf: [next, next] }] })),
    ],
    [
      "parts that double at each level",
      levels(40, (next) => ({ allOf: [next, next, { properties: { a: next } }] })),
    ],
    [
      "parts of itself",
      { S0: { allOf: [{ $ref: "#/components/schemas/S0" }], oneOf: [{ $ref: "#/components/schemas/S0" }] } },
    ],
    ["a reference to itself", { S0: { $ref: "#/components/schemas/S0" } }],
    [
      "a discriminator that selects itself",
      {
        S0: {
          properties: { kind: {} },
          discriminator: { propertyName: "kind", mapping: { a: "S0", b: "S1" } },
        },
        S1: { allOf: [{ $ref: "#/components/schemas/S0" }, { $ref: "#/components/schemas/S1" }] },
      },
    ],
  ] as const)("is shown in part: %s", async ([, schemas]) => {
    const { outline } = await describeSchema({ $ref: "#/components/schemas/S0" }, schemas);
    expect(outline).toContain("## Response");
    expect(outline.length).toBeLessThan(2_000_000);
  });

  it("is cut if it is nested too deeply", async () => {
    const depth = 20_000;
    const schema = `${'{"type":"array","items":'.repeat(depth)}{}${"}".repeat(depth)}`;
    const api = `{"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{"200":{"description":"x","content":{"application/json":{"schema":${schema}}}}}}}}}`;
    const site = await describeSite({ "api.json": api, "page.mdx": "---\nopenapi: GET /a\n---\nOwn.\n" });
    expect(site.outlines.get("page")).toContain("Own.");
  });

  it("gets no longer samples through the names of nested values", async () => {
    const deep = Array.from({ length: 1_000 }).reduce<object>((inner) => ({ a: 1, b: inner }), {});
    const parameter = { name: "q", in: "query", required: true, style: "deepObject", example: deep };
    const { outline } = await describeOperation({ parameters: [parameter], responses: ok });
    expect(outline).toContain("?q%5Ba%5D=1&q%5Bb%5D%5Ba%5D=1");
    expect(outline.length).toBeLessThan(500_000);
  });

  it("reports unresolved references, and reads no files outside of the site", async () => {
    const { warnings } = await describeSchema({
      properties: {
        a: { $ref: "https://example.com/a.json#/b" },
        b: { $ref: "#/constructor/name" },
        c: { $ref: "../../etc/hostname" },
        d: { $ref: "#anchor" },
      },
    });
    expect(warnings.map((warning) => warning.replace(/^api: page: /, ""))).toEqual([
      "api.json: the reference https://example.com/a.json#/b cannot be resolved",
      "api.json: the reference #/constructor/name cannot be resolved",
      "api.json: the reference ../../etc/hostname cannot be resolved",
      "api.json: the reference #anchor cannot be resolved",
    ]);
  });
});
