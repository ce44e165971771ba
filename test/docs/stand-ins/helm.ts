/**
 * The real Helm, whose path is in `HELM`, where it needs no cluster: `helm upgrade` ends where Helm would connect to one, and its chart
 * and values are rendered instead. `helm push` only checks what it is given.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { check } from "./check.ts";

const helm = process.env["HELM"] ?? "";
const args = process.argv.slice(2);
const [command, name = "", chart = "", ...flags] = args;

if (command === "upgrade") {
  const upgrade = spawnSync(helm, args, {
    encoding: "utf8",
    env: { ...process.env, KUBECONFIG: "/dev/null" },
  });
  check(/cluster unreachable/i.test(upgrade.stderr), `Helm ended before it would connect: ${upgrade.stderr}`);
  const ofUpgrade = ["--install", "--wait", "--timeout"];
  const kept = flags.filter((flag, at) => !ofUpgrade.includes(flag) && flags[at - 1] !== "--timeout");
  const rendered = spawnSync(helm, ["template", name, chart, ...kept], { encoding: "utf8" });
  check(rendered.status === 0, rendered.stderr);
  process.stdout.write(rendered.stdout);
} else if (command === "push") {
  check(args.length === 3 && existsSync(name), "no such archive");
  check(/^oci:\/\/[\w.-]+\/[\w/-]+$/.test(chart), "no registry");
} else process.exit(spawnSync(helm, args, { stdio: "inherit" }).status ?? 1);
