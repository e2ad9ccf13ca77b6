/**
 * `ringfence tools`: what a client would see.
 */
import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { describeTool } from "../contract/index.ts";
import { builtinTools } from "../tools/index.ts";
import { parseFlags } from "./flags.ts";
import { print, printTable } from "./print.ts";
import { EXIT, type ExitCode } from "./usage-error.ts";

const FLAGS: ArgsDef = {
  json: { type: "boolean", description: "Print the definitions as clients get them." },
};

export const toolsCommand: CommandDef = defineCommand({
  meta: { name: "tools", description: "List the tools." },
  args: FLAGS,
  run({ rawArgs }): ExitCode {
    if (parseFlags(rawArgs, FLAGS).has("json"))
      print(
        JSON.stringify(
          builtinTools.map((tool) => describeTool(tool, { structured: true, showsAtOnce: false })),
          null,
          2,
        ),
      );
    else
      printTable([
        ["TOOL", "EFFECT", "ALSO", "WHAT IT IS FOR"],
        ...builtinTools.map((tool) => [tool.name, tool.effect, (tool.aliases ?? []).join(" "), tool.title]),
      ]);
    return EXIT.ok;
  },
});
