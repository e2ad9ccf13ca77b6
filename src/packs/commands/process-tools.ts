/**
 * Programs that go on beside the calls: started like any command, looked at, waited for, stopped. They end with the host.
 */
import * as z from "zod";
import { limits } from "../../base/index.ts";
import { defineTool, type CommandDeclarations, type ProcessState, type RunTool } from "../../contract/index.ts";
import { formatBytes } from "../../text/index.ts";
import { count } from "../answer.ts";
import { commandToolName, pathsOf, stdinField, valuesField } from "./command-input.ts";
import { shellTool } from "./shell.ts";
import { processResult, showProcess } from "./show-run.ts";

const WAIT_CALL_MS = 660_000;
const MAX_WAIT_MS = 600_000;

const processField = (): z.ZodString => z.string().describe("The id that process_start gave.");

/** @param hasShell whether a command line can be started too */
export function processTools(declarations: CommandDeclarations, hasShell: boolean): readonly RunTool[] {
  return [processStart(declarations, hasShell), processOutput, processList, processStop];
}

function processStart(declarations: CommandDeclarations, hasShell: boolean): RunTool {
  const names = Object.keys(declarations);
  return defineTool({
    name: "process_start",
    title: "Start in the background",
    summary:
      "Starts a declared command and returns without waiting for its end, or when it is ready. process_output reads what " +
      `it says, process_stop ends it; it ends with the host. At most ${limits.MAX_PROCESSES} at once.`,
    effect: "run",
    timeoutMs: WAIT_CALL_MS,
    input: () =>
      z.strictObject({
        ...(names.length === 0
          ? {}
          : {
              command: z
                .enum(names as [string, ...string[]])
                .optional()
                .describe("Which declared command."),
            }),
        ...(hasShell
          ? { shell: z.string().min(1).optional().describe("Or a bash command line, as for the tool shell.") }
          : {}),
        arguments: valuesField("The parameters of the command, by name."),
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
      const { command, shell } = input as StartInput;
      const risk = command === undefined ? undefined : declarations[command]?.risk;
      return {
        request: requestOf(input as StartInput),
        risk: risk ?? "R3",
        as: shell === undefined ? commandToolName(command ?? "") : shellTool.name,
        isBackground: true,
      };
    },
    run: async (input, ctx) => {
      const { ready_when } = input as StartInput;
      return showProcess(await ctx.commands.start({ ...requestOf(input as StartInput), ready_when }));
    },
  });
}

interface StartInput {
  readonly command?: string | undefined;
  readonly shell?: string | undefined;
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

function requestOf({ command, shell, arguments: values, cwd, stdin }: StartInput) {
  return shell === undefined
    ? { kind: "command" as const, name: command ?? "", input: values ?? {}, cwd, stdin }
    : { kind: "shell" as const, command: shell, cwd };
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
      id: processField(),
      offset: z.number().int().min(0).optional().describe("In bytes. Default: where the last answer ended."),
      max_bytes: z.number().int().min(1).max(262_144).optional().describe("Default: about 32 KB."),
      wait_for: z.string().min(1).optional().describe("Wait for this text."),
      wait_ms: z.number().int().min(0).max(MAX_WAIT_MS).optional().describe("How long to wait. Default 10000."),
      match: z.string().min(1).optional().describe("Only lines that have this regular expression."),
    }),
  output: processResult,
  access: () => [],
  run: async (input, ctx) => showProcess(await ctx.commands.output(input)),
});

const processList: RunTool = defineTool({
  name: "process_list",
  title: "Background programs",
  summary: "The background programs of this host, running and lately ended, with the time and memory they use.",
  effect: "run",
  input: () => z.strictObject({}),
  output: () => z.looseObject({ processes: z.array(z.looseObject({ id: z.string() })) }),
  access: () => [],
  async run(_input, ctx) {
    const { processes } = await ctx.commands.list({});
    const text = processes.length === 0 ? "There are none." : processes.map(lineOf).join("\n");
    return { text, structured: { processes } };
  },
});

function lineOf({ id, status, command, pid, processes, cpu_ms, memory_bytes, exit_code }: ProcessState): string {
  const use =
    status === "running"
      ? `pid ${pid}, ${count(processes, "process", "processes")}, ${cpu_ms} ms CPU, ${formatBytes(memory_bytes)}`
      : `exit code ${exit_code ?? "none"}`;
  return `${id}  ${status}  ${use}  ${command}`;
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
      id: processField(),
      grace_ms: z.number().int().min(0).max(60_000).optional().describe("Default 2000."),
    }),
  output: processResult,
  access: () => [],
  run: async (input, ctx) => showProcess(await ctx.commands.stop(input)),
});
