/**
 * What to look for and where, as `grep` and `replace` take it: one form, so that a pattern that was tried with the first works
 * in the second.
 */
import * as z from "zod";

type Flag = z.ZodOptional<z.ZodBoolean>;
type Globs = z.ZodOptional<z.ZodArray<z.ZodString>>;

interface PatternFields {
  readonly pattern: z.ZodString;
  readonly path: z.ZodOptional<z.ZodString>;
  readonly include: Globs;
  readonly exclude: Globs;
  readonly type: Globs;
  readonly literal: Flag;
  readonly case: z.ZodOptional<z.ZodEnum<{ smart: "smart"; sensitive: "sensitive"; insensitive: "insensitive" }>>;
  readonly word: Flag;
  readonly line: Flag;
  readonly multiline: Flag;
  readonly dotall: Flag;
}

export const flag = (what: string): Flag => z.boolean().optional().describe(what);
const globs = (what: string): Globs => z.array(z.string()).optional().describe(what);

export const patternFields = (): PatternFields => ({
  pattern: z.string().describe("The regular expression, or the text when literal is true."),
  path: z.string().optional().describe("The file or directory to search. Default: the first root."),
  include: globs("Only files that match one of these globs, for example *.ts."),
  exclude: globs("No files that match one of these globs."),
  type: globs("Only files of these types, for example ts, py, rust."),
  literal: flag("Take the pattern as plain text."),
  case: z
    .enum(["smart", "sensitive", "insensitive"])
    .optional()
    .describe("smart: insensitive unless the pattern has a capital. Default sensitive."),
  word: flag("Match whole words only."),
  line: flag("Match whole lines only."),
  multiline: flag("Let a match span lines."),
  dotall: flag("With multiline: let . match line ends."),
});
