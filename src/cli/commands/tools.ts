/**
 * `ringfence tools`: what a client of a host with this configuration would see, and with `--all` also what it would not
 * see and why.
 */
import type { Config } from "../../config/index.ts";
import { createRegistry, describeTool, type Tool } from "../../contract/index.ts";
import type { DialectName } from "../../dialects/index.ts";
import { listOptionsOf, offeredTools, type OfferedTool } from "../../host/index.ts";
import { toolFacts } from "../../session/index.ts";
import { configFlags, EXIT, HOST_FLAGS, LIST_FLAGS, type CliCommand } from "../command.ts";
import { configWithRoots } from "../open-host.ts";
import { messages, print, printTable } from "../print.ts";

export const toolsCommand: CliCommand = {
  about: "List the tools that this configuration offers.",
  flags: {
    ...HOST_FLAGS,
    ...LIST_FLAGS,
    all: { about: "Also the tools that are not offered, and why." },
    json: { about: "Print the definitions as clients get them." },
  },
  examples: ["ringfence tools", "ringfence tools --all --profile minimal", "ringfence tools --json"],
  async run(typed) {
    const config = await configWithRoots(configFlags(typed));
    const all = await offeredTools(config);
    const shown = typed.has("all") ? all : all.filter(({ hidden }) => hidden === undefined);
    const named = config.dialect === "ringfence" ? inOurNames(shown) : await inDialect(config.dialect, shown);
    if (typed.has("json")) {
      const listed = named.map(({ define, hidden }) => ({ ...define(config), ...(hidden ? { hidden } : {}) }));
      print(JSON.stringify(listed, null, 2));
    } else
      printTools(named, {
        all: typed.has("all"),
        isDialect: config.dialect !== "ringfence",
        isWide: typed.has("wide"),
      });
    return EXIT.ok;
  },
};

/** A tool as this configuration names it. */
interface NamedTool extends OfferedTool {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly define: (config: Config) => object;
}

function inOurNames(shown: readonly OfferedTool[]): NamedTool[] {
  return shown.map((one) => ({
    ...one,
    name: toolFacts(one.tool).name,
    parameters: [],
    define: (config) => describeTool(one.tool, listOptionsOf(config)),
  }));
}

/** The rows of the dialect, and behind them the tools that it leaves under their own names. */
async function inDialect(name: Exclude<DialectName, "ringfence">, shown: readonly OfferedTool[]): Promise<NamedTool[]> {
  const { openDialect } = await import("../../dialects/index.ts");
  const dialect = await openDialect(name, createRegistry(shown.map(({ tool }) => tool)));
  const byTool = new Map(shown.map((one) => [one.tool, one]));
  const rows = dialect.rows.map((compiled): NamedTool => {
    const { row, tool, listed } = compiled;
    return {
      tool,
      hidden: byTool.get(tool)?.hidden,
      name: row.name,
      parameters: Object.keys(listed.shape),
      define: (config) => dialect.list(listOptionsOf(config))[dialect.rows.indexOf(compiled)] ?? {},
    };
  });
  const others = new Set(dialect.names.slice(rows.length));
  return [...rows, ...inOurNames(shown).filter((one) => others.has(one.name))];
}

interface Shown {
  readonly all: boolean;
  readonly isDialect: boolean;
  readonly isWide: boolean;
}

function printTools(named: readonly NamedTool[], { all, isDialect, isWide }: Shown): void {
  const rows = named.map(({ tool, name, hidden, parameters }) => {
    const { title, aliases } = wordsOf(tool);
    const { name: ours, effect } = toolFacts(tool);
    const about = isDialect ? [ours, parameters.join(" ")] : [aliases.join(" "), title];
    return [name, effect, ...(all ? [hidden ?? ""] : []), ...about];
  });
  const heads = isDialect ? ["OURS", "PARAMETERS"] : ["ALSO", "WHAT IT IS FOR"];
  printTable([["TOOL", "EFFECT", ...(all ? ["NOT OFFERED"] : []), ...heads], ...rows], isWide);
  if (!all) return;
  for (const { tool, name } of named)
    if (tool.completed?.length) messages().warn(`${name}: ${tool.completed.join("; ")}`);
}

function wordsOf({ name, title, summary, aliases = [] }: Tool): { title: string; aliases: readonly string[] } {
  return { title: title === name ? summary : title, aliases };
}
