/**
 * The tools of OpenAI's Codex: everything by patch and command, and the reading tools of its later versions, so that it
 * can read where there is no shell.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

const permissions: Parameter = {
  description: "Has no effect: what may run is decided by this server, and no call can ask for more.",
};

export const codex: DialectTable = {
  about: `apply_patch makes every change of files. ${usual.READ_FIRST} ${usual.PROPOSED}`,
  tools: [
    {
      name: "apply_patch",
      tool: "apply_patch",
      description: `Applies a patch in the *** Begin Patch format (Add File, Update File with Move to, Delete File): all of it or nothing. Every hunk must have exactly one place in the file as it is; @@ lines choose it. Add File does not replace a file. A failure names each hunk without a place, with the nearest text. ${usual.READ_FIRST} ${usual.PROPOSED}`,
      parameters: {
        input: { to: "patch", description: "The whole patch, from *** Begin Patch to *** End Patch." },
      },
    },
    {
      name: "shell",
      tool: "shell",
      description: `${usual.SHELL} The command is a list of words; ["bash", "-lc", "..."] runs a command line.`,
      parameters: {
        command: { to: "command", as: "argv", description: "The program and its arguments." },
        workdir: usual.workDirectory,
        timeout_ms: usual.timeoutMs,
        justification: usual.purpose,
        sandbox_permissions: permissions,
      },
    },
    {
      name: "shell_command",
      tool: "shell",
      description: usual.SHELL,
      parameters: {
        command: usual.command,
        workdir: usual.workDirectory,
        timeout_ms: usual.timeoutMs,
        justification: usual.purpose,
        sandbox_permissions: permissions,
      },
    },
    {
      name: "read_file",
      tool: "read_file",
      description: `Reads a file: each line with its number and a tab before it, which are not part of the file. ${usual.CUT}`,
      preset: { line_numbers: true },
      parameters: {
        file_path: { to: "path", description: "The file." },
        offset: { to: "offset", description: "The line to start at, 1-based. Default 1." },
        limit: { to: "limit", description: "How many lines to read. Default 2000, and about 32 KB." },
      },
    },
    {
      name: "list_dir",
      tool: "list_directory",
      description: `Lists a directory and what is below it, to a depth. ${usual.CUT}`,
      preset: { recursive: true, depth: 2, hidden: true },
      parameters: {
        dir_path: { to: "path", required: true, description: "The directory." },
        limit: { to: "limit", description: "How many entries." },
        depth: { to: "depth", description: "Levels of directories. Default 2." },
      },
    },
    {
      name: "grep_files",
      tool: "grep",
      description: `Finds files whose contents match a regular expression. ${usual.CUT}`,
      preset: { output: "files" },
      parameters: {
        pattern: { to: "pattern", description: "The regular expression." },
        include: {
          to: "include",
          as: "list",
          description: "Only files that match this glob, for example *.rs.",
        },
        path: usual.searched,
        limit: { to: "limit", description: "At most so many files." },
      },
    },
    {
      name: "view_image",
      tool: "read_file",
      description: "Shows an image.",
      parameters: { path: { to: "path", description: "The image." } },
    },
  ],
};
