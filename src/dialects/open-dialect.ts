/**
 * A dialect over the tools of one host: what is listed, and one call there and back. A row is offered when this host has
 * the tool under it; tools that are not ours (declared commands, a consumer's own) have no other name than theirs and are
 * listed behind the rows.
 */
import { Failure, isObject } from "../base/index.ts";
import { describeTool, type Tool, type ToolListOptions, type Registry } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { ChangeManner } from "../txn/index.ts";
import { builtinTools, commandTools } from "../packs/index.ts";
import { compileRow, listRow, type CompiledRow } from "./compile-row.ts";
import type { DialectTable, ForeignDialect, Parameter, Row, TableRow } from "./dialect-table.ts";
import { createTranslate, translateOutcome, type AnswerFacts } from "./translate-answer.ts";

/** A call in our names, and the way back for its answer. */
export interface Spoken {
  readonly name: string;
  readonly arguments: unknown;
  /** Why the arguments cannot be read. */
  readonly problem?: Failure;
  /** How many arguments were repaired. */
  readonly repaired?: number;
  /** True when the call is only to be planned. */
  readonly isDryRun: boolean;
  readonly manner?: ChangeManner | undefined;
  readonly answer: (outcome: Outcome, facts: AnswerFacts) => Outcome;
}

export interface Dialect {
  readonly about: string;
  /** The rows of tools that this host offers, in the order of the table. */
  readonly rows: readonly CompiledRow[];
  /** Every name that is offered. */
  readonly names: readonly string[];
  /** The tools in the form of `tools/list`. */
  list(options: ToolListOptions): readonly Readonly<Record<string, unknown>>[];
  /**
   * `undefined` for a tool that is not ours. Ours are taken by their own names only where the call is asked about and not
   * made. @param isPartial it is asked about, and some arguments may be missing
   */
  translate(name: string, given: unknown, isPartial?: boolean): Spoken | undefined;
  /** The names that the dialect lists for a tool of ours, which is called by another; `undefined` for any other name. */
  unlisted(name: string): readonly string[] | undefined;
  /** Our tool under a row that is not offered, because this host does not have the tool. */
  missing(name: string): string | undefined;
  /** The name for a tool of ours; `undefined` where the dialect lists none. */
  nameOf(tool: string): string | undefined;
}

const TABLES: Readonly<Record<ForeignDialect, () => Promise<DialectTable>>> = {
  claude: async () => (await import("./tables/claude.ts")).claude,
  codex: async () => (await import("./tables/codex.ts")).codex,
  gemini: async () => (await import("./tables/gemini.ts")).gemini,
  filesystem: async () => (await import("./tables/filesystem.ts")).filesystem,
  flynn: async () => (await import("./tables/flynn.ts")).flynn,
  "flynn-plain": async () => (await import("./tables/flynn.ts")).flynn,
  construct: async () => (await import("./tables/construct.ts")).construct,
  "construct-operator": async () => (await import("./tables/construct.ts")).constructOperator,
  clarvis: async () => (await import("./tables/clarvis.ts")).clarvis,
};

/** What this host's configuration says in the place of a table: the time of a command line that names none. */
export interface DialectSettings {
  readonly usual_timeout_ms?: number | undefined;
}

export async function openDialect(
  name: ForeignDialect,
  registry: Pick<Registry, "get" | "list">,
  settings: DialectSettings = {},
): Promise<Dialect> {
  const { about, tools, form, isWhole = false } = await TABLES[name]();
  const isDotted = name !== "flynn-plain" && Object.keys(tools).some((called) => called.includes("."));
  const renamed = isDotted ? dottedTools(registry) : new Map<string, Tool>();
  const all = Object.entries(tools).map(([called, given]) =>
    wholeRow(name === "flynn-plain" ? called.replaceAll(".", "_") : called, given, settings),
  );
  const rows = all.flatMap((row) => {
    const tool = registry.get(row.tool);
    if (tool?.owner?.ruledAs) renamed.set(row.name, tool);
    return (tool && !tool.local && compileRow(row, tool, form)) || [];
  });
  const byName = new Map(rows.map((compiled) => [compiled.row.name, compiled]));
  const byAnyName = new Map([...rows.flatMap(otherNames), ...byName]);
  // Asked each time: a client's own tools come later.
  const listed = new Set([...rows.map(({ tool }) => tool), ...renamed.values()].map((tool) => tool.name));
  const isOurs = (one: string): boolean => OURS.has(one) && (isWhole || one !== BEHIND);
  const others = () => registry.list().filter(({ name: one }) => !isOurs(one) && !byName.has(one) && !listed.has(one));
  const translate = createTranslate(
    rows,
    [...OURS].filter((one) => isOurs(one) && !listed.has(one)),
  );
  return {
    about,
    rows,
    get names() {
      return [...byName.keys(), ...renamed.keys(), ...others().map((tool) => tool.name)];
    },
    missing: (called) =>
      byName.has(called) || renamed.has(called) ? undefined : all.find((row) => row.name === called)?.tool,
    nameOf: (tool) =>
      rows.find((compiled) => compiled.tool.name === tool)?.row.name ??
      [...renamed].find(([, { name: own }]) => own === tool)?.[0],
    unlisted(called) {
      const tool = byAnyName.has(called) ? undefined : registry.get(called);
      if (!tool || !isOurs(tool.name)) return undefined;
      return rows.filter((compiled) => compiled.tool === tool).map(({ row }) => row.name);
    },
    list: (options) => [
      ...rows.map((compiled) => listRow(compiled, options)),
      ...[...renamed].map(([called, tool]) => ({ ...describeTool(tool, options), name: called })),
      ...others().map((tool: Tool) => describeTool(tool, options)),
    ],
    translate(called, given, isPartial) {
      const other = renamed.get(called);
      // Its arguments have the names that the configuration gives them.
      if (other) return { name: other.name, arguments: given, isDryRun: false, answer: (outcome) => outcome };
      const row = byAnyName.get(called);
      const compiled = row ?? bareRow(registry.get(called));
      if (!compiled) return undefined;
      return row ? speakRow(compiled, given, isPartial, translate) : speakBare(compiled, given, translate);
    },
  };
}

type Translate = ReturnType<typeof createTranslate>;

/** @param isPartial some arguments may be missing */
function speakRow(compiled: CompiledRow, given: unknown, isPartial: boolean | undefined, translate: Translate): Spoken {
  const { dryRun, manner } = compiled.row;
  const { name } = compiled.tool;
  try {
    const read = compiled.toOurs(given, isPartial);
    const { input, said, repaired } = read;
    const isDryRun = dryRun !== undefined && said[dryRun] === true;
    const answer: Spoken["answer"] = (outcome, facts) =>
      translateOutcome(outcome, { compiled, given: compiled.inTheirNames(read), ...facts }, translate);
    return { name, arguments: input, repaired, isDryRun, manner, answer };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { ...speakBare(compiled, given, translate), problem: thrown };
  }
}

/** The arguments as they came. */
function speakBare(compiled: CompiledRow, given: unknown, translate: Translate): Spoken {
  const answer: Spoken["answer"] = (outcome, facts) =>
    translateOutcome(outcome, { compiled, given: isObject(given) ? given : {}, ...facts }, translate);
  return { name: compiled.tool.name, arguments: given, isDryRun: false, answer };
}

function otherNames(compiled: CompiledRow): [name: string, compiled: CompiledRow][] {
  return (compiled.row.also ?? []).map((name) => [name, compiled]);
}

/** Tools of other servers that the configuration gives a name of the dialect, which may be in no row of it. */
function dottedTools(registry: Pick<Registry, "list">): Map<string, Tool> {
  return new Map(
    registry.list().flatMap((tool): [string, Tool][] => {
      const dotted = tool.owner?.ruledAs && tool.aliases?.find((alias) => alias.includes("."));
      return dotted === undefined ? [] : [[dotted, tool]];
    }),
  );
}

/** A row for a tool under its own name, whose answer names other tools. */
function bareRow(tool: Tool | undefined): CompiledRow | undefined {
  if (!tool || tool.local) return undefined;
  return compileRow({ name: tool.name, tool: tool.name, description: "", parameters: {} }, tool);
}

/** Our tool that stands behind the rows under its own name: no other program has it, and answers name it. */
const BEHIND = "await_review";

/** The tools that a table speaks of or leaves out, with everything that could be enabled. */
const OURS: ReadonlySet<string> = new Set(
  [...builtinTools, ...commandTools({ any: { description: "", program: "" } }, true)]
    .filter(({ command }) => command === undefined)
    .map(({ name }) => name),
);

function wholeRow(
  name: string,
  { parameters = {}, preset, ...row }: TableRow,
  { usual_timeout_ms: usual }: DialectSettings,
): Row {
  const whole = Object.entries(parameters).map(([key, given]): [string, Parameter] => [
    key,
    typeof given === "string" ? { to: key, description: given } : given,
  ]);
  const { tool = name } = row;
  // What is fetched or loaded has a time of its own.
  const isTimed = usual !== undefined && tool === "shell" && preset !== undefined && "timeout_ms" in preset;
  const presets = isTimed ? { preset: { ...preset, timeout_ms: usual } } : preset ? { preset } : {};
  return { tool: name, ...row, ...presets, name, parameters: Object.fromEntries(whole) };
}
