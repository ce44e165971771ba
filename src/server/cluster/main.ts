/** The command line with Postgres, object storage and sites from git repositories, which `dist` does without: what the image runs. */
import process from "node:process";
import { hideEnvironment } from "../../base/hidden-environment.ts";

// As with `dist/cli.js`, the first word names the command; this program has one.
const args = process.argv.slice(2);
const hasAgent = args.some((argument) => /^--agent-command(=|$)/.test(argument));
hideEnvironment(process.env, hasAgent);
// Loaded late, so that a clone without packages says what is missing.
const cluster = await import("./run-cluster.ts").catch((error: NodeJS.ErrnoException) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND" || !/^Cannot find package/.test(error.message)) throw error;
  process.stderr.write(
    `${error.message}.\nInstall the packages first: \`npm ci --omit=dev\`, in the clone.\n`,
  );
  process.exitCode = 1;
});
await cluster?.runCluster(args[0] === "platform" ? args.slice(1) : args);
