/**
 * `ringfence tools`: what a client would see.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { DIALECTS, oneOf } from "../config/index.ts";
import { createRegistry, describeTool, type ListOptions } from "../contract/index.ts";
import type { DialectName } from "../dialects/index.ts";
import { builtinTools, commandTools } from "../tools/index.ts";
import { parseFlags } from "./flags.ts";
import { print, printTable } from "./print.ts";
import { EXIT, type ExitCode } from "./usage-error.ts";

const FLAGS: ArgsDef = {
  dialect: {
    type: "string",
    description: "As a host with this dialect presents them, where a shell is enabled too.",
    valueHint: "NAME",
  },
  json: { type: "boolean", description: "Print the definitions as clients get them." },
};

const OPTIONS: ListOptions = { structured: true, showsAtOnce: false };

export const toolsCommand: CommandDef = defineCommand({
  meta: { name: "tools", description: "List the tools." },
  args: FLAGS,
  async run({ rawArgs }): Promise<ExitCode> {
    const typed = parseFlags(rawArgs, FLAGS);
    const dialect = oneOf("--dialect", typed.one("dialect") ?? "ringfence", DIALECTS);
    if (dialect !== "ringfence") return await printDialect(dialect, typed.has("json"));
    if (typed.has("json")) printJson(builtinTools.map((tool) => describeTool(tool, OPTIONS)));
    else
      printTable([
        ["TOOL", "EFFECT", "ALSO", "WHAT IT IS FOR"],
        ...builtinTools.map((tool) => [tool.name, tool.effect, (tool.aliases ?? []).join(" "), tool.title]),
      ]);
    return EXIT.ok;
  },
});

async function printDialect(name: Exclude<DialectName, "ringfence">, asJson: boolean): Promise<ExitCode> {
  const { openDialect } = await import("../dialects/index.ts");
  const dialect = await openDialect(name, createRegistry([...builtinTools, ...commandTools({}, true)]));
  if (asJson) printJson(dialect.list(OPTIONS));
  else
    printTable([
      ["TOOL", "EFFECT", "OURS", "PARAMETERS"],
      ...dialect.rows.map(({ row, tool, listed }) => [
        row.name,
        tool.effect,
        tool.name,
        Object.keys(listed.shape).join(" "),
      ]),
    ]);
  return EXIT.ok;
}

function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}
