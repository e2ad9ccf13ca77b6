/**
 * The tools that start programs: one for each declared command, one for all of them by name, and the background ones. They
 * are there only where something is declared.
 */
import * as z from "zod";
import { limits } from "../../base/index.ts";
import { defineTool, type CommandDeclaration, type CommandDeclarations, type RunTool } from "../../contract/index.ts";
import { commandToolName, inputOf, pathsOf, stdinField, timeoutField, valuesField, valuesOf } from "./command-input.ts";
import { processTools } from "./process-tools.ts";
import { shellTool } from "./shell.ts";
import { runResult, showRun } from "./show-run.ts";

/** A call is answered a while after its command must have ended. */
export const RUN_CALL_MS: number = limits.MAX_COMMAND_MS + 60_000;

/**
 * In the order of `tools/list`.
 * @param hasShell whether the configuration enables it
 * @param programs those that may be started without a shell where there is none
 */
export function commandTools(
  declarations: CommandDeclarations,
  hasShell: boolean,
  programs: readonly string[] = [],
): readonly RunTool[] {
  const names = Object.keys(declarations);
  if (names.length === 0 && !hasShell && programs.length === 0) return [];
  return [
    ...(names.length === 0 ? [] : [runCommand(declarations)]),
    ...Object.entries(declarations).map(([name, declaration]) => commandTool(name, declaration)),
    ...(hasShell ? [shellTool] : []),
    ...processTools(declarations, hasShell, programs),
  ];
}

function commandTool(name: string, declaration: CommandDeclaration): RunTool {
  const { description, risk = "R3", changes = true } = declaration;
  return defineTool({
    name: commandToolName(name),
    command: name,
    title: name.replaceAll("_", " "),
    summary: `${description} Runs ${declaration.program}${changes ? "" : "; changes no files"}.`,
    effect: "run",
    aliases: spaceAliases(name, declaration),
    timeoutMs: RUN_CALL_MS,
    input: inputOf(declaration),
    output: runResult,
    access: (input) => pathsOf(declaration, valuesOf(declaration, input)),
    starts: (input) => ({ request: requestOf(name, declaration, input), risk, as: commandToolName(name) }),
    run: async (input, ctx) => showRun(await ctx.commands.run(requestOf(name, declaration, input))),
  });
}

/** Aliases of a command that lies in a folder: `space:<folder>:<name>`. */
function spaceAliases(name: string, { source }: CommandDeclaration): readonly string[] {
  const folder = source?.split(/[/\\]/).at(-2);
  return folder === undefined ? [] : [`space:${folder}:${name}`];
}

function requestOf(name: string, declaration: CommandDeclaration, input: Readonly<Record<string, unknown>>) {
  const { stdin, timeout_ms } = input;
  const own = declaration.parameters ?? {};
  return {
    kind: "command" as const,
    name,
    input: valuesOf(declaration, input),
    ...(typeof stdin === "string" && !Object.hasOwn(own, "stdin") ? { stdin } : {}),
    ...(typeof timeout_ms === "number" && !Object.hasOwn(own, "timeout_ms") ? { timeout_ms } : {}),
  };
}

function runCommand(declarations: CommandDeclarations): RunTool {
  const names = Object.keys(declarations);
  const described = Object.entries(declarations).map(([name, { description }]) => `${name}: ${description}`);
  return defineTool({
    name: "run_command",
    title: "Run a command",
    summary:
      "Runs one of the declared commands and returns how it ended and its output. No shell: the program and its fixed " +
      `arguments are declared, the arguments here are typed values. ${described.join(" ")}`.slice(0, 1500),
    effect: "run",
    timeoutMs: RUN_CALL_MS,
    input: () =>
      z.strictObject({
        command: z.enum(names as [string, ...string[]]).describe("Which one."),
        arguments: valuesField("The parameters of the command by name, as in the tool cmd_<command>."),
        stdin: stdinField(),
        timeout_ms: timeoutField(),
      }),
    output: runResult,
    access: ({ command, arguments: values }) => {
      const declaration = declarations[command];
      return declaration ? pathsOf(declaration, values ?? {}) : [];
    },
    starts: (input) => ({
      request: byName(input),
      risk: declarations[input.command]?.risk ?? "R3",
      as: commandToolName(input.command),
    }),
    run: async (input, ctx) => showRun(await ctx.commands.run(byName(input))),
  });
}

interface ByName {
  readonly command: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly stdin?: string | undefined;
  readonly timeout_ms?: number | undefined;
}

function byName({ command, arguments: values, stdin, timeout_ms }: ByName) {
  return { kind: "command" as const, name: command, input: values ?? {}, stdin, timeout_ms };
}

/** The tools that the configuration has not turned on, by each of their names, and what would do it. They are in no list. */
export function turnedOff(
  declarations: CommandDeclarations,
  shell: ShellConfig | undefined,
): Readonly<Record<string, string>> {
  const byShell = `It is there with "shell": {"enabled": true} in the configuration.`;
  const byCommand = `It is there with a program under "commands" in the configuration.`;
  const off = shell?.enabled ? [] : namesOf(shellTool).map((name) => [name, byShell] as const);
  const hasCommands = Object.keys(declarations).length > 0;
  const without = hasCommands ? [] : [runCommand({}), ...(shell ? [] : processTools({}, false, []))];
  return Object.fromEntries([...off, ...without.flatMap(namesOf).map((name) => [name, byCommand] as const)]);
}

interface ShellConfig {
  readonly enabled: boolean;
}

function namesOf({ name, aliases = [] }: Pick<RunTool, "name" | "aliases">): readonly string[] {
  return [name, ...aliases];
}
