import { describe, expect, test } from "vitest";
import { InputError } from "../../src/base/errors.ts";
import type { Environment } from "../../src/base/runtime.ts";
import type { CommandName } from "../../src/commands/outputs.ts";
import {
  classifyApiKey,
  detectForeignIssuer,
  listInputs,
  readCommand,
  readInputs,
} from "../../src/commands/read-inputs.ts";

/** The environment of a step, as the runner fills it: every declared input, defaults included. */
function environmentOf(command: CommandName, inputs: Record<string, string>): Environment {
  const defaults = listInputs().map(({ name, default: value }) => [
    name,
    value?.startsWith("${{") ? "ghs_token" : (value ?? ""),
  ]);
  const all: Record<string, string> = { ...Object.fromEntries(defaults), ...inputs, command };
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );
}

const minimal = {
  agent: { "base-url": "https://api.example.com", "api-key": "svc_key", "project-id": "p1" },
  assistant: { "base-url": "https://api.example.com", "api-key": "svc_dsc_key", domain: "docs.example.com" },
  export: { "base-url": "https://api.example.com", "api-key": "svc_key", domain: "docs.example.com" },
  reconcile: { "base-url": "https://api.example.com", "api-key": "svc_key", "project-id": "p1" },
  doctor: { "base-url": "https://api.example.com", "api-key": "svc_key" },
} satisfies Record<CommandName, Record<string, string>>;

function problemsOf(command: CommandName, inputs: Record<string, string>): readonly string[] {
  try {
    readInputs(command, environmentOf(command, inputs));
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

describe("readCommand", () => {
  test("names the commands when it is missing or unknown", () => {
    expect(() => readCommand({})).toThrow("`command` is missing: set it to one of `agent`, `assistant`");
    expect(() => readCommand({ INPUT_COMMAND: "exports" })).toThrow("`command` must be one of `agent`");
    expect(readCommand({ INPUT_COMMAND: " export " })).toBe("export");
  });
});

describe("readInputs", () => {
  test.each(Object.entries(minimal))(
    "accepts the smallest inputs of %s, without a warning",
    (command, inputs) => {
      expect(
        readInputs(command as CommandName, environmentOf(command as CommandName, inputs)).warnings,
      ).toEqual([]);
    },
  );

  test("gives defaults their types", () => {
    const { inputs } = readInputs("export", environmentOf("export", minimal.export));
    expect(inputs).toMatchObject({
      baseUrl: new URL("https://api.example.com"),
      timeoutMinutes: 60,
      failOn: ["failed", "archived", "timed-out", "rate-limited", "unknown"],
      dryRun: false,
      upload: "archive",
      maxBundleMegabytes: 10_240,
      exportPaths: [],
    });
  });

  test("reports every problem at once, by public names", () => {
    expect(
      problemsOf("export", {
        "base-url": "http://api.example.com",
        "api-key": "svc_dsc_public",
        "timeout-minutes": "an hour",
        "fail-on": "nonsense, failed, failure",
        upload: "tar",
        "retention-days": "91",
        "values-bundle-url": "https://cdn.example.com/bundle",
        "values-version": "export",
      }),
    ).toMatchInlineSnapshot(`
      [
        "\`base-url\` must start with \`https://\` (plain \`http://\` only for this machine), or be \`local\`.",
        "\`timeout-minutes\` must be a number of minutes, like \`60\` or \`0.5\`.",
        "\`fail-on\` must name outcomes: pull-request, updated, unchanged, no-pull-request, failed, archived, timed-out, rate-limited, unknown, detached, skipped, cancelled, answered, exported, reconciled, healthy, unhealthy, error; \`nonsense\`, \`failure\` are not accepted.",
        "\`upload\` must be one of \`archive\`, \`zip\`, \`site\`, \`pages\`, \`none\`.",
        "\`retention-days\` must be a whole number from 1 to 90.",
        "\`api-key\` is an assistant key; \`export\` takes the admin key (it starts with \`svc_\`, without \`dsc_\`).",
        "\`domain\` is missing: copy the site's identifier from the end of its dashboard address.",
        "\`values-bundle-url\` needs \`values-file\`: the file to write it to.",
        "\`values-version\` needs \`values-file\`: the file to write it to.",
        "\`values-version: export\` needs \`export-version\`: the version to write.",
      ]
    `);
  });

  test("names every input that is missing", () => {
    expect(problemsOf("export", {})).toEqual([
      "`base-url` is missing: set the platform's address, or `local`. In a workflow, a variable that does not exist is empty.",
      expect.stringContaining("`api-key` is missing"),
      expect.stringContaining("`domain` is missing"),
    ]);
    expect(problemsOf("agent", { "base-url": "https://x.example" })).toEqual([
      expect.stringContaining("`api-key` is missing"),
      expect.stringContaining("`project-id` is missing"),
    ]);
  });

  test.each(["a/b", "a\\b", "a:b", "a\nb", "..", "x".repeat(201), "文".repeat(67)])(
    "refuses the artifact's name %j",
    (name) => {
      const problems = problemsOf("export", { ...minimal.export, "artifact-name": name });

      expect(problems).toStrictEqual([expect.stringMatching(/^`artifact-name` must/)]);
    },
  );

  test("takes bots by name only", () => {
    expect(problemsOf("agent", { ...minimal.agent, "allowed-bots": "renovate[bot], *" })).toStrictEqual([
      "`allowed-bots` takes exact logins; `*` is not accepted.",
    ]);
  });

  test("names everything that is wrong with one input", () => {
    const name = `${"a".repeat(300)}/b`;
    expect(problemsOf("export", { ...minimal.export, "artifact-name": name })).toStrictEqual([
      expect.stringMatching(/^`artifact-name` must be at most 200 bytes \(in UTF-8\); must not contain/),
    ]);
  });

  test.each([
    ["http://api.example.com", false],
    ["http://127.0.0.1:4000", true],
    ["http://localhost:4000/prefix", true],
    ["http://localhost.example.com", false],
    ["https://user:pass@api.example.com", false],
    ["https://api.example.com/?x=1", false],
    ["ftp://api.example.com", false],
    ["api.example.com", false],
    ["https://api.example.com/v1", false],
    ["https://api.example.com/discovery/", false],
    ["https://api.example.com/prefix/v2/agent/p1/job", false],
    ["https://api.example.com/v1/docs", true],
    ["local", true],
  ])("takes base-url %s: %s", (address, isAccepted) => {
    expect(problemsOf("export", { ...minimal.export, "base-url": address })).toHaveLength(isAccepted ? 0 : 1);
  });

  test("names the part of base-url that belongs to the API", () => {
    const address = "https://api.example.com/docs/v1/static-export/jobs";
    expect(problemsOf("export", { ...minimal.export, "base-url": address })).toEqual([
      "`base-url` must end before `/v1/static-export/jobs`, which is a part of the API's own paths.",
    ]);
  });

  test.each([
    ["export", "svc_dsc_key", "takes the admin key"],
    ["agent", "svc_dsc_key", "takes the admin key"],
    ["reconcile", "mint_dsc_key", "takes the admin key"],
    ["assistant", "svc_key", "takes the assistant key"],
    ["export", "sk-123", "does not look like a key"],
    ["export", "svc_two words", "must be one word"],
  ] as const)("refuses for %s the key %s before any request", (command, key, message) => {
    expect(problemsOf(command, { ...minimal[command], "api-key": key }).join(" ")).toContain(message);
  });

  // Put together here, so that no scanner takes them for real ones.
  const random = "4eC39HqLyjWDarjtT1zdp7dc4eC39HqLyjWD";
  test.each([
    ..."p o u s r".split(" ").map((letter) => `gh${letter}_`),
    ..."github_pat_ glpat- AIza ya29. sk_live_ sk_test_ rk_live_ pk_live_ whsec_ sk-ant- sk-proj- sk- xoxb- xoxp-".split(
      " ",
    ),
    ..."xoxa- xoxr- xoxs- xapp- npm_ pypi- dop_v1_ doo_v1_ SG. hf_ gsk_ shpat_ glsa_ lin_api_ dckr_pat_ rubygems_ access_token$production$".split(
      " ",
    ),
  ])("sends no secret of another service: %s…", (prefix) => {
    const key = prefix + random;
    for (const command of ["agent", "assistant", "export", "reconcile", "doctor"] as const) {
      const problems = problemsOf(command, { ...minimal[command], "api-key": key }).join(" ");
      expect(problems).toMatch(/looks like a secret of .* and is not sent|does not look like a key of this/);
      expect(problems).not.toContain(random);
    }
  });

  test.each([
    "AKIAIOSFODNN7EXAMPLE",
    "ASIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
    "-----BEGIN_KEY",
  ])("sends no secret of a cloud or an identity provider: %s", (key) => {
    expect(problemsOf("doctor", { ...minimal.doctor, "api-key": key }).join()).toContain("is not sent");
  });

  test("does not send the run's own token, whatever its shape", () => {
    const same = { "api-key": "acme_same-as-the-token", "github-token": "acme_same-as-the-token" };
    expect(problemsOf("agent", { ...minimal.agent, ...same }).join()).toContain("a secret of GitHub");
  });

  test.each(["svc_", "mint_", "acme_", "ghost_", "skills_", "npmdocs_", "sklive_", "docs2_"])(
    "takes keys of other vendors: %s…",
    (prefix) => {
      expect(problemsOf("export", { ...minimal.export, "api-key": prefix + random })).toEqual([]);
      expect(problemsOf("assistant", { ...minimal.assistant, "api-key": `${prefix}dsc_${random}` })).toEqual(
        [],
      );
    },
  );

  test.each(["https://10.0.0.1", "host:8080", "host/path", "a b", "*", "http://x"])(
    "does not take %s for a host",
    (host) => {
      expect(problemsOf("export", { ...minimal.export, "allowed-hosts": host }).join()).toContain(
        "must name hosts",
      );
    },
  );

  test("reads hosts as addresses write them", () => {
    const inputs = { ...minimal.export, "allowed-hosts": "MinIO.Internal., 0x7f.1\n[::FFFF:10.0.0.1]" };
    expect(readInputs("export", environmentOf("export", inputs)).inputs.allowedHosts).toEqual([
      "minio.internal",
      "127.0.0.1",
      "::ffff:a00:1",
    ]);
  });

  test("never repeats a key in a problem", () => {
    const problems = problemsOf("assistant", { ...minimal.assistant, "api-key": "svc_very-secret" });
    expect(problems.join(" ")).not.toContain("very-secret");
  });

  test("needs neither key nor domain with the embedded platform", () => {
    expect(problemsOf("export", { "base-url": "local" })).toEqual([]);
    for (const command of ["export", "agent"] as const) {
      const program = command === "agent" ? { "agent-command": "./agent" } : {};
      expect(problemsOf(command, { "base-url": "local", wait: "false", "job-id": "j1", ...program })).toEqual(
        [
          "`wait: false` cannot be used with `base-url: local`: the job would end with the run.",
          "`job-id` cannot be used with `base-url: local`: its jobs ended with their runs.",
        ],
      );
    }
  });

  test("writes no link of the embedded platform to a values file: it ends with the run", () => {
    const local = { "base-url": "local", "values-file": "values.yaml" };
    const problem =
      "`values-file` needs an address in `values-bundle-url` with `base-url: local`: the bundle's own link ends with the run.";
    expect(problemsOf("export", local)).toEqual([problem]);
    expect(problemsOf("export", { ...local, "values-bundle-url": "presigned" })).toEqual([problem]);
    expect(problemsOf("export", { ...local, "values-bundle-url": "https://example.com/a.zip" })).toEqual([]);
  });

  test.each([
    [
      "agent",
      { prompt: "Add a page.", "prompt-file": "prompt.md" },
      "`prompt` and `prompt-file` are both set",
    ],
    ["agent", { "agent-command": "./agent" }, "`agent-command` needs `base-url: local`"],
    [
      "agent",
      { "base-url": "local", "agent-command": "./agent", wait: "false" },
      "`wait: false` cannot be used",
    ],
    ["export", { "base-url": "local", "job-id": "se_1" }, "`job-id` cannot be used"],
    ["export", { "values-file": "values.yaml", wait: "false" }, "`values-file` needs `wait: true`"],
  ] as const)("refuses inputs of %s that exclude each other: %o", (command, given, problem) => {
    expect(problemsOf(command, { ...minimal[command], ...given })).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  test("needs a program for the agent of the embedded platform", () => {
    expect(problemsOf("agent", { "base-url": "local" })).toEqual([
      "`agent-command` is missing: with `base-url: local`, it names the program that edits the documents.",
    ]);
  });

  test.each(["..", ".", "two words", "x".repeat(501)])(
    "refuses an identifier that cannot stand in a path: %j",
    (id) => {
      expect(problemsOf("agent", { ...minimal.agent, "project-id": id, "job-id": id })).toEqual([
        expect.stringContaining("`project-id` must be one word of at most 200 characters"),
        expect.stringContaining("`job-id` must be one word of at most 200 characters"),
      ]);
    },
  );

  test("refuses what the specification does not allow in a question", () => {
    const given = { ...minimal.assistant, "current-path": "p".repeat(201), "retrieval-page-size": "0" };
    expect(problemsOf("assistant", given)).toEqual([
      "`retrieval-page-size` must be a whole number from 1 to 100.",
      "`current-path` must be at most 200 characters.",
    ]);
  });

  test("needs no domain to fetch an existing job", () => {
    expect(problemsOf("export", { ...minimal.export, domain: "", "job-id": "se_1" })).toEqual([]);
  });

  test("warns of an input that the command does not use, and names the commands that do", () => {
    const { warnings } = readInputs(
      "export",
      environmentOf("export", { ...minimal.export, "project-id": "p", prompt: "x", upload: "none" }),
    );
    expect(warnings).toEqual([
      "`prompt` is not used by `export`; it belongs to `agent`, `assistant`.",
      "`project-id` is not used by `export`; it belongs to `agent`, `reconcile`, `doctor`.",
    ]);
  });
});

test.each([
  [`ghs_${"a".repeat(36)}`, "GitHub"],
  ["AKIAIOSFODNN7EXAMPLE", "a cloud or an identity provider"],
  ["AIzaSyA_b", "a cloud or an identity provider"],
  ["eyJhbGciOiJIUzI1NiJ9_.e30", "a cloud or an identity provider"],
  ["-----BEGIN PRIVATE KEY-----", "a cloud or an identity provider"],
  ["sk_live_abc", "a payment service"],
  ["npm_abc", "another service"],
  ["dop_v1_abc", "another service"],
  ["svc_abc", undefined],
  ["svc_dsc_abc", undefined],
])("detectForeignIssuer knows who issued %s: %s", (key, issuer) => {
  expect(detectForeignIssuer(key)).toBe(issuer);
});

test.each([
  ["svc_abc123", "admin"],
  ["svc_dsc_abc123", "assistant"],
  ["mint_abc", "admin"],
  ["mint_dsc_abc", "assistant"],
  ["SVC_DSC_abc", "assistant"],
  ["svc_dscabc", "admin"],
  ["sk-abc", "unknown"],
  ["svc_", "unknown"],
  ["Bearer svc_abc", "unknown"],
  ["svc_abc\nx", "unknown"],
  ["", "unknown"],
])("classifyApiKey classifies %j as %s", (key, kind) => {
  expect(classifyApiKey(key)).toBe(kind);
});
