/**
 * `ringfence tools`: what a client of a host with this configuration would see, and with `--all` also what it would not
 * see and why.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { loadConfig, type Config } from "../config/index.ts";
import { createRegistry, describeTool } from "../contract/index.ts";
import type { DialectName } from "../dialects/index.ts";
import { listOptionsOf, offeredTools, type OfferedTool } from "../host/index.ts";
import { COMMAND_DEFAULTS, configFlags, HOST_FLAGS, parseFlags } from "./flags.ts";
import { print, printTable } from "./print.ts";
import { EXIT, type ExitCode } from "./usage-error.ts";

const FLAGS: ArgsDef = {
  ...HOST_FLAGS,
  all: { type: "boolean", description: "Also the tools that are not offered, and why." },
  json: { type: "boolean", description: "Print the definitions as clients get them." },
};

export const toolsCommand: CommandDef = defineCommand({
  meta: { name: "tools", description: "List the tools that this configuration offers." },
  args: FLAGS,
  async run({ rawArgs }): Promise<ExitCode> {
    const typed = parseFlags(rawArgs, FLAGS);
    const { config } = await loadConfig(configFlags(typed), COMMAND_DEFAULTS, false);
    const all = await offeredTools(config);
    const shown = typed.has("all") ? all : all.filter(({ hidden }) => hidden === undefined);
    const { dialect } = config;
    if (dialect !== "ringfence") await printDialect(dialect, shown, config, typed.has("json"));
    else if (typed.has("json")) printJson(shown.map((one) => definitionOf(one, config)));
    else printTools(shown, typed.has("all"));
    return EXIT.ok;
  },
});

function definitionOf({ tool, hidden }: OfferedTool, config: Config): object {
  const definition = describeTool(tool, listOptionsOf(config));
  return hidden === undefined ? definition : { ...definition, hidden };
}

function printTools(shown: readonly OfferedTool[], all: boolean): void {
  const rows = shown.map(({ tool, hidden }) => {
    const { name, effect, aliases = [], title } = tool;
    return [name, effect, ...(all ? [hidden ?? ""] : []), aliases.join(" "), title];
  });
  printTable([["TOOL", "EFFECT", ...(all ? ["NOT OFFERED"] : []), "ALSO", "WHAT IT IS FOR"], ...rows]);
}

async function printDialect(
  name: Exclude<DialectName, "ringfence">,
  shown: readonly OfferedTool[],
  config: Config,
  asJson: boolean,
): Promise<void> {
  const { openDialect } = await import("../dialects/index.ts");
  const dialect = await openDialect(name, createRegistry(shown.map(({ tool }) => tool)));
  if (asJson) {
    printJson(dialect.list(listOptionsOf(config)));
    return;
  }
  printTable([
    ["TOOL", "EFFECT", "OURS", "PARAMETERS"],
    ...dialect.rows.map(({ row, tool, listed }) => [
      row.name,
      tool.effect,
      tool.name,
      Object.keys(listed.shape).join(" "),
    ]),
  ]);
}

function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}
