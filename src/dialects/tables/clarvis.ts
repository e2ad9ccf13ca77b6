/**
 * The tools of clarvis' agent-tools: ours by and large, with an edit for one place and one for several, seconds for time,
 * and `monitor_*` for what goes on in the background.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

const overwrite: Parameter = { to: "overwrite", description: "Replace a file that is there. Default false." };

export const clarvis: DialectTable = {
  about: `Read a file before you edit it. ${usual.PROPOSED}`,
  tools: [
    usual.readRow("read_file"),
    {
      name: "read_files",
      tool: "read_files",
      description: `Reads several text files, at most 64 and about 32 KB in all. ${usual.CUT}`,
      parameters: { paths: { to: "files", as: "paths", required: true, description: "The paths." } },
    },
    {
      name: "list_directory",
      tool: "list_directory",
      description: usual.LISTS,
      parameters: { path: usual.directory },
    },
    {
      name: "tree",
      tool: "tree",
      description: `Shows a directory as an indented tree. ${usual.CUT}`,
      parameters: {
        path: usual.directory,
        depth: { to: "depth", description: "Levels of directories. Default 4." },
      },
    },
    usual.globRow("glob"),
    usual.grepRow("grep"),
    usual.writeRow("write_file"),
    usual.editRow("edit_file", { description: "Replaces an exact piece of text in a file." }),
    {
      name: "multi_edit",
      tool: "edit_file",
      description: `Makes several edits of one file, all or none. All are looked for in the file as it is now, and must not overlap. ${usual.READ_FIRST} ${usual.PROPOSED}`,
      parameters: { path: usual.file, edits: usual.editList("old_text", "new_text") },
    },
    {
      name: "apply_patch",
      tool: "apply_patch",
      description: `Applies a patch to one or more files, all of it or nothing: *** Begin Patch, unified or git diffs, SEARCH/REPLACE blocks. ${usual.READ_FIRST} ${usual.PROPOSED}`,
      parameters: { patch: { to: "patch", description: "The patch as text." } },
    },
    {
      name: "move",
      tool: "move",
      description: `Moves or renames a file or directory. ${usual.PROPOSED}`,
      parameters: {
        source: { to: "source", description: "What to move." },
        destination: { to: "destination", description: "The new path." },
        overwrite,
      },
    },
    {
      name: "copy",
      tool: "copy",
      description: `Copies a file, or with recursive a directory. ${usual.PROPOSED}`,
      parameters: {
        source: { to: "source", description: "What to copy." },
        destination: { to: "destination", description: "The path of the copy." },
        recursive: { to: "recursive", description: "Copy a directory. Default false." },
        overwrite,
      },
    },
    {
      name: "mkdir",
      tool: "create_directory",
      description: `Creates a directory and the parents that it needs. ${usual.PROPOSED}`,
      parameters: { path: { to: "path", description: "The directory." } },
    },
    {
      name: "remove",
      tool: "delete",
      description: `Deletes a file, or with recursive a directory. It can be undone for a while. ${usual.PROPOSED}`,
      parameters: {
        path: { to: "path", description: "What to delete." },
        recursive: { to: "recursive", description: "Delete a directory that is not empty. Default false." },
      },
    },
    {
      name: "bash",
      tool: "shell",
      description: usual.SHELL,
      parameters: { command: usual.command, cwd: usual.workDirectory, timeout: usual.timeoutSeconds },
    },
    usual.startRow("monitor_start"),
    usual.outputRow("monitor_read"),
    {
      name: "monitor_list",
      tool: "process_list",
      description: "The background commands, running and lately ended.",
      parameters: {},
    },
    usual.stopRow("monitor_stop"),
  ],
};
