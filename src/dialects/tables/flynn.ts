/**
 * The tools of flynn, whose names have dots. Where a client allows no dots, `flynn-plain` is the same with underscores.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import { CUT, DIRECTORY, EXACT, PATH, PROPOSED, READ_FIRST, SHELL } from "./rules.ts";

const file: Parameter = { to: "path", description: PATH };
const id: Parameter = { to: "id", description: "The id that its start gave." };

export const flynn: DialectTable = {
  about: `Read a file before you change it. ${PROPOSED}`,
  tools: [
    {
      name: "file.read",
      tool: "read_file",
      description: `Reads a file. Text is returned exactly, by lines. ${CUT}`,
      parameters: {
        path: file,
        offset: { to: "offset", description: "The first line, 1-based; negative counts from the end." },
        limit: { to: "limit", description: "How many lines. Default 2000." },
      },
    },
    {
      name: "file.write",
      tool: "write_file",
      description: `Writes a whole file, with the directories that it needs. ${READ_FIRST} ${PROPOSED}`,
      parameters: { path: file, content: { to: "content", description: "The whole new content." } },
    },
    {
      name: "file.edit",
      tool: "edit_file",
      description: `Replaces an exact piece of text in a file. ${EXACT} ${READ_FIRST} ${PROPOSED}`,
      parameters: {
        path: file,
        old_text: { to: "old_text", required: true, description: "The text to replace." },
        new_text: { to: "new_text", required: true, description: "The text to put in its place." },
        replace_all: { to: "replace_all", description: "Replace every occurrence. Default false." },
      },
    },
    {
      name: "file.list",
      tool: "list_directory",
      description: `Lists a directory: names, types, sizes, times. ${CUT}`,
      parameters: {
        path: { to: "path", description: DIRECTORY },
        recursive: { to: "recursive", description: "Also what is below. Default false." },
      },
    },
    {
      name: "shell.exec",
      tool: "shell",
      description: SHELL,
      parameters: {
        command: { to: "command", description: "The command line." },
        cwd: { to: "cwd", description: "The directory to run in. Default: the first root." },
        timeout: { to: "timeout_ms", description: "Milliseconds after which it is ended." },
      },
    },
    {
      name: "process.start",
      tool: "process_start",
      description:
        "Starts a bash command line in the background and returns at once. It ends with this server. Lines that do more than read wait for approval.",
      parameters: {
        command: { to: "shell", required: true, description: "The command line." },
        cwd: { to: "cwd", description: "The directory to run in. Default: the first root." },
      },
    },
    {
      name: "process.status",
      tool: "process_output",
      description: "Whether a background command still runs, and what it has put out since the last look.",
      parameters: { id },
    },
    {
      name: "process.kill",
      tool: "process_stop",
      description: "Ends a background command and everything that it started.",
      parameters: { id },
    },
    {
      name: "system.info",
      tool: "system_info",
      description: "What this server is: version, platform, roots, what happens to changes, limits.",
      parameters: {},
    },
  ],
};
