/**
 * `ringfence grants`: lists, adds and revokes what a person has allowed for good, besides the configuration.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { Failure, failureText } from "../../base/index.ts";
import type { Host } from "../../host/index.ts";
import type { Grant } from "../../calls/index.ts";
import { configFlags, HOST_FLAGS, JSON_FLAG, parseFlags } from "../flags.ts";
import { askHost, openGrantHost, openRootlessHost } from "../open-host.ts";
import { messages, print, printJson, printTable } from "../print.ts";
import { EXIT, UsageError, type ExitCode } from "../usage-error.ts";
import { wholeId, type KnownId } from "../whole-id.ts";

const FLAGS: ArgsDef = { ...HOST_FLAGS, ...JSON_FLAG };

export const grantsCommand: CommandDef = defineCommand({
  meta: { name: "grants", description: "List, add or revoke what was allowed for good." },
  args: FLAGS,
  async run({ rawArgs }): Promise<ExitCode> {
    const typed = parseFlags(rawArgs, FLAGS, Infinity);
    const [action = "list", ...given] = typed.positionals;
    const raw = configFlags(typed);
    if (action === "list" && given.length === 0) return await list(raw, typed.has("json"));
    if ((action !== "add" && action !== "revoke") || given.length === 0)
      throw new UsageError("grants takes list, add RULE or revoke ID");
    using host = action === "add" ? await openGrantHost(raw) : await openRootlessHost(raw);
    let code: ExitCode = EXIT.ok;
    for (const begun of given) {
      try {
        const one = action === "add" ? begun : await wholeId(begun, () => grantsIn(host));
        const answer =
          action === "add"
            ? await askHost(host, "ringfence/grants/add", { rule: one, remember: true })
            : await askHost(host, "ringfence/grants/revoke", { id: one });
        print(
          typed.has("json") ? JSON.stringify(answer) : "grant" in answer ? granted(answer.grant) : `Revoked: ${one}`,
        );
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        messages().error(failureText(thrown.data));
        code = EXIT.failed;
      }
    }
    return code;
  },
});

async function grantsIn(host: Host): Promise<KnownId[]> {
  const { grants } = await askHost(host, "ringfence/grants/list", {});
  return grants.map(({ id, rule }) => ({ id, what: rule }));
}

function granted({ id, rule, roots }: Grant): string {
  return `Granted: ${rule} (${id}), to hosts with exactly these roots: ${roots.join(", ")}`;
}

async function list(raw: ReturnType<typeof configFlags>, json: boolean): Promise<ExitCode> {
  using host = await openRootlessHost(raw);
  const { grants } = await askHost(host, "ringfence/grants/list", {});
  if (json) printJson(grants, 2);
  else if (grants.length === 0) messages().info(`Nothing was granted in ${host.config.stateDir}.`);
  else
    printTable([
      ["ID", "SINCE", "RULE", "ROOTS"],
      ...grants.map(({ id, at, rule, roots }) => [id, at, rule, roots.join(", ")]),
    ]);
  return EXIT.ok;
}
