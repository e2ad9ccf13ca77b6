/**
 * The tools of Gemini CLI, of the models before the third and since: the contents search has both of its names, and the
 * parameters of earlier versions are taken without being shown.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

const file: Parameter = { ...usual.file, also: ["absolute_path"] };
const cased: Parameter = {
  choose: { true: { case: "sensitive" }, false: { case: "insensitive" } },
  description: "Whether case counts. Default false.",
};
const included: Parameter = usual.glob("Only files that match this glob.");

export const gemini: DialectTable = {
  about: `Use read_file before replace or write_file. ${usual.PROPOSED}`,
  tools: {
    read_file: {
      description: `Reads a file. Ask for lines with start_line and end_line; without end_line up to 2000 and about 32 KB come. Images are shown. ${usual.CUT}`,
      parameters: {
        file_path: file,
        start_line: { to: "offset", description: "The first line, 1-based." },
        end_line: { to: "limit", as: "end_line", description: "The last line, 1-based and included." },
        offset: { to: "offset", as: "zero_based", older: true, description: "The first line, 0-based." },
        limit: { to: "limit", older: true, description: "How many lines." },
      },
    },
    write_file: usual.write({ file_path: file }),
    replace: {
      tool: "edit_file",
      description: `Replaces text in a file. old_string must stand there exactly, unescaped. ${usual.EXACT} ${usual.READ_FIRST} ${usual.PROPOSED}`,
      parameters: {
        file_path: file,
        instruction: { description: "What the change is for. Has no effect." },
        ...usual.oldAndNew("old_string", "new_string"),
        allow_multiple: usual.replaceAll,
      },
    },
    grep_search: {
      tool: "grep",
      description: `Searches file contents with ripgrep's regular expressions. ${usual.CUT}`,
      preset: { case: "insensitive" },
      parameters: {
        pattern: usual.regex,
        dir_path: usual.searched,
        include_pattern: included,
        names_only: {
          choose: { true: { output: "files" }, false: { output: "content" } },
          description: "Only the paths.",
        },
        case_sensitive: cased,
        fixed_strings: { to: "literal", description: "Take the pattern as plain text." },
        context: "Lines to show around each match.",
        after: "Lines to show after each match.",
        before: "Lines to show before each match.",
        no_ignore: "Search what ignore files leave out too.",
        max_matches_per_file: { to: "max_count", description: "At most this many lines per file." },
        total_max_matches: { to: "limit", description: "At most this many lines in all." },
      },
    },
    search_file_content: {
      tool: "grep",
      description: `Searches file contents with a regular expression and shows the lines. ${usual.CUT}`,
      preset: { case: "insensitive" },
      parameters: {
        pattern: usual.regex,
        dir_path: usual.searched,
        include: included,
        case_sensitive: { ...cased, older: true },
      },
    },
    list_directory: {
      description: usual.LISTS,
      parameters: {
        dir_path: { ...usual.directory, required: true },
        ignore: { to: "exclude", description: "Globs of what to leave out." },
      },
    },
    glob: {
      description: `Finds files by a pattern such as src/**/*.ts, newest first; paths are relative to the first root. ${usual.CUT}`,
      parameters: {
        pattern: "The glob pattern, matched against the path below the directory.",
        dir_path: usual.directory,
        respect_git_ignore: {
          choose: { true: { no_ignore: false }, false: { no_ignore: true } },
          description: "false: also what .gitignore leaves out. Default true.",
        },
      },
    },
    read_many_files: {
      tool: "read_files",
      description: `Reads several text files, about 32 KB in all; each stands under a line with its path. A file that cannot be read says so in its place. ${usual.CUT}`,
      parameters: {
        include: {
          to: "files",
          as: "plain_paths",
          description: "The paths. No patterns: find the files with glob first.",
        },
      },
    },
    run_shell_command: usual.bash({
      description: usual.purpose,
      dir_path: { ...usual.workDirectory, also: ["directory"] },
      is_background: { to: "background", description: "Start it and return at once." },
    }),
  },
};
