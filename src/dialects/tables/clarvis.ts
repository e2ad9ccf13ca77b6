/**
 * The tools of clarvis' agent-tools: ours by and large, with an edit for one place and one for several, seconds for time,
 * and `monitor_*` for what goes on in the background.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import { CUT, DIRECTORY, EXACT, PATH, PROPOSED, READ_FIRST, SHELL } from "./rules.ts";

const file: Parameter = { to: "path", description: PATH };
const directory: Parameter = { to: "path", description: DIRECTORY };
const id: Parameter = { to: "id", description: "The id that monitor_start gave." };
const oldText = `The text to replace. ${EXACT}`;
const newText = "The text to put in its place.";
const replaceAll = "Replace every occurrence. Default false.";
const overwrite: Parameter = { to: "overwrite", description: "Replace a file that is there. Default false." };

export const clarvis: DialectTable = {
  about: `Read a file before you edit it. ${PROPOSED}`,
  tools: [
    {
      name: "read_file",
      tool: "read_file",
      description: `Reads a file. Text is returned exactly, by lines. Images are shown. ${CUT}`,
      parameters: {
        path: file,
        offset: { to: "offset", description: "The first line, 1-based; negative counts from the end." },
        limit: { to: "limit", description: "How many lines. Default 2000." },
      },
    },
    {
      name: "read_files",
      tool: "read_files",
      description: `Reads several text files, at most 64 and a megabyte in all. ${CUT}`,
      parameters: { paths: { to: "files", as: "paths", required: true, description: "The paths." } },
    },
    {
      name: "list_directory",
      tool: "list_directory",
      description: `Lists a directory: names, types, sizes, times. ${CUT}`,
      parameters: { path: directory },
    },
    {
      name: "tree",
      tool: "tree",
      description: `Shows a directory as an indented tree. ${CUT}`,
      parameters: {
        path: directory,
        depth: { to: "depth", description: "Levels of directories. Default 4." },
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
      name: "write_file",
      tool: "write_file",
      description: `Writes a whole file, with the directories that it needs. ${READ_FIRST} ${PROPOSED}`,
      parameters: { path: file, content: { to: "content", description: "The whole new content." } },
    },
    {
      name: "edit_file",
      tool: "edit_file",
      description: `Replaces an exact piece of text in a file. ${READ_FIRST} ${PROPOSED}`,
      parameters: {
        path: file,
        old_text: { to: "old_text", required: true, description: oldText },
        new_text: { to: "new_text", required: true, description: newText },
        replace_all: { to: "replace_all", description: replaceAll },
      },
    },
    {
      name: "multi_edit",
      tool: "edit_file",
      description: `Makes several edits of one file, all or none. All are looked for in the file as it is now, and must not overlap. ${READ_FIRST} ${PROPOSED}`,
      parameters: {
        path: file,
        edits: {
          to: "edits",
          required: true,
          description: "The edits.",
          members: {
            old_text: { to: "old_text", description: oldText },
            new_text: { to: "new_text", description: newText },
            replace_all: { to: "replace_all", description: replaceAll },
          },
        },
      },
    },
    {
      name: "apply_patch",
      tool: "apply_patch",
      description: `Applies a patch to one or more files, all of it or nothing: *** Begin Patch, unified or git diffs, SEARCH/REPLACE blocks. ${READ_FIRST} ${PROPOSED}`,
      parameters: { patch: { to: "patch", description: "The patch as text." } },
    },
    {
      name: "move",
      tool: "move",
      description: `Moves or renames a file or directory. ${PROPOSED}`,
      parameters: {
        source: { to: "source", description: "What to move." },
        destination: { to: "destination", description: "Its new path." },
        overwrite,
      },
    },
    {
      name: "copy",
      tool: "copy",
      description: `Copies a file, or with recursive a directory. ${PROPOSED}`,
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
      description: `Creates a directory and the parents that it needs. ${PROPOSED}`,
      parameters: { path: { to: "path", description: "The directory." } },
    },
    {
      name: "remove",
      tool: "delete",
      description: `Deletes a file, or with recursive a directory. It can be undone for a while. ${PROPOSED}`,
      parameters: {
        path: { to: "path", description: "What to delete." },
        recursive: { to: "recursive", description: "Delete a directory that is not empty. Default false." },
      },
    },
    {
      name: "bash",
      tool: "shell",
      description: SHELL,
      parameters: {
        command: { to: "command", description: "The command line." },
        cwd: { to: "cwd", description: "The directory to run in. Default: the first root." },
        timeout: { to: "timeout_ms", as: "seconds", description: "Seconds after which it is ended." },
      },
    },
    {
      name: "monitor_start",
      tool: "process_start",
      description:
        "Starts a bash command line in the background and returns at once. It ends with this server. Lines that do more than read wait for approval.",
      parameters: {
        command: { to: "shell", required: true, description: "The command line." },
        cwd: { to: "cwd", description: "The directory to run in. Default: the first root." },
      },
    },
    {
      name: "monitor_read",
      tool: "process_output",
      description: "What a background command has put out since the last look. Works after its end too.",
      parameters: { id },
    },
    {
      name: "monitor_list",
      tool: "process_list",
      description: "The background commands, running and lately ended.",
      parameters: {},
    },
    {
      name: "monitor_stop",
      tool: "process_stop",
      description: "Ends a background command and everything that it started.",
      parameters: { id },
    },
  ],
};
