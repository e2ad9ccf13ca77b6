/**
 * A tool of a space, which the launcher starts after it has read the space itself. Its parameters are those that its file
 * declares, whether its command names them or not; a value that is left out is the default of the file.
 */
import {
  defineTool,
  type CommandDeclaration,
  type ParameterDeclarations,
  type RunRequest,
  type RunTool,
  type SpaceOrder,
} from "../../contract/index.ts";
import { inputOf, pathsOf, valuesOf } from "./command-input.ts";
import { RUN_CALL_MS } from "./command-tools.ts";
import { runResult, showRun } from "./show-run.ts";

export interface SpaceToolSettings {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly space: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: ParameterDeclarations;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly confirm: boolean;
  /** What the launcher starts. */
  readonly declaration: CommandDeclaration;
  readonly order: SpaceOrder;
}

export function spaceTool(settings: SpaceToolSettings): RunTool {
  const { name, aliases, space, title, description, parameters, confirm, declaration } = settings;
  // With `confirm` it is asked about in every mode but `bypass`.
  const risk = confirm ? "R4" : "R3";
  return defineTool({
    name,
    title,
    summary: `${/[.!?]$/.test(description) ? description : `${description}.`} A tool of the space ${space}.`,
    effect: "run",
    aliases,
    timeoutMs: RUN_CALL_MS,
    input: () => inputOf({ ...declaration, parameters }),
    output: runResult,
    access: (input) => pathsOf(declaration, valuesOf({ ...declaration, parameters }, input)),
    starts: (input) => ({ request: requestOf(settings, input), risk, as: name }),
    run: async (input, ctx) => showRun(await ctx.commands.run(requestOf(settings, input))),
  });
}

function requestOf(
  { name, parameters, declaration, defaults, order }: SpaceToolSettings,
  input: Readonly<Record<string, unknown>>,
): RunRequest {
  const { timeout_ms } = input;
  const values = { ...defaults, ...valuesOf({ ...declaration, parameters }, input) };
  return {
    kind: "command",
    name,
    space: order,
    input: Object.fromEntries(
      Object.entries(values)
        .filter(([key, value]) => Object.hasOwn(declaration.parameters ?? {}, key) && value !== null)
        .map(([key, value]) => [key, typeof value === "boolean" ? String(value) : value]),
    ),
    ...(typeof timeout_ms === "number" && !Object.hasOwn(parameters, "timeout_ms") ? { timeout_ms } : {}),
  };
}
