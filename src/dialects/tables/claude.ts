/**
 * The tools of Claude Code, for models that were trained on them.
 */
import type { DialectTable } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

export const claude: DialectTable = {
  about: `Read a file before Edit or Write. ${usual.PROPOSED}`,
  tools: {
    Read: {
      tool: "read_file",
      description: `Reads a file: each line with its number and a tab before it, which are not part of the file. Up to 2000 lines and about 32 KB come, or 1 MB where limit says how many lines. Images are shown. ${usual.CUT}`,
      preset: { line_numbers: true },
      parameters: {
        file_path: usual.file,
        offset: "The line to start at, 1-based; negative counts from the end.",
        limit: "How many lines to read.",
      },
    },
    Write: usual.write({ file_path: usual.file }),
    Edit: {
      tool: "edit_file",
      description: `Replaces an exact piece of text in a file. old_string must stand there character by character, without the line numbers that Read shows. ${usual.EXACT} ${usual.READ_FIRST} ${usual.PROPOSED}`,
      parameters: {
        file_path: usual.file,
        ...usual.oldAndNew("old_string", "new_string"),
        replace_all: usual.replaceAll,
      },
    },
    MultiEdit: {
      tool: "edit_file",
      description: `Makes several edits of one file, all or none. Every old_string is looked for in the file as it is now, not as an earlier edit of the same call would leave it, and edits must not overlap. ${usual.READ_FIRST} ${usual.PROPOSED}`,
      parameters: { file_path: usual.file, edits: usual.editList("old_string", "new_string") },
    },
    Glob: {
      ...usual.find,
      description: `Finds files by a pattern such as **/*.ts, newest first, dot files too. What ignore files name is left out and counted. ${usual.CUT}`,
      preset: { hidden: true },
    },
    Grep: {
      tool: "grep",
      description: `Searches the contents of files with ripgrep's regular expressions. output_mode chooses between paths (the default), lines and counts. ${usual.CUT}`,
      preset: { output: "files" },
      parameters: {
        pattern: usual.regex,
        path: usual.searched,
        glob: usual.glob("Only files that match this glob, for example *.{ts,tsx}."),
        type: { to: "type", as: "list", description: "Only files of this type, for example js, py, rust." },
        output_mode: {
          choose: {
            files_with_matches: { output: "files" },
            content: { output: "content" },
            count: { output: "count" },
          },
          description:
            "files_with_matches: paths; content: lines; count: matches per file. Default files_with_matches.",
        },
        "-i": { choose: { true: { case: "insensitive" }, false: { case: "sensitive" } }, description: "Ignore case." },
        "-n": { type: "boolean", description: "Lines always come with their numbers." },
        "-A": { to: "after", description: "Lines to show after each match." },
        "-B": { to: "before", description: "Lines to show before each match." },
        "-C": { to: "context", description: "Lines to show before and after each match." },
        multiline: usual.multiline,
        head_limit: { to: "limit", description: "At most this many lines or files." },
      },
    },
    LS: {
      ...usual.list,
      parameters: { path: usual.directory, ignore: { to: "exclude", description: "Globs of what to leave out." } },
    },
    Bash: usual.bash({
      description: usual.purpose,
      timeout: usual.timeoutMs,
      run_in_background: { to: "background", description: "Start it and return at once; read it with BashOutput." },
    }),
    BashOutput: usual.output("bash_id"),
    KillShell: usual.stop("shell_id"),
  },
};
