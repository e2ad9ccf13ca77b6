/**
 * The tools of clarvis' agent-tools: ours by and large, with an edit for one place and one for several, seconds for time,
 * and `monitor_*` for what goes on in the background.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import * as common from "./common.ts";

const overwrite: Parameter = { to: "overwrite", description: "Replace a file that is there. Default false." };

export const clarvis: DialectTable = {
  about: `Read a file before you edit it. ${common.PROPOSED}`,
  tools: [
    common.readRow("read_file"),
    {
      name: "read_files",
      tool: "read_files",
      description: `Reads several text files, at most 64 and a megabyte in all. ${common.CUT}`,
      parameters: { paths: { to: "files", as: "paths", required: true, description: "The paths." } },
    },
    {
      name: "list_directory",
      tool: "list_directory",
      description: common.LISTS,
      parameters: { path: common.directory },
    },
    {
      name: "tree",
      tool: "tree",
      description: `Shows a directory as an indented tree. ${common.CUT}`,
      parameters: {
        path: common.directory,
        depth: { to: "depth", description: "Levels of directories. Default 4." },
      },
    },
    common.globRow("glob"),
    common.grepRow("grep"),
    common.writeRow("write_file"),
    {
      name: "edit_file",
      tool: "edit_file",
      description: `Replaces an exact piece of text in a file. ${common.READ_FIRST} ${common.PROPOSED}`,
      parameters: {
        path: common.file,
        ...common.oldAndNew("old_text", "new_text"),
        replace_all: common.replaceAll,
      },
    },
    {
      name: "multi_edit",
      tool: "edit_file",
      description: `Makes several edits of one file, all or none. All are looked for in the file as it is now, and must not overlap. ${common.READ_FIRST} ${common.PROPOSED}`,
      parameters: { path: common.file, edits: common.editList("old_text", "new_text") },
    },
    {
      name: "apply_patch",
      tool: "apply_patch",
      description: `Applies a patch to one or more files, all of it or nothing: *** Begin Patch, unified or git diffs, SEARCH/REPLACE blocks. ${common.READ_FIRST} ${common.PROPOSED}`,
      parameters: { patch: { to: "patch", description: "The patch as text." } },
    },
    {
      name: "move",
      tool: "move",
      description: `Moves or renames a file or directory. ${common.PROPOSED}`,
      parameters: {
        source: { to: "source", description: "What to move." },
        destination: { to: "destination", description: "Its new path." },
        overwrite,
      },
    },
    {
      name: "copy",
      tool: "copy",
      description: `Copies a file, or with recursive a directory. ${common.PROPOSED}`,
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
      description: `Creates a directory and the parents that it needs. ${common.PROPOSED}`,
      parameters: { path: { to: "path", description: "The directory." } },
    },
    {
      name: "remove",
      tool: "delete",
      description: `Deletes a file, or with recursive a directory. It can be undone for a while. ${common.PROPOSED}`,
      parameters: {
        path: { to: "path", description: "What to delete." },
        recursive: { to: "recursive", description: "Delete a directory that is not empty. Default false." },
      },
    },
    {
      name: "bash",
      tool: "shell",
      description: common.SHELL,
      parameters: { command: common.command, cwd: common.workDirectory, timeout: common.timeoutSeconds },
    },
    common.startRow("monitor_start"),
    common.outputRow("monitor_read"),
    {
      name: "monitor_list",
      tool: "process_list",
      description: "The background commands, running and lately ended.",
      parameters: {},
    },
    common.stopRow("monitor_stop"),
  ],
};
