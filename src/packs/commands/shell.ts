/**
 * A command line for bash. It is read before it runs, every path in it goes through the rules of the files, and it runs
 * fenced, without a network unless the configuration gives it one. There only where the configuration enables it.
 */
import * as z from "zod";
import { defineTool, type RunTool } from "../../contract/index.ts";
import { timeoutField } from "./command-input.ts";
import { showProcess, showRun } from "./show-run.ts";
import { limits } from "../../base/index.ts";

interface ShellInput {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly timeout_ms?: number | undefined;
  readonly pty?: boolean | undefined;
}

export const shellTool: RunTool = defineTool({
  name: "shell",
  title: "Shell",
  summary:
    "Runs a bash command line inside the roots, without standard input, and returns how it ended and its output. A line that " +
    "is not allowed to run at once waits for approval: the answer says so, and the call need not be repeated. The tools for " +
    "files are better at reading, searching and editing.",
  effect: "run",
  aliases: ["Bash", "bash", "shell.exec"],
  timeoutMs: limits.MAX_COMMAND_MS + 60_000,
  input: () =>
    z.strictObject({
      command: z
        .string()
        .min(1)
        .max(64 * 1024)
        .describe("The command line."),
      description: z.string().max(500).optional().describe("What it is for, for the person who is asked."),
      cwd: z.string().optional().describe("A directory in a root. Default: the first root."),
      timeout_ms: timeoutField(),
      pty: z.boolean().optional().describe("With a terminal, for programs that need one."),
      background: z.boolean().optional().describe("Starts it and returns at once, as process_start does."),
    }),
  output: () => z.looseObject({}).describe("As run_command answers; in the background, as process_start."),
  access: () => [],
  starts: (input) => ({ request: requestOf(input), risk: "R3", as: "shell", isBackground: input.background }),
  run: async (input, ctx) =>
    input.background
      ? showProcess(await ctx.commands.start(requestOf(input)))
      : showRun(await ctx.commands.run(requestOf(input))),
});

function requestOf({ command, cwd, timeout_ms, pty }: ShellInput) {
  return { kind: "shell" as const, command, cwd, timeout_ms, pty };
}
