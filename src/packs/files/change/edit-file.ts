/**
 * Exact edits of one file: what is named is replaced, and nothing else of the file changes.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { defineTool, type ChangeTool } from "../../../contract/index.ts";
import type { TextEdit } from "../../../text/index.ts";
import * as fields from "../../fields.ts";

const oldText = () =>
  z
    .string()
    .describe("The text to replace, exactly as it stands in the file, with enough lines around it to be unique.");
const newText = () => z.string().describe("What to put in its place.");
const replaceAll = () =>
  z.boolean().optional().describe("Replace every occurrence instead of requiring exactly one. Default false.");
const edit = () => z.strictObject({ old_text: oldText(), new_text: newText(), replace_all: replaceAll() });

export const editFile: ChangeTool = defineTool({
  name: "edit_file",
  title: "Edit file",
  summary:
    "Replaces exact pieces of text in one file; nothing else of the file changes. Give old_text and new_text, or several edits: all are matched against the original file and must not overlap. old_text must occur exactly once unless replace_all is true. A failure says where the text occurs or what the nearest text is. Copy text without line numbers.",
  aliases: ["edit", "Edit", "file.edit"],
  effect: "change",
  core: true,
  destructive: true,
  input: () =>
    z
      .strictObject({
        path: fields.path("The file"),
        old_text: oldText().optional(),
        new_text: newText().optional(),
        replace_all: replaceAll(),
        edits: z
          .array(edit())
          .min(1)
          .max(limits.MAX_EDITS)
          .optional()
          .describe("Several edits of this file. Give these, or old_text and new_text."),
        if_hash: fields.ifHash(),
        in_place: z
          .boolean()
          .optional()
          .describe("Write into the same inode, which keeps hard links together but is not atomic. Default false."),
      })
      .refine(
        (input) => (input.edits === undefined) === (input.old_text !== undefined && input.new_text !== undefined),
        fields.rule("Give old_text and new_text, or edits."),
      ),
  output: fields.changeResult,
  access: (input) => [{ path: input.path, mode: "write" }],
  plan: (input) => ({
    changes: [{ op: "edit", path: input.path, edits: editsOf(input), ifHash: input.if_hash, inPlace: input.in_place }],
  }),
});

type EditInput = z.output<ReturnType<typeof edit>>;

function editsOf(input: {
  edits?: EditInput[] | undefined;
  old_text?: string | undefined;
  new_text?: string | undefined;
  replace_all?: boolean | undefined;
}): TextEdit[] {
  const edits = input.edits ?? [
    { old_text: input.old_text ?? "", new_text: input.new_text ?? "", replace_all: input.replace_all },
  ];
  return edits.map((one) => ({
    oldText: one.old_text,
    newText: one.new_text,
    replaceAll: one.replace_all ?? false,
  }));
}
