/**
 * A domain tool as a named shell-out: the program and its form are fixed here, and a caller chooses two paths, which go
 * through the scope like those of every tool. There is no line that a shell would read.
 *
 * The program is declared as a command, so it runs in a fence of its own: it reads and changes the roots, has no network, and
 * what it changed is told. The tool gives it the name, the words and the check of its endings.
 */
import { definePack, defineTool, type AnyTool, type Pack, type RawConfig } from "ringfence";
import { z } from "zod";

/** What IfcConvert makes of a model, by the ending of its output. */
const FORMATS: Readonly<Record<string, string>> = {
  obj: "Wavefront",
  glb: "glTF",
  dae: "Collada",
  stp: "STEP",
  igs: "IGES",
  svg: "floor plans",
  xml: "the tree of its parts",
};
const ENDING = new RegExp(String.raw`\.(?:${Object.keys(FORMATS).join("|")})$`, "i");
const COMMAND = "ifc_convert";

interface Conversion {
  readonly path: string;
  readonly output: string;
}

function requestOf({ path, output }: Conversion) {
  return { kind: "command" as const, name: COMMAND, input: { path, output } };
}

export const convertIfc: AnyTool = defineTool({
  name: "convert_ifc",
  title: "Convert an IFC model",
  summary: `Converts an IFC model with IfcConvert. The ending of the output says the form: ${Object.entries(FORMATS)
    .map(([ending, name]) => `.${ending} (${name})`)
    .join(", ")}. An output that exists is not replaced.`,
  effect: "run",
  needs: ["commands"],
  timeoutMs: 660_000,
  input: z.strictObject({
    path: z
      .string()
      .regex(/\.ifc$/i)
      .describe("The model, a file that ends in .ifc."),
    output: z.string().regex(ENDING).describe("The file to make."),
  }),
  output: z.object({ output: z.string(), exit_code: z.number().nullable(), said: z.string() }),
  access: ({ path, output }) => [
    { path, mode: "read" },
    { path: output, mode: "write" },
  ],
  starts: (input) => ({ request: requestOf(input), risk: "R3", as: "convert_ifc" }),
  async run(input, ctx) {
    const { exit_code, output } = await ctx.commands.run(requestOf(input));
    const said = output.text.trim();
    const text = exit_code === 0 ? `Made ${input.output}.` : `IfcConvert failed with exit code ${exit_code}.`;
    return { text: `${text}\n${said}`.trimEnd(), structured: { output: input.output, exit_code, said } };
  },
});

export const ifcPack: Pack = definePack({
  name: "ifc",
  title: "IFC models",
  tools: [convertIfc],
  config: z.strictObject({}),
});

type Commands = NonNullable<RawConfig["commands"]>;

/**
 * The declaration of the program.
 *
 * @param program a name that is looked up where no tool can write, or an absolute path
 * @param reads what it needs besides the roots and the usual places of the system
 */
export function ifcCommands(program = "IfcConvert", reads: readonly string[] = []): Commands {
  return {
    [COMMAND]: {
      description: "Converts an IFC model.",
      program,
      args: ["{path}", "{output}"],
      parameters: {
        path: { type: "path", required: true },
        output: { type: "path", intent: "write", required: true },
      },
      reads,
      timeout_ms: 600_000,
    },
  };
}

/** The tools that every declared command brings: here the program has one of its own. */
export const OTHER_COMMAND_TOOLS: readonly string[] = ["cmd_*", "run_command", "process_*"];
