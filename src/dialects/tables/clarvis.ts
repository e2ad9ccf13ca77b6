/**
 * The tools of Clarvis agent-tools 0.5 (github.com/getclarvis/agent-tools, docs/reference/tools.md): its names, parameters and
 * defaults, and its texts and JSON made from our structured answers.
 */
import { envelope } from "../clarvis/failures.ts";
import * as change from "../clarvis/changes.ts";
import { grepPage } from "../clarvis/grep-text.ts";
import * as lined from "../clarvis/numbered-lines.ts";
import * as read from "../clarvis/reads.ts";
import * as run from "../clarvis/runs.ts";
import type { DialectTable, Parameter } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

const overwrite: Parameter = { to: "overwrite", default: false, description: "Replace a file that is there." };
const ignores: Parameter = {
  choose: { true: { no_ignore: false }, false: { no_ignore: true } },
  default: true,
  description: "Leave out what .gitignore names, and .git.",
};
const ignoreCase: Parameter = {
  choose: { true: { case: "insensitive" }, false: { case: "sensitive" } },
  default: false,
  description: "Upper and lower case are the same.",
};
const { default: _case, ...replaceCase } = ignoreCase;
const replaceAll = { to: "replace_all", default: false, description: "Replace every exact occurrence." };
const oldString = {
  to: "old_text",
  required: true,
  description: "The text to find, exactly as it stands in the file.",
};
const newString = { to: "new_text", required: true, description: "The text to put in its place." };
const lines = (to: string, description: string): Parameter => ({ to, as: "unless_zero", description });
/** An empty path is the workspace there. */
const directory: Parameter = { ...usual.directory, as: "unless_empty" };
const searched: Parameter = { ...usual.searched, as: "unless_empty" };
const onlyFiles = { onlyFiles: true };
const monitor: Parameter = { to: "id", required: true, description: "The id that monitor_start gave." };
const LOOSE =
  "Where it does not occur exactly, the one place that differs only in blanks is taken, and the answer says so.";

export const clarvis: DialectTable = {
  isWhole: true,
  about: `Read a file before you edit it. ${usual.PROPOSED}`,
  form: { failure: envelope, meta: change.metaOf, isOpen: true },
  tools: {
    read_file: {
      description:
        "Reads a text file with numbered lines; the numbers are no part of it. The end of the answer says how to go on.",
      parameters: {
        path: usual.file,
        offset: "The first line, from 1; a negative number counts from the end.",
        limit: lines("limit", "How many lines. Default 2000."),
      },
      show: lined.numberedFile,
    },
    read_image: {
      tool: "read_file",
      description: "Shows an image (PNG, JPEG, GIF, WebP). A large one is scaled down.",
      parameters: { path: usual.file },
      show: read.image,
    },
    read_files: {
      description: "Reads several text files, at most 64, each with numbered lines under its name.",
      parameters: { paths: { to: "files", as: "paths", required: true, description: "The files, in order." } },
      show: lined.numberedFiles,
    },
    write_file: {
      description: `Writes a whole file, new or in place of one that is there, with the directories that it needs. Give all of the content: placeholders are refused. ${usual.PROPOSED}`,
      parameters: { path: usual.file, content: usual.content },
      manner: onlyFiles,
      show: change.written,
    },
    edit_file: {
      description: `Replaces the one place where old_string stands in a file. ${LOOSE} ${usual.PROPOSED}`,
      parameters: { path: usual.file, old_string: oldString, new_string: newString, replace_all: replaceAll },
      manner: { onlyFiles: true, inTurn: true },
      check: change.checkEdits,
      show: change.edited,
    },
    multi_edit: {
      tool: "edit_file",
      description: `Makes several edits of one file, all or none, in order: each on what the ones before it made. ${LOOSE} ${usual.PROPOSED}`,
      parameters: {
        path: usual.file,
        edits: {
          to: "edits",
          required: true,
          description: "The edits, in order.",
          members: { old_string: oldString, new_string: newString, replace_all: replaceAll },
        },
      },
      manner: { onlyFiles: true, inTurn: true },
      check: change.checkEdits,
      show: change.editedInTurn,
    },
    apply_patch: {
      description: `Applies a unified diff to one or more files, all of it or nothing. /dev/null stands for no file; two names are a move. ${usual.PROPOSED}`,
      parameters: { patch: "The unified diff." },
      manner: { plainPatch: true },
      show: change.patched,
    },
    replace: {
      description: `Replaces what a regular expression matches in all files of a choice, all of it or nothing. It only shows the change unless dry_run is false. ${usual.PROPOSED}`,
      parameters: {
        pattern: usual.regex,
        replacement: {
          to: "replacement",
          as: "dollar_and",
          required: true,
          description: "What comes in the place of a match: $1 to $9 are groups, $& is the match, $$ a dollar sign.",
        },
        path: { to: "path", description: "A file, or a directory. This or glob is needed." },
        glob: { to: "include", as: "list", description: "Only files that match this glob." },
        ignore_case: replaceCase,
        multiline: usual.multiline,
        dry_run: {
          choose: { true: { dry_run: true }, false: { dry_run: false } },
          default: true,
          description: "Only show the change.",
        },
      },
      needsOne: ["path", "glob"],
      preset: { hidden: true, dry_run: true },
      manner: onlyFiles,
      show: change.replaced,
    },
    list_dir: {
      tool: "list_directory",
      description: "Lists a directory: directories first, with a slash, then files with their sizes.",
      parameters: { path: directory },
      preset: { limit: 1000 },
      show: read.listing,
    },
    glob: {
      description: "Finds files by a pattern such as **/*.ts, newest first, names with a dot too.",
      parameters: {
        pattern: "The glob pattern, matched against the path below `path`.",
        path: directory,
        respect_gitignore: ignores,
      },
      preset: { hidden: true },
      show: read.found,
    },
    grep: {
      description:
        "Searches file contents with ripgrep's regular expressions: which files, or path:line:text, or counts. The end of the answer says how to go on.",
      parameters: {
        pattern: usual.regex,
        path: searched,
        glob: { to: "include", as: "list", description: "Only files that match this glob." },
        output_mode: {
          choose: {
            content: { output: "content" },
            files_with_matches: { output: "files" },
            count: { output: "count" },
          },
          default: "files_with_matches",
          description: "files_with_matches: paths; content: the lines; count: matches a file.",
        },
        ignore_case: ignoreCase,
        multiline: { ...usual.multiline, default: false },
        context: { to: "context", default: 0, description: "Lines around each match." },
        before_context: { to: "before", description: "Lines before each match, in place of context." },
        after_context: { to: "after", description: "Lines after each match, in place of context." },
        head_limit: { type: "count", description: "How many results to return. 0: all that there is room for." },
        offset: { to: "skip", as: "unless_zero", default: 0, description: "How many results to pass over." },
      },
      preset: { hidden: true, output: "files" },
      show: grepPage,
    },
    diff: {
      tool: "diff_files",
      description: "Shows the unified diff between two text files. Line ends do not count.",
      parameters: {
        from: { to: "a", required: true, description: "The first file." },
        to: { to: "b", required: true, description: "The second file." },
      },
      show: read.difference,
    },
    bash: {
      tool: "shell",
      description: `${usual.SHELL} Answers JSON: exit_code, stdout, stderr, signal, timed_out.`,
      parameters: {
        command: usual.command,
        cwd: usual.workDirectory,
        timeout_ms: {
          to: "timeout_ms",
          as: "timeout",
          description: "Milliseconds after which it is ended. Default 120000.",
        },
      },
      preset: { timeout_ms: 120_000 },
      show: run.ran,
    },
    monitor_start: {
      tool: "process_start",
      description: `${usual.start.description} With ready_when it waits until a line of the output has that. Answers JSON.`,
      parameters: {
        command: { to: "shell", required: true, description: usual.command },
        cwd: usual.workDirectory,
        ready_when: { to: "ready_when", as: "ready_pattern", description: "A regular expression that a line has." },
        ready_timeout_ms: {
          to: "ready_when",
          as: "ready_timeout",
          description: "Milliseconds to wait for it. Default 30000.",
        },
      },
      show: run.started,
    },
    monitor_poll: {
      tool: "process_output",
      description:
        "What a background command has put out from a byte offset on, and whether it still runs. Answers JSON.",
      parameters: {
        id: monitor,
        offset: { to: "offset", description: "The next_offset of the last answer. Default 0." },
        match: { to: "match", description: "Only lines that have this regular expression." },
      },
      preset: { offset: 0 },
      show: run.polled,
    },
    monitor_stop: {
      tool: "process_stop",
      description: "Ends a background command and everything that it started.",
      parameters: { id: monitor },
      show: run.stopped,
    },
    monitor_list: {
      tool: "process_list",
      description: "The background commands, running and lately ended, as JSON.",
      show: run.monitors,
    },
    move: {
      description: `Moves or renames a file, and makes the directories that it needs. ${usual.PROPOSED}`,
      parameters: { source: "The file.", destination: "Its new path.", overwrite },
      manner: onlyFiles,
      show: change.relocated("Moved"),
    },
    copy: {
      description: `Copies a file, and makes the directories that it needs. ${usual.PROPOSED}`,
      parameters: { source: "The file.", destination: "The path of the copy.", overwrite },
      manner: onlyFiles,
      show: change.relocated("Copied"),
    },
    mkdir: {
      tool: "create_directory",
      description: `Creates a directory and the parents that it needs; one that is there is fine. ${usual.PROPOSED}`,
      parameters: { path: "The directory." },
      show: change.madeDirectory,
    },
    remove: {
      tool: "delete",
      description: `Deletes a file. It can be undone for a while. ${usual.PROPOSED}`,
      parameters: { path: "The file." },
      manner: onlyFiles,
      show: change.removed,
    },
    file_stat: {
      tool: "stat",
      description:
        "What is at a path, as JSON: type, size, mtime, mode; of a file also binary and mime. Links are not followed.",
      parameters: { path: usual.file },
      preset: { kind: true },
      show: read.status,
    },
    tree: {
      tool: "list_directory",
      description: "Shows a directory as an indented tree, with the sizes of the files.",
      parameters: {
        path: directory,
        depth: { to: "depth", as: "unless_zero", description: "Levels of directories, at most 20. Default 4." },
        respect_gitignore: ignores,
      },
      preset: { recursive: true, hidden: true, depth: 4, limit: 1000 },
      show: read.tree,
    },
  },
};
