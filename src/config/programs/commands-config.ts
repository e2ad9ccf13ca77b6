/**
 * The keys `commands`, `command_folders` and `shell` of the configuration as schemas: what is accepted and what each key means.
 * Loaded only where one of them stands.
 */
import * as z from "zod/mini";
import { Failure, limits } from "../../base/index.ts";
import { compileExpression } from "../../pattern/index.ts";
import type { CommandDeclaration, CommandDeclarations, ShellSettings } from "../../proc/index.ts";
import { parseWith } from "../parse/parse-with.ts";
import { described } from "../../contract/described.ts";
import { choice, filled, flag, maybe, most, names, text, texts } from "./field-kinds.ts";
import { environment, home, inherit, network, programLimits, reach, sha256 } from "./program-fields.ts";

const output_mb = most(
  "Megabytes of output after which a command is ended that a call waits for. Default: it goes on, and what no answer can show is dropped.",
);
const snapshot = maybe(
  z.array(filled()).check(z.maxLength(64)),
  "Globs in the writable roots: such files are kept first, so that what it makes of them can be undone.",
);
const flagText = maybe(
  z.string().check(z.regex(/^-/)),
  "`--name` makes two arguments, `--name=` one; of a boolean, the argument when it is true.",
);

const fields = {
  type: described(
    z.enum(["string", "integer", "number", "boolean", "enum", "path", "list"]),
    "The type of its values.",
  ),
  description: text("For the model."),
  may_be_option: flag("A value may begin with a dash."),
  pattern: maybe(
    z.string().check(z.superRefine(checkPattern)),
    "For a string: a regular expression that matches all of it, without references to groups, look-behind and \\b.",
  ),
  max_length: most("For a string: how long it may be."),
  minimum: maybe(z.number(), "For a number: the least that it may be."),
  maximum: maybe(z.number(), "For a number: the most that it may be."),
  values: maybe(z.array(z.string()).check(z.minLength(1)), "For an enum: its values."),
  intent: choice(["read", "write"], "For a path: what the program does with it. Default read."),
};

const parameter = z
  .strictObject({
    ...fields,
    required: flag("Whether the caller must give it. Default false."),
    flag: flagText,
    items: maybe(z.strictObject(fields), "For a list: what its items are."),
    max_items: most("For a list: how many items it may have. Default 256."),
  })
  .check(z.refine(({ type, values }) => type !== "enum" || values !== undefined, "an enum needs values"));

const COMMAND = z
  .strictObject({
    description: described(filled(), "What it does, for the model and for the person who is asked."),
    program: described(filled(), "An absolute path, or a name that is looked up once at the start."),
    sha256,
    args: texts("Fixed arguments; `{name}` stands for those of a parameter, as a whole argument."),
    parameters: maybe(
      z.record(z.string().check(z.regex(/^[a-z][a-z0-9_]*$/)), parameter),
      "What the caller gives. Each value is one argument.",
    ),
    cwd: text("A directory in a root. Default: the first root."),
    home,
    stdin: choice(["closed", "given"], "given: the caller may send text. Default closed."),
    pty: flag("It gets a terminal of its own, 120 by 40, for programs that need one. Default false."),
    risk: choice(["R0", "R1", "R2", "R3", "R4"], "R0 and R1 run without a question. Default R3."),
    changes: flag(
      "Whether files are looked at before and after it, so that the answer names those it changed. Default true.",
    ),
    snapshot,
    ...reach,
    ...programLimits,
    output_mb,
  })
  .check(z.refine(hasKnownPlaceholders, "args name a parameter that is not declared"));

/** `cmd_` and this must fit into the name of a tool. */
const NAME = /^[a-z][a-z0-9_]{0,25}$/;

export const commandsSchema: z.ZodMiniType<CommandDeclarations> = z.record(
  z.string().check(z.regex(NAME, "a command is named by 1 to 26 of a-z, 0-9 and _")),
  COMMAND,
);

export const commandFoldersSchema: z.ZodMiniType<readonly string[]> = z.array(filled());

export const shellSchema: z.ZodMiniType<ShellSettings> = z.strictObject({
  enabled: described(z._default(z.boolean(), false), "Whether there is a shell tool at all. Default false."),
  programs: names(
    "Programs that process_start may start with their arguments, without a shell, also where there is none.",
  ),
  network,
  snapshot,
  environment,
  inherit,
  ...programLimits,
  output_mb,
  usual_timeout_ms: most("The time of a call that names none. Default as timeout_ms.", 86_400_000),
  background: most(
    `Background commands at once, which process_start begins. Default ${limits.MAX_PROCESSES}, which is also the most.`,
    limits.MAX_PROCESSES,
  ),
});

/** One declaration, from a file of a folder. @throws Failure `invalid_input` that names the file */
export function parseDeclaration(name: string, declared: unknown, path: string): CommandDeclaration {
  if (NAME.test(name)) return parseWith<CommandDeclaration>(COMMAND, declared, path);
  throw new Failure("invalid_input", `Cannot use "${path}": a command is named by 1 to 26 of a-z, 0-9, - and _`);
}

/** Refuses an expression that cannot be matched in linear time: the values come from a model. */
function checkPattern(pattern: string, context: z.core.$RefinementCtx): void {
  try {
    compileExpression(pattern);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    context.addIssue(thrown.message.replace("Cannot use the expression: ", ""));
  }
}

function hasKnownPlaceholders(command: { args?: string[] | undefined; parameters?: object | undefined }): boolean {
  return (command.args ?? []).every((arg) => {
    const name = /^\{(\w+)\}$/.exec(arg)?.[1];
    return name === undefined || Object.hasOwn(command.parameters ?? {}, name);
  });
}
