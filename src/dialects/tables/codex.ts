/**
 * The tools of OpenAI's Codex: everything by patch and command, and the reading tools of its later versions, so that it
 * can read where there is no shell.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

/** What a command has besides its line. */
const running: Readonly<Record<string, Parameter>> = {
  workdir: usual.workDirectory,
  timeout_ms: usual.timeoutMs,
  justification: usual.purpose,
  sandbox_permissions: {
    description: "Has no effect: what may run is decided by this server, and no call can ask for more.",
  },
};

export const codex: DialectTable = {
  about: `apply_patch makes every change of files. ${usual.READ_FIRST} ${usual.PROPOSED}`,
  tools: {
    apply_patch: {
      description: `Applies a patch in the *** Begin Patch format (Add File, Update File with Move to, Delete File): all of it or nothing. Every hunk must have exactly one place in the file as it is; @@ lines choose it. Add File does not replace a file. A failure names each hunk without a place, with the nearest text. ${usual.READ_FIRST} ${usual.PROPOSED}`,
      parameters: { input: { to: "patch", description: "The whole patch, from *** Begin Patch to *** End Patch." } },
    },
    shell: {
      description: `${usual.SHELL} The command is a list of words; ["bash", "-lc", "..."] runs a command line.`,
      parameters: { command: { to: "command", as: "argv", description: "The program and its arguments." }, ...running },
    },
    shell_command: usual.bash(running),
    read_file: {
      description: `Reads a file: each line with its number and a tab before it, which are not part of the file. ${usual.CUT}`,
      preset: { line_numbers: true },
      parameters: {
        file_path: { to: "path", description: "The file." },
        offset: "The line to start at, 1-based. Default 1.",
        limit: "How many lines to read. Default 2000, and about 32 KB.",
      },
    },
    list_dir: {
      tool: "list_directory",
      description: `Lists a directory and what is below it, to a depth. ${usual.CUT}`,
      preset: { recursive: true, depth: 2, hidden: true },
      parameters: {
        dir_path: { to: "path", required: true, description: "The directory." },
        limit: "How many entries.",
        depth: "Levels of directories. Default 2.",
      },
    },
    grep_files: {
      tool: "grep",
      description: `Finds files whose contents match a regular expression. ${usual.CUT}`,
      preset: { output: "files" },
      parameters: {
        pattern: usual.regex,
        include: usual.glob("Only files that match this glob, for example *.rs."),
        path: usual.searched,
        limit: "At most this many files.",
      },
    },
    view_image: { tool: "read_file", description: "Shows an image.", parameters: { path: "The image." } },
  },
};
