/**
 * One file for the model: exact text by lines, an image, raw bytes, or what it is. The text stands alone in its block;
 * what it is of stands in the note.
 */
import * as z from "zod";
import { limits } from "../../../base/index.ts";
import { defineTool, type FilesApi, type ReadTool, type ToolResult } from "../../../contract/index.ts";
import { ENCODING_NAMES, formatBytes } from "../../../text/index.ts";
import { bytesNote, cutLinesNote, nextCall, noteOf } from "../../answer.ts";
import * as fields from "../../fields.ts";

export type ShownFile = Awaited<ReturnType<FilesApi["read"]>>;

export const readFile: ReadTool = defineTool({
  name: "read_file",
  title: "Read file",
  summary: `Reads a file inside the roots. Text is returned exactly, by lines: at most ${limits.DEFAULT_READ_LINES} lines and about 32 KB, or up to 1 MB where you give a limit. The note before it says when it was cut and gives the next call. A negative offset counts from the end. Images are shown; other binary files are described (encoding: base64 gives their bytes). The note holds the content hash, for if_hash in a change and unless_hash in the next read.`,
  aliases: ["read", "Read", "file.read", "read_text_file"],
  effect: "read",
  core: true,
  pages: true,
  input: () =>
    z.strictObject({
      path: fields.path("The file"),
      offset: z
        .number()
        .int()
        .optional()
        .describe(
          "First line, 1-based; negative counts from the end (-20: the last 20 lines). With encoding base64: first byte. Default 1.",
        ),
      limit: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe(
          "Lines to return (with encoding base64: bytes), at most 1 MB. Default 2000, and about 32 KB of them.",
        ),
      line_numbers: z
        .boolean()
        .optional()
        .describe("Put the line number and a tab before each line. Never copy these into an edit."),
      encoding: z
        .enum(["auto", ...ENCODING_NAMES, "base64"])
        .optional()
        .describe("auto finds UTF-8 and UTF-16 by itself; base64 returns raw bytes. Default auto."),
      unless_hash: z
        .string()
        .optional()
        .describe("Answer only `unchanged` when the content still has this hash; known: that of the last read."),
    }),
  output: () =>
    z.looseObject({
      text: z.string().optional(),
      encoding: z.string().optional(),
      first_line: z.number().optional(),
      lines: z.number().optional(),
      total_lines: z.number().optional(),
      hash: z.string().optional(),
      truncated: z.boolean().optional(),
    }),
  access: (input) => [{ path: input.path, mode: "read" }],
  idempotent: true,
  isFileText: ({ line_numbers }) => line_numbers !== true,
  async run(input, ctx): Promise<ToolResult> {
    return describeRead(await ctx.files.read(input));
  },
});

export function describeRead(file: ShownFile): ToolResult {
  const read = file.hash !== undefined ? { read: [{ path: file.path, hash: file.hash }] } : {};
  switch (file.kind) {
    case "text":
      return {
        text: file.text,
        note: noteOf(...textNote(file)),
        structured: { ...file },
        truncated: file.truncated,
        ...(read.read ? { read: read.read.map((one) => ({ ...one, lines: shownLines(file) })) } : {}),
      };
    case "base64": {
      const note = noteOf(bytesNote(file.path, file), mark(file), file.truncated && nextCall("read_file", file.next));
      return { text: file.data, note, structured: { ...file }, truncated: file.truncated };
    }
    case "image": {
      const { data, ...rest } = file;
      return {
        text: noteOf(`${file.path}: ${file.mime}, ${formatBytes(file.size)}`, mark(file)),
        structured: { ...rest },
        images: [{ mime: file.mime, data }],
        ...read,
      };
    }
    case "binary":
      return {
        text: `${file.path} is binary: ${file.mime}, ${formatBytes(file.size)}${file.note ? ` (${file.note})` : ""}.`,
        note: noteOf("Use read_file with encoding: base64 for its bytes", mark(file)),
        structured: { ...file },
      };
    case "unchanged":
      return {
        text: `${file.path} is unchanged: it still has the hash that you gave.`,
        structured: { ...file },
        ...(read.read ? { read: read.read.map((one) => ({ ...one, isUnchanged: true })) } : {}),
      };
  }
}

/** First line, last line and total. Where lines were cut for length, the last line was never reached. */
function shownLines(file: ShownFile & { kind: "text" }): [number, number, number] {
  const total = file.total_lines + (file.cut_lines?.length ? 1 : 0);
  return [file.first_line, file.first_line + file.lines - 1, total];
}

function textNote(file: ShownFile & { kind: "text" }): (string | false | undefined)[] {
  const last = file.first_line + file.lines - 1;
  const total = `${file.total_lines_at_least ? "at least " : ""}${file.total_lines}`;
  const range = file.lines === 0 ? "the file is empty" : `lines ${file.first_line}-${last} of ${total}`;
  const [cutLine] = file.cut_lines ?? [];
  return [
    `${file.path}: ${range}, ${file.encoding}`,
    mark(file),
    cutLinesNote(file.cut_lines),
    file.rest && `The rest of line ${cutLine} as bytes: read_file ${JSON.stringify(file.rest)}`,
    file.truncated && nextCall("read_file", file.next),
  ];
}

function mark(file: { readonly hash?: string; readonly version?: string }): string | undefined {
  if (file.hash !== undefined) return `hash ${file.hash}`;
  return file.version === undefined ? undefined : `version ${file.version}`;
}
