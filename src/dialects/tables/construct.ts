/**
 * The tools of construct: short names, `old` and `new`, seconds for time.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import { CUT, DIRECTORY, EXACT, PATH, PROPOSED, READ_FIRST, SHELL } from "./rules.ts";

const file: Parameter = { to: "path", description: PATH };
const directory: Parameter = { to: "path", description: DIRECTORY };

export const construct: DialectTable = {
  about: `Read a file before you edit it. ${PROPOSED}`,
  tools: [
    {
      name: "read",
      tool: "read_file",
      description: `Reads a file. Text is returned exactly, by lines. ${CUT}`,
      parameters: {
        path: file,
        offset: { to: "offset", description: "The first line, 1-based; negative counts from the end." },
        limit: { to: "limit", description: "How many lines. Default 2000." },
      },
    },
    {
      name: "write",
      tool: "write_file",
      description: `Writes a whole file, with the directories that it needs. ${READ_FIRST} ${PROPOSED}`,
      parameters: { path: file, content: { to: "content", description: "The whole new content." } },
    },
    {
      name: "edit",
      tool: "edit_file",
      description: `Replaces old with new in a file. old must stand there exactly. ${EXACT} ${READ_FIRST} ${PROPOSED}`,
      parameters: {
        path: file,
        old: { to: "old_text", required: true, description: "The text to replace." },
        new: { to: "new_text", required: true, description: "The text to put in its place." },
        all: { to: "replace_all", description: "Replace every occurrence. Default false." },
      },
    },
    {
      name: "bash",
      tool: "shell",
      description: SHELL,
      parameters: {
        command: { to: "command", description: "The command line." },
        timeout: { to: "timeout_ms", as: "seconds", description: "Seconds after which it is ended." },
      },
    },
    {
      name: "glob",
      tool: "glob",
      description: `Finds files by a pattern such as **/*.ts, newest first. ${CUT}`,
      parameters: {
        pattern: { to: "pattern", description: "The glob pattern, matched against the path below `path`." },
        path: directory,
      },
    },
    {
      name: "grep",
      tool: "grep",
      description: `Searches file contents with ripgrep's regular expressions and shows the lines. ${CUT}`,
      parameters: {
        pattern: { to: "pattern", description: "The regular expression." },
        path: { to: "path", description: "The file or directory to search. Default: the first root." },
        include: {
          to: "include",
          as: "list",
          description: "Only files that match this glob, for example *.ts.",
        },
      },
    },
    {
      name: "listdir",
      tool: "list_directory",
      description: `Lists a directory: names, types, sizes, times. ${CUT}`,
      parameters: { path: directory },
    },
  ],
};
