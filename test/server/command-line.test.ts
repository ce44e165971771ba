import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/server/command-line.ts";
import type { PlatformOptions } from "../../src/server/platform.ts";

const docs = ["--docs", "site"];

describe("the platform's command line", () => {
  test("requires only the documents", () => {
    expect(() => parseCommandLine([], {})).toThrow("--docs: is required");
    expect(parseCommandLine(docs, {})).toEqual({
      kind: "platform",
      options: {
        docsDir: "site",
        role: "all",
        host: "127.0.0.1",
        port: 4870,
        domains: ["localhost"],
        plan: "enterprise",
        linkLifetimeMs: 3_600_000,
        keys: {},
      },
      verbose: false,
      logFormat: "text",
    });
  });

  const bucketKeys = {
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    DOCS_PLATFORM_ADMIN_KEY: "svc_a",
    DOCS_PLATFORM_ASSISTANT_KEY: "svc_dsc_a",
  };
  const database = ["--database-url", "postgres://u:p@db/docs"];

  test("accepts a database and a bucket for several processes", () => {
    const bucket = ["--bucket", "s3://docs/platform", "--bucket-endpoint", "http://storage.example.com"];
    const commandLine = parseCommandLine([...docs, ...database, ...bucket, "--role", "web"], bucketKeys);

    expect(commandLine).toMatchObject({
      options: { role: "web" },
      cluster: {
        databaseUrl: "postgres://u:p@db/docs",
        drainMs: 25_000,
        bucket: {
          bucket: "s3://docs/platform",
          endpoint: "http://storage.example.com",
          region: "us-east-1",
          accessKeyId: "id",
          secretAccessKey: "secret",
          linkLifetimeMs: 3_600_000,
        },
      },
    });
    const withoutKeys = { ...bucketKeys, DOCS_PLATFORM_ASSISTANT_KEY: "" };
    expect(() => parseCommandLine([...docs, ...database, ...bucket], withoutKeys)).toThrow(
      "need the same keys",
    );
    const inEnvironment = { ...bucketKeys, DOCS_PLATFORM_DATABASE_URL: "postgres://db/docs" };
    expect(parseCommandLine([...docs, ...bucket], inEnvironment)).toMatchObject({
      cluster: { databaseUrl: "postgres://db/docs" },
    });
    expect(parseCommandLine(["--migrate"], inEnvironment)).toEqual({
      kind: "migrate",
      databaseUrl: "postgres://db/docs",
    });
  });

  test("rejects agents whose branches would stay on one of several machines", () => {
    const agent = [...docs, ...database, "--bucket", "s3://docs", "--agent-command", "claude -p"];

    expect(() => parseCommandLine(agent, bucketKeys)).toThrow(
      "--agent-command: with --database-url, agents need --github or --push",
    );
    expect(parseCommandLine([...agent, "--push"], bucketKeys)).toMatchObject({ kind: "platform" });
  });

  test.each([
    ["a database without a bucket", database, "--database-url: needs --bucket"],
    ["a bucket without a database", ["--bucket", "s3://docs"], "--bucket: needs --database-url"],
    ["a separate role without a database", ["--role", "worker"], "--role: worker needs --database-url"],
    [
      "links to a bucket for longer than a week",
      [...database, "--bucket", "s3://docs", "--link-minutes", "20000"],
      "--link-minutes: links to a bucket",
    ],
    [
      "prompts that take longer than a queued job may",
      [...database, "--bucket", "s3://docs", "--agent-minutes", "601"],
      "--agent-minutes: with --database-url",
    ],
    ["an unsupported type of bucket", [...database, "--bucket", "gs://docs"], "--bucket: must be like s3://"],
  ])("rejects %s", (_, flags, message) => {
    expect(() => parseCommandLine([...docs, ...flags], bucketKeys)).toThrow(message);
    expect(() => parseCommandLine(["--migrate"], {})).toThrow("--migrate: needs --database-url");
  });

  test("accepts a sites file instead of a folder", () => {
    expect(parseCommandLine(["--sites", "sites.yaml"], {})).toMatchObject({
      sites: { file: "sites.yaml", pollEveryMs: 60_000 },
    });
    expect(parseCommandLine(["--sites", "sites.yaml", "--poll-seconds", "5"], {})).toMatchObject({
      sites: { pollEveryMs: 5000 },
    });
  });

  test.each([
    ["a folder with a sites file", [...docs, "--sites", "s"], "--docs: cannot be combined with --sites"],
    ["a domain with it", ["--sites", "s", "--domain", "a"], "--domain: cannot be combined with --sites"],
    ["a project with it", ["--sites", "s", "--project", "a"], "--project: cannot be combined with --sites"],
    [
      "a domain that no export accepts",
      [...docs, "--domain", "docs_site"],
      "--domain.0: must be a host name",
    ],
  ])("rejects %s", (_, flags, message) => {
    expect(() => parseCommandLine(flags, {})).toThrow(message);
  });

  test.each(["link", "keep", "fetch"])("accepts %s for remote media", (remoteMedia) => {
    const commandLine = parseCommandLine([...docs, "--remote-media", remoteMedia], {});

    expect(commandLine).toMatchObject({ options: { remoteMedia } });
  });

  test.each(["", "\n"])("reads keys without a file's line break, and ignores %j", (empty) => {
    const environment = {
      DOCS_PLATFORM_ADMIN_KEY: "svc_a\n",
      DOCS_PLATFORM_READ_KEY: "svc_r\r\n",
      DOCS_PLATFORM_ASSISTANT_KEY: empty,
    };

    expect(parseCommandLine(docs, environment)).toMatchObject({
      options: { keys: { admin: "svc_a", read: "svc_r" } },
    });
  });

  test("accepts a key file", () => {
    const commandLine = parseCommandLine([...docs, "--keys", "keys.yaml"], {});

    expect(commandLine).toMatchObject({ options: { keysFile: "keys.yaml", keys: {} } });
  });

  test("accepts all options of agents", () => {
    const environment = { GITHUB_TOKEN: "t", GITHUB_API_URL: "https://ghe.example.com/api/v3" };
    const agent = [
      ["--agent-command", "agent --fast"],
      ["--agent-minutes", "1.5"],
      ["--agent-env", "A", "--agent-env", "B"],
      ["--author", "Docs <docs@example.com>"],
      ["--base", "next"],
      ["--github", "octo-org/widgets.js"],
    ].flat();

    const { options } = parseCommandLine([...docs, ...agent], environment) as { options: PlatformOptions };

    expect(options.agent).toEqual({
      command: "agent --fast",
      environment,
      passedVariables: ["A", "B"],
      timeLimitMs: 90_000,
      author: { name: "Docs", email: "docs@example.com" },
      base: "next",
      github: {
        serverUrl: "https://github.com",
        apiUrl: "https://ghe.example.com/api/v3",
        owner: "octo-org",
        repository: "widgets.js",
        token: "t",
      },
    });
  });

  test.each([
    [["--push"], "origin"],
    [["--push", "mirror"], "mirror"],
    [["--push=https://git.example.com/docs.git"], "https://git.example.com/docs.git"],
  ])("pushes branches to a remote: %j", (flags, remote) => {
    const environment = { DOCS_PLATFORM_GIT_TOKEN: "t" };
    const { options } = parseCommandLine([...docs, "--agent-command", "a", ...flags], environment) as {
      options: PlatformOptions;
    };

    expect(options.agent).toMatchObject({ push: { remote, token: "t" } });
  });

  test.each([
    [
      ["--port", "70000", "--plan", "free"],
      /--port: must be at most 65535.*--plan: must be enterprise or pro/,
    ],
    [["--public-url", "ftp://example.com"], /--public-url: must be an http or https URL/],
    [["--agent-command", "a", "--author", "Docs"], /--author: must look like/],
    [["--agent-command", "a", "--github", "widgets"], /--github: must look like owner\/name/],
    [["--agent-command", "a", "--github", "octo-org/widgets"], /--github: needs a token/],
    [["--agent-command", "a", "--github", "octo-org/widgets", "--push"], /--push: cannot be combined/],
    [["--github", "octo-org/widgets"], /--github: needs --agent-command/],
    [["--push"], /--push: needs --agent-command/],
    [["--push", "--role", "web", "--bucket", "s3://docs"], /--push: .*--role: .*--bucket: /],
    [["--bucket-endpoint", "http://storage.example.com"], /--bucket-endpoint: needs --database-url/],
    [["--link-minutes", "soon"], /--link-minutes: must be of type number/],
    [["--link-minutes", "9e15"], /--link-minutes: /],
    [["--agent-command", "a", "--agent-minutes", "36000"], /--agent-minutes: /],
    [["--remote-media", "all"], /--remote-media: must be link or keep or fetch/],
    [["--nonsense"], /--nonsense/],
    [["extra"], /extra/],
  ])("reports the problems of %j", (args, message) => {
    expect(() => parseCommandLine([...docs, ...args], {})).toThrow(message);
  });
});

describe("the command line of a bundle server", () => {
  test.each([[["--serve-bundle", "b.zip"]], [["--serve-bundle=b.zip"]]])(
    "%j needs the bundle only",
    (args) => {
      expect(parseCommandLine(args, {})).toEqual({
        kind: "bundle",
        options: { source: "b.zip", host: "127.0.0.1", port: 4870, dataDir: undefined, pollEveryMs: 30_000 },
      });
    },
  );

  test("accepts a link file and the name of a version", () => {
    const args = ["--serve-bundle", "@/run/bundle/url", "--bundle-version", "2025.10"];

    expect(parseCommandLine(args, {})).toMatchObject({
      options: { source: "@/run/bundle/url", version: "2025.10" },
    });
  });

  test.each([
    [["--serve-bundle", "b.zip", "--port", "99999"], "--port: must be at most 65535"],
    [["--serve-bundle", "b.zip", "--port", "http"], "--port: must be of type number"],
    [["--serve-bundle", "b.zip", "--port", "1.5"], "--port: must be of type integer"],
    [["--serve-bundle", "b.zip", "--poll-seconds", "0"], "--poll-seconds: must be at least 1"],
    [["--serve-bundle", "b.zip", "--docs", "x"], "--docs"],
  ])("reports the problems of %j", (args, message) => {
    expect(() => parseCommandLine(args, {})).toThrow(message);
  });
});
