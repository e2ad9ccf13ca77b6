/**
 * The tools of Clarvis agent-tools: ours by and large, with an edit for one place and one for several, and `monitor_*` for
 * what goes on in the background.
 */
import type { DialectTable } from "../dialect-table.ts";
import * as usual from "./usual-rows.ts";

const overwrite = "Replace a file that is there. Default false.";

export const clarvis: DialectTable = {
  about: `Read a file before you edit it. ${usual.PROPOSED}`,
  tools: {
    read_file: usual.read,
    read_files: {
      description: `Reads several text files, at most 64 and about 32 KB in all. ${usual.CUT}`,
      parameters: { paths: { to: "files", as: "paths", required: true, description: "The paths." } },
    },
    list_directory: usual.list,
    tree: {
      description: `Shows a directory as an indented tree. ${usual.CUT}`,
      parameters: { path: usual.directory, depth: "Levels of directories. Default 4." },
    },
    glob: usual.find,
    grep: usual.grep,
    write_file: usual.write(),
    edit_file: usual.edit("Replaces an exact piece of text in a file."),
    multi_edit: {
      tool: "edit_file",
      description: `Makes several edits of one file, all or none. All are looked for in the file as it is now, and must not overlap. ${usual.READ_FIRST} ${usual.PROPOSED}`,
      parameters: { path: usual.file, edits: usual.editList("old_text", "new_text") },
    },
    apply_patch: {
      description: `Applies a patch to one or more files, all of it or nothing: *** Begin Patch, unified or git diffs, SEARCH/REPLACE blocks. ${usual.READ_FIRST} ${usual.PROPOSED}`,
      parameters: { patch: "The patch as text." },
    },
    move: {
      description: `Moves or renames a file or directory. ${usual.PROPOSED}`,
      parameters: { source: "What to move.", destination: "The new path.", overwrite },
    },
    copy: {
      description: `Copies a file, or with recursive a directory. ${usual.PROPOSED}`,
      parameters: {
        source: "What to copy.",
        destination: "The path of the copy.",
        recursive: "Copy a directory. Default false.",
        overwrite,
      },
    },
    mkdir: {
      tool: "create_directory",
      description: `Creates a directory and the parents that it needs. ${usual.PROPOSED}`,
      parameters: { path: "The directory." },
    },
    remove: {
      tool: "delete",
      description: `Deletes a file, or with recursive a directory. It can be undone for a while. ${usual.PROPOSED}`,
      parameters: { path: "What to delete.", recursive: "Delete a directory that is not empty. Default false." },
    },
    bash: usual.bash({ cwd: usual.workDirectory, timeout: usual.timeoutSeconds }),
    monitor_start: usual.start,
    monitor_read: usual.output(),
    monitor_list: { tool: "process_list", description: "The background commands, running and lately ended." },
    monitor_stop: usual.stop(),
  },
};
