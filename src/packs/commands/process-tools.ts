/**
 * Programs that go on beside the calls: started like any command, looked at, waited for, stopped. They end with the host.
 */
import * as z from "zod";
import { Failure, limits } from "../../base/index.ts";
import { defineTool, type CommandDeclarations, type ProcessState, type RunTool } from "../../contract/index.ts";
import { count, formatBytes } from "../../text/index.ts";
import { commandToolName, pathsOf, stdinField, valuesField } from "./command-input.ts";
import { shellTool } from "./shell.ts";
import { codeOf, processResult, showProcess } from "./show-run.ts";

const WAIT_CALL_MS = 660_000;
const MAX_WAIT_MS = 600_000;

/** Which program: by the id that process_start gave, or by its number. */
const processFields = () => ({
  id: z.string().optional().describe("The id that process_start gave."),
  pid: z.number().int().min(1).optional().describe("Or its process id."),
});

/**
 * @param hasShell whether a command line can be started too, and any program
 * @param programs those that can be started where there is no shell
 */
export function processTools(
  declarations: CommandDeclarations,
  hasShell: boolean,
  programs: readonly string[],
): readonly RunTool[] {
  return [processStart(declarations, hasShell, programs), processOutput, processList, processStop];
}

function processStart(declarations: CommandDeclarations, hasShell: boolean, programs: readonly string[]): RunTool {
  return defineTool({
    name: "process_start",
    title: "Start in the background",
    summary:
      "Starts a program and returns without waiting for its end, or when it is ready. process_output reads what it says, " +
      `process_stop ends it; it ends with the host. At most ${limits.MAX_PROCESSES} at once. What is not allowed to run at once ` +
      "waits for approval: the answer says so.",
    effect: "run",
    timeoutMs: WAIT_CALL_MS,
    input: () =>
      z.strictObject({
        ...whatToStart(Object.keys(declarations), hasShell, programs),
        cwd: z.string().optional().describe("A directory in a root."),
        stdin: stdinField(),
        ready_when: z
          .strictObject({
            text: z.string().min(1).optional().describe("This text in its output."),
            pattern: z.string().min(1).optional().describe("A line of its output that has this regular expression."),
            port: z.number().int().min(1).max(65_535).optional().describe("A port that accepts connections."),
            timeout_ms: z.number().int().min(1).max(MAX_WAIT_MS).optional().describe("Default 10000."),
          })
          .optional()
          .describe("Wait until it is ready."),
      }),
    output: processResult,
    access: (input) => {
      const { command, arguments: values } = input as StartInput;
      const declaration = command === undefined ? undefined : declarations[command];
      return declaration ? pathsOf(declaration, values ?? {}) : [];
    },
    starts: (input) => {
      const request = requestOf(input as StartInput);
      const isDeclared = request.kind === "command";
      return {
        request,
        risk: (isDeclared ? declarations[request.name]?.risk : undefined) ?? "R3",
        as: isDeclared ? commandToolName(request.name) : shellTool.name,
        isBackground: true,
      };
    },
    run: async (input, ctx) => {
      const { ready_when } = input as StartInput;
      return showProcess(await ctx.commands.start({ ...requestOf(input as StartInput), ready_when }));
    },
  });
}

/** Only what this host can start is a parameter. */
function whatToStart(names: readonly string[], hasShell: boolean, programs: readonly string[]): z.ZodRawShape {
  const program = hasShell ? z.string().min(1) : z.enum(programs as [string, ...string[]]);
  return {
    ...(names.length === 0
      ? {}
      : {
          command: z
            .enum(names as [string, ...string[]])
            .optional()
            .describe("Which declared command."),
          arguments: valuesField("The parameters of the command, by name."),
        }),
    ...(hasShell
      ? { shell: z.string().min(1).optional().describe("Or a bash command line, as for the tool shell.") }
      : {}),
    ...(hasShell || programs.length > 0
      ? {
          program: program.optional().describe("Or a program, started without a shell."),
          args: z.array(z.string()).max(MAX_ARGS).optional().describe("The arguments of the program."),
        }
      : {}),
  };
}

/** A line of the tool `shell` has no room for more either. */
const MAX_ARGS = 4096;

interface StartInput {
  readonly command?: string | undefined;
  readonly shell?: string | undefined;
  readonly program?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly cwd?: string | undefined;
  readonly stdin?: string | undefined;
  readonly ready_when?: {
    text?: string | undefined;
    pattern?: string | undefined;
    port?: number | undefined;
    timeout_ms?: number | undefined;
  };
}

/** @throws Failure `invalid_input` where it is not said what to start, or more than one thing */
function requestOf({ command, shell, program, args, arguments: values, cwd, stdin }: StartInput) {
  if ([command, shell, program].filter((one) => one !== undefined).length !== 1 || (args && program === undefined))
    throw new Failure("invalid_input", 'Cannot call "process_start": it is not said what to start', {
      hint: "Give one of command, shell and program; arguments go with command, args with program.",
    });
  if (shell !== undefined) return { kind: "shell" as const, command: shell, cwd, stdin };
  if (program !== undefined) return { kind: "program" as const, program, args: args ?? [], cwd, stdin };
  return { kind: "command" as const, name: command ?? "", input: values ?? {}, cwd, stdin };
}

/** @throws Failure `invalid_input` where no program is named */
function named<T extends { readonly id?: string | undefined; readonly pid?: number | undefined }>(input: T): T {
  if (input.id !== undefined || input.pid !== undefined) return input;
  throw new Failure("invalid_input", "Cannot tell which program is meant: there is neither id nor pid", {
    hint: "process_list names those that there are.",
  });
}

const processOutput: RunTool = defineTool({
  name: "process_output",
  title: "Output of a background program",
  summary:
    "The output of a background program since the last look, or from an offset, if wanted after waiting for a text. Works " +
    "after its end too.",
  effect: "run",
  timeoutMs: WAIT_CALL_MS,
  input: () =>
    z.strictObject({
      ...processFields(),
      offset: z.number().int().min(0).optional().describe("In bytes. Default: where the last answer ended."),
      max_bytes: z.number().int().min(1).max(262_144).optional().describe("Default: about 32 KB."),
      wait_for: z.string().min(1).optional().describe("Wait for this text."),
      wait_ms: z.number().int().min(0).max(MAX_WAIT_MS).optional().describe("How long to wait. Default 10000."),
      match: z.string().min(1).optional().describe("Only lines that have this regular expression."),
    }),
  output: processResult,
  access: () => [],
  run: async (input, ctx) => showProcess(await ctx.commands.output(named(input))),
});

const processList: RunTool = defineTool({
  name: "process_list",
  title: "Background programs",
  summary:
    "The background programs of this host, running and lately ended, with the time and memory they use; or one of them.",
  effect: "run",
  input: () => z.strictObject(processFields()),
  output: () => z.looseObject({ processes: z.array(z.looseObject({ id: z.string() })) }),
  access: () => [],
  async run(input, ctx) {
    const { processes } = await ctx.commands.list(input);
    const text = processes.length === 0 ? "There are none." : processes.map(lineOf).join("\n");
    return { text, structured: { processes } };
  },
});

function lineOf(state: ProcessState): string {
  const { id, status, command, pid, processes, cpu_ms, memory_bytes, exit_code, signal } = state;
  const use =
    status === "running"
      ? `${count(processes, "process", "processes")}, ${cpu_ms} ms CPU, ${formatBytes(memory_bytes)}`
      : codeOf(exit_code, signal);
  return `${id}  ${status}  pid ${pid}, ${use}  ${command}`;
}

const processStop: RunTool = defineTool({
  name: "process_stop",
  title: "Stop a background program",
  summary:
    "Asks a background program and everything it started to end, ends what is left after the grace, and says its last words.",
  effect: "run",
  timeoutMs: WAIT_CALL_MS,
  idempotent: true,
  input: () =>
    z.strictObject({
      ...processFields(),
      signal: z
        .enum(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"])
        .optional()
        .describe("How it is asked to end; SIGKILL does not ask. Default SIGTERM."),
      grace_ms: z.number().int().min(0).max(60_000).optional().describe("Default 2000."),
    }),
  output: processResult,
  access: () => [],
  run: async (input, ctx) => showProcess(await ctx.commands.stop(named(input))),
});
