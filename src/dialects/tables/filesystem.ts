/**
 * The reference filesystem server, `@modelcontextprotocol/server-filesystem`: its 14 names, its parameters, and its texts
 * made from our structured answers. Run both against each other in test/dialects/reference.test.ts, which names every
 * difference.
 */
import type { DialectTable, Parameter } from "../dialect-table.ts";
import * as show from "../reference-texts.ts";

const path: Parameter = { to: "path", required: true, description: "A path inside the allowed directories." };
const ALLOWED = "Only works within allowed directories.";
const AWAITS =
  "Depending on how this server was started the change is proposed first, and the answer says so; do not repeat a proposed change.";
const CUT = "What is too long is cut, and a note at the end says so.";
/** As many lines as fit into one answer, and as many entries: the reference has no page that is smaller. */
const WHOLE = { limit: 1_000_000_000 };
const ALL = { limit: 1000 };
const reading: Readonly<Record<string, Parameter>> = {
  path,
  head: { to: "limit", as: "head", description: "If provided, returns only the first N lines of the file" },
  tail: { to: "offset", as: "tail", description: "If provided, returns only the last N lines of the file" },
};

export const filesystem: DialectTable = {
  isWhole: true,
  about:
    "write_file and edit_file change a file that is there only after it was read, unless this server was started with --baseline=if_known. list_allowed_directories names the directories.",
  tools: {
    read_file: {
      title: "Read File (Deprecated)",
      description: `Reads a file as text. DEPRECATED: Use read_text_file instead. ${CUT}`,
      parameters: reading,
      preset: WHOLE,
      show: show.fileText,
    },
    read_text_file: {
      tool: "read_file",
      title: "Read Text File",
      description: `Reads a file as text, in whatever encoding it is; head or tail give only its first or last lines. ${CUT} ${ALLOWED}`,
      parameters: reading,
      preset: WHOLE,
      show: show.fileText,
    },
    read_media_file: {
      tool: "read_file",
      title: "Read Media File",
      description: `Reads a file of up to 768 KiB as base64 with its MIME type: images and audio as such, anything else as an embedded resource. ${ALLOWED}`,
      parameters: { path },
      preset: { encoding: "base64", ...WHOLE },
      show: show.media,
    },
    read_multiple_files: {
      tool: "read_files",
      title: "Read Multiple Files",
      description: `Reads several text files at once, at most 64 and a megabyte in all. Each comes with its path; a file that cannot be read says so in its place. ${CUT} ${ALLOWED}`,
      parameters: { paths: { to: "files", as: "whole_paths", required: true, description: "The paths of the files." } },
      show: show.fileTexts,
    },
    write_file: {
      title: "Write File",
      description: `Creates a file or replaces all of it. Placeholders for text that stays are refused. ${AWAITS} ${ALLOWED}`,
      parameters: { path, content: "The whole content." },
      show: ({ given }) => `Successfully wrote to ${String(given["path"])}`,
    },
    edit_file: {
      title: "Edit File",
      description: `Replaces exact pieces of text in a file and returns a git-style diff. Every oldText must occur exactly once in the file as it is now, and edits must not overlap. ${AWAITS} ${ALLOWED}`,
      parameters: {
        path,
        edits: {
          to: "edits",
          required: true,
          description: "The edits.",
          members: {
            oldText: { to: "old_text", description: "Text to search for - must match exactly" },
            newText: { to: "new_text", description: "Text to replace with" },
          },
        },
        dryRun: { type: "boolean", description: "Preview the changes as a diff: nothing is written. Default false." },
      },
      dryRun: "dryRun",
      show: show.editDiff,
    },
    create_directory: {
      title: "Create Directory",
      description: `Creates a directory and the parents that it needs; one that is there is fine. ${AWAITS} ${ALLOWED}`,
      parameters: { path },
      show: ({ given }) => `Successfully created directory ${String(given["path"])}`,
    },
    list_directory: {
      title: "List Directory",
      description: `Lists a directory: each name with [FILE] or [DIR] before it, sorted. ${CUT} ${ALLOWED}`,
      parameters: { path },
      preset: ALL,
      show: show.names,
    },
    list_directory_with_sizes: {
      tool: "list_directory",
      title: "List Directory with Sizes",
      description: `Lists a directory with the sizes of the files, and their sum. ${CUT} ${ALLOWED}`,
      parameters: {
        path,
        sortBy: {
          choose: { name: { sort: "name" }, size: { sort: "size" } },
          description: "Sort entries by name or size",
        },
      },
      preset: ALL,
      show: show.sizes,
    },
    directory_tree: {
      tool: "list_directory",
      title: "Directory Tree",
      description: `Shows what is below a directory as JSON: name, type (file or directory) and, of a directory, children. At most 1000 entries. ${CUT} ${ALLOWED}`,
      preset: { recursive: true, hidden: true, no_ignore: true, ...ALL },
      parameters: {
        path,
        excludePatterns: {
          to: "exclude",
          as: "anywhere",
          description: "Globs of what to leave out; a name without * is left out wherever it stands.",
        },
      },
      show: show.tree,
    },
    move_file: {
      tool: "move",
      title: "Move File",
      description: `Moves or renames a file or directory. Fails when the destination exists. ${AWAITS} ${ALLOWED}`,
      parameters: { source: "What to move.", destination: "The new path." },
      show: ({ given }) => `Successfully moved ${String(given["source"])} to ${String(given["destination"])}`,
    },
    search_files: {
      tool: "glob",
      title: "Search Files",
      description: `Finds files and directories by a glob that is matched against their path below the directory: '*.ext' in it, '**/*.ext' at any depth. Returns full paths, at most 1000. ${CUT} ${ALLOWED}`,
      preset: { directories: true, hidden: true, no_ignore: true, sort: "name", ...ALL },
      parameters: {
        path,
        pattern: "The glob.",
        excludePatterns: { to: "exclude", as: "anchored", description: "Globs of what to leave out." },
      },
      show: show.found,
    },
    get_file_info: {
      tool: "stat",
      title: "Get File Info",
      description: `Tells size, times, permissions and type of a file or directory. ${ALLOWED}`,
      parameters: { path },
      show: show.info,
    },
    list_allowed_directories: {
      tool: "system_info",
      title: "List Allowed Directories",
      description: "Names the directories that this server may reach, with everything below them.",
      show: ({ roots }) => `Allowed directories:\n${roots.join("\n")}`,
    },
  },
};
