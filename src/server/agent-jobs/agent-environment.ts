import { InputError } from "../../base/errors.ts";

/** What programs need to find their files, the network and the terminal's language; none of these is a secret of ours. */
const passedOn =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|TEMP|TMP|XDG_\w+_(?:HOME|DIRS|DIR)|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:https?|no|all)_proxy|SystemRoot|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;

/** Where our own keys and tokens stand: they are never given to an agent, also not by name. */
const ours = /^(?:DOCS_PLATFORM_\w+|INPUT_.*|ACTIONS_\w+|GITHUB_TOKEN|GH_TOKEN)$/i;

/** `DOCS_AGENT_ENV_NAME` reaches agents as `NAME`: the way for a workflow, which has no command line. */
const forAgents = /^DOCS_AGENT_ENV_(?<name>\w+)$/;

/**
 * The environment of an agent command: an allow-list, and the variables that the operator named.
 *
 * @throws {InputError} when one of the names is kept from agents.
 */
export function createAgentEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const asked = forAgents.exec(name)?.groups?.["name"] ?? (names.includes(name) ? name : undefined);
    if (asked !== undefined) requireForeign(asked);
    if (value === undefined) continue;
    if (asked !== undefined) passed[asked] = value;
    else if (passedOn.test(name)) passed[name] ??= value;
  }
  return passed;
}

function requireForeign(name: string): void {
  if (!ours.test(name)) return;
  throw new InputError([`agent-env: ${name} belongs to the platform and is kept from agents`]);
}
