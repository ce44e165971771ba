/** Entry of the server with Postgres, object storage and sites from git, which `dist` does not contain. The container image runs it. */
import process from "node:process";
import { hideEnvironment } from "../../base/hidden-environment.ts";

// As with `dist/cli.js`, the first argument is the command; here it can only be `platform`.
const args = process.argv.slice(2);
const hasAgent = args.some((argument) => /^--agent-command(=|$)/.test(argument));
hideEnvironment(process.env, hasAgent);
// Loaded dynamically, to report missing packages in a clone without `npm ci`.
const cluster = await import("./run-cluster.ts").catch((error: NodeJS.ErrnoException) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND" || !/^Cannot find package/.test(error.message)) throw error;
  process.stderr.write(
    `${error.message}.\nInstall the packages first: \`npm ci --omit=dev\`, in the clone.\n`,
  );
  process.exitCode = 1;
});
await cluster?.runCluster(args[0] === "platform" ? args.slice(1) : args);
