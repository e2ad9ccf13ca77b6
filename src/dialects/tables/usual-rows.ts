/**
 * What several dialects have in the same words: our rules, and rows that differ in their name only.
 */
import type { Parameter, TableRow } from "../dialect-table.ts";

export const PROPOSED =
  "The answer says whether the change was made, or is proposed with its diff and waits for approval; do not repeat a proposed change.";
export const READ_FIRST = "Read the file before you change it.";
export const CUT = "Long answers are cut; the note before the text gives the next call.";
export const EXACT = "It must occur exactly once, unless every occurrence is meant.";
export const SHELL =
  "Runs a bash command line inside the roots, without standard input. A line that is not allowed to run at once waits for approval: the answer says so, and the call need not be repeated. Long output is cut in the middle, and the note before it says where all of it can be read.";
export const LISTS: string = `Lists a directory: names, types, sizes, times. ${CUT}`;

export const file: Parameter = {
  to: "path",
  description: "The file. Relative to the first root, or absolute inside a root.",
};
export const directory: Parameter = { to: "path", description: "The directory. Default: the first root." };
export const searched: Parameter = {
  to: "path",
  description: "The file or directory to search. Default: the first root.",
};
export const content = "The whole new content.";
export const regex = "The regular expression.";
export const glob = (about: string): Parameter => ({ to: "include", as: "list", description: about });
export const multiline: Parameter = {
  choose: { true: { multiline: true, dotall: true }, false: { multiline: false } },
  description: "Let a match span lines, and . match line ends.",
};
export const replaceAll: Parameter = { to: "replace_all", description: "Replace every occurrence. Default false." };
export const command = "The command line.";
export const workDirectory: Parameter = { to: "cwd", description: "The directory to run in. Default: the first root." };
export const timeoutMs: Parameter = { to: "timeout_ms", description: "Milliseconds after which it is ended." };
export const timeoutSeconds: Parameter = {
  to: "timeout_ms",
  as: "seconds",
  description: "Seconds after which it is ended.",
};
export const purpose: Parameter = { to: "description", description: "What it does, for the person who is asked." };

/** The old and the new text of an edit. */
export function oldAndNew(old: string, fresh: string): Readonly<Record<string, Parameter & { readonly to: string }>> {
  return {
    [old]: { to: "old_text", required: true, description: `The text to replace. ${EXACT}` },
    [fresh]: { to: "new_text", required: true, description: "The text to put in its place." },
  };
}

/** Several edits of one file. */
export function editList(old: string, fresh: string): Parameter {
  const replace_all = { to: "replace_all", description: replaceAll.description };
  return { to: "edits", required: true, description: "The edits.", members: { ...oldAndNew(old, fresh), replace_all } };
}

export const read: TableRow = {
  tool: "read_file",
  description: `Reads a file. Text is returned exactly, by lines. Images are shown. ${CUT}`,
  parameters: {
    path: file,
    offset: "The first line, 1-based; negative counts from the end.",
    limit: "How many lines. Default 2000, and about 32 KB.",
  },
};

export function write(path: Readonly<Record<string, Parameter>> = { path: file }): TableRow {
  return {
    tool: "write_file",
    description: `Writes a whole file, new or in place of one that is there, with the directories that it needs. Give all of the content: placeholders are refused. ${READ_FIRST} ${PROPOSED}`,
    parameters: { ...path, content },
  };
}

export const find: TableRow = {
  tool: "glob",
  description: `Finds files by a pattern such as **/*.ts, newest first. ${CUT}`,
  parameters: { pattern: "The glob pattern, matched against the path below `path`.", path: directory },
};

export const grep: TableRow = {
  tool: "grep",
  description: `Searches file contents with ripgrep's regular expressions and shows the lines. ${CUT}`,
  parameters: { pattern: regex, path: searched, include: glob("Only files that match this glob, for example *.ts.") },
};

export const list: TableRow = { tool: "list_directory", description: LISTS, parameters: { path: directory } };

/** @param parameters besides the command line */
export function bash(parameters: Readonly<Record<string, string | Parameter>>): TableRow {
  return { tool: "shell", description: SHELL, parameters: { command, ...parameters } };
}

export const start: TableRow = {
  tool: "process_start",
  description:
    "Starts a bash command line in the background and returns at once. It ends with this server. A line that is not allowed to run at once waits for approval: the answer says so.",
  parameters: { command: { to: "shell", required: true, description: command }, cwd: workDirectory },
};

const process: Parameter = { to: "id", required: true, description: "The id that its start gave." };

export function output(id = "id"): TableRow {
  return {
    tool: "process_output",
    description:
      "Whether a background command still runs, and what it has put out since the last look. Works after its end too.",
    parameters: { [id]: process },
  };
}

export function stop(id = "id"): TableRow {
  return {
    tool: "process_stop",
    description: "Ends a background command and everything that it started.",
    parameters: { [id]: process },
  };
}
