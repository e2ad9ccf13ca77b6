/**
 * The tools of Claude Code, for models that were trained on them.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import { CUT, DIRECTORY, EXACT, PATH, PROPOSED, READ_FIRST, SHELL } from "./rules.ts";

const file: Parameter = { to: "path", description: PATH };
const replaceAll = "Replace every occurrence instead of exactly one. Default false.";

export const claude: DialectTable = {
  about: `Read a file before Edit or Write. ${PROPOSED}`,
  tools: [
    {
      name: "Read",
      tool: "read_file",
      description: `Reads a file: each line with its number and a tab before it, which are not part of the file. Up to 2000 lines unless limit says more. Images are shown. ${CUT}`,
      preset: { line_numbers: true },
      parameters: {
        file_path: file,
        offset: { to: "offset", description: "The line to start at, 1-based; negative counts from the end." },
        limit: { to: "limit", description: "How many lines to read." },
      },
    },
    {
      name: "Write",
      tool: "write_file",
      description: `Writes a whole file, new or in place of one that is there. Give all of the content: placeholders are refused. ${READ_FIRST} ${PROPOSED}`,
      parameters: { file_path: file, content: { to: "content", description: "The whole new content." } },
    },
    {
      name: "Edit",
      tool: "edit_file",
      description: `Replaces an exact piece of text in a file. old_string must stand there character by character, without the line numbers that Read shows. ${EXACT} ${READ_FIRST} ${PROPOSED}`,
      parameters: {
        file_path: file,
        old_string: { to: "old_text", required: true, description: "The text to replace." },
        new_string: { to: "new_text", required: true, description: "The text to put in its place." },
        replace_all: { to: "replace_all", description: replaceAll },
      },
    },
    {
      name: "MultiEdit",
      tool: "edit_file",
      description: `Makes several edits of one file, all or none. Every old_string is looked for in the file as it is now, not as an earlier edit of the same call would leave it, and edits must not overlap. ${READ_FIRST} ${PROPOSED}`,
      parameters: {
        file_path: file,
        edits: {
          to: "edits",
          required: true,
          description: "The edits.",
          members: {
            old_string: { to: "old_text", description: `The text to replace. ${EXACT}` },
            new_string: { to: "new_text", description: "The text to put in its place." },
            replace_all: { to: "replace_all", description: replaceAll },
          },
        },
      },
    },
    {
      name: "Glob",
      tool: "glob",
      description: `Finds files by a pattern such as **/*.ts, newest first, dot files too. What ignore files name is left out and counted. ${CUT}`,
      preset: { hidden: true },
      parameters: {
        pattern: { to: "pattern", description: "The glob pattern, matched against the path below `path`." },
        path: { to: "path", description: DIRECTORY },
      },
    },
    {
      name: "Grep",
      tool: "grep",
      description: `Searches the contents of files with ripgrep's regular expressions. output_mode chooses between paths (the default), lines and counts. ${CUT}`,
      preset: { output: "files" },
      parameters: {
        pattern: { to: "pattern", description: "The regular expression." },
        path: { to: "path", description: "The file or directory to search. Default: the first root." },
        glob: {
          to: "include",
          as: "list",
          description: "Only files that match this glob, for example *.{ts,tsx}.",
        },
        type: { to: "type", as: "list", description: "Only files of this type, for example js, py, rust." },
        output_mode: {
          choose: {
            files_with_matches: { output: "files" },
            content: { output: "content" },
            count: { output: "count" },
          },
          description:
            "files_with_matches: paths; content: lines; count: matches a file. Default files_with_matches.",
        },
        "-i": {
          choose: { true: { case: "insensitive" }, false: { case: "sensitive" } },
          description: "Ignore case.",
        },
        "-n": { type: "boolean", description: "Lines always come with their numbers." },
        "-A": { to: "after", description: "Lines to show after each match." },
        "-B": { to: "before", description: "Lines to show before each match." },
        "-C": { to: "context", description: "Lines to show before and after each match." },
        multiline: {
          choose: { true: { multiline: true, dotall: true }, false: { multiline: false } },
          description: "Let a match span lines, and . match line ends.",
        },
        head_limit: { to: "limit", description: "At most so many lines or files." },
      },
    },
    {
      name: "LS",
      tool: "list_directory",
      description: `Lists a directory: names, types, sizes, times. ${CUT}`,
      parameters: {
        path: { to: "path", description: DIRECTORY },
        ignore: { to: "exclude", description: "Globs of what to leave out." },
      },
    },
    {
      name: "Bash",
      tool: "shell",
      description: SHELL,
      parameters: {
        command: { to: "command", description: "The command line." },
        description: { to: "description", description: "What it does, for the person who is asked." },
        timeout: { to: "timeout_ms", description: "Milliseconds after which it is ended." },
        run_in_background: {
          to: "background",
          description: "Start it and return at once; read it with BashOutput.",
        },
      },
    },
    {
      name: "BashOutput",
      tool: "process_output",
      description: "What a background command has put out since the last look. Works after its end too.",
      parameters: { bash_id: { to: "id", description: "The id that Bash gave." } },
    },
    {
      name: "KillShell",
      tool: "process_stop",
      description: "Ends a background command and everything that it started.",
      parameters: { shell_id: { to: "id", description: "The id that Bash gave." } },
    },
  ],
};
