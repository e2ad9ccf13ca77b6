/**
 * `ringfence explain TOOL key=value ...`: what would be decided about a call, by which rule, and what would change it.
 * Nothing runs.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import type { Explanation } from "../../calls/index.ts";
import { RpcError } from "../../wire/index.ts";
import { configFlags, HOST_FLAGS, parseFlags } from "../flags.ts";
import { askHost, openHost } from "../open-host.ts";
import { printJson, printText } from "../print.ts";
import { ARGUMENT_FLAG, readArguments } from "../read-arguments.ts";
import { EXIT, UsageError, type ExitCode } from "../usage-error.ts";

const FLAGS: ArgsDef = {
  ...HOST_FLAGS,
  json: ARGUMENT_FLAG,
  raw: { type: "boolean", description: "Print JSON." },
};

export const explainCommand: CommandDef = defineCommand({
  meta: { name: "explain", description: "Say what would be decided about a call, and why." },
  args: FLAGS,
  async run({ rawArgs }): Promise<ExitCode> {
    const typed = parseFlags(rawArgs, FLAGS, Infinity);
    const [name, ...pairs] = typed.positionals;
    if (name === undefined) throw new UsageError("name the tool whose call is to be explained");
    using host = await openHost(configFlags(typed));
    const given = await readArguments(typed.one("json"), pairs);
    try {
      const answer = await askHost(host, "ringfence/policy/explain", { name, arguments: given });
      if (typed.has("raw")) printJson(answer, 2);
      else printText(describe(answer));
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
      throw new UsageError(thrown.message);
    }
    return EXIT.ok;
  },
});

function describe({ tool, mode, decision, change, missing = [], asked_before: before = [] }: Explanation): string {
  return [
    `${decision.type}: ${tool}, ${decision.reason}`,
    `risk: ${decision.risk}`,
    `rule: ${decision.rule} (${decision.source})`,
    `mode: ${mode}`,
    `what would change it: ${change}`,
    ...missing.map(
      ({ name, could_change: could }) =>
        `not given: ${name}, which ${could ? "could change" : "does not change"} the decision`,
    ),
    ...before.map((program) => `when it is made, ${program} may still ask or deny`),
  ].join("\n");
}
