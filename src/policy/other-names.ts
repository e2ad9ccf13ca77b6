/**
 * What other programs call our tools, so that a rule or a list that somebody brings along means the same here. The names are those
 * of the dialects, which are loaded only where one is spoken; a test holds this table to theirs.
 *
 * A name that is also the name of another tool of ours is not here: Gemini's `replace` edits one file, and ours many.
 */
import type { ToolFacts } from "./groups.ts";

/** By our name, without what the tool has as an alias. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  read_file: ["read_media_file", "read_image", "view_image"],
  read_files: ["read_multiple_files", "read_many_files"],
  list_directory: ["LS", "list_dir", "list_directory_with_sizes", "directory_tree"],
  stat: ["get_file_info"],
  glob: ["search_files"],
  grep: ["grep_search", "search_file_content", "grep_files"],
  diff_files: ["diff"],
  edit_file: ["MultiEdit", "multi_edit"],
  shell: ["run_shell_command", "shell_command"],
  process_start: ["process.start", "monitor_start"],
  process_output: ["process.output", "BashOutput", "monitor_poll"],
  process_list: ["process.list", "process.status", "monitor_list"],
  process_stop: ["process.kill", "KillShell", "monitor_stop"],
  object_share: ["minio.share"],
  object_ingest: ["minio.ingest"],
  object_sync: ["minio.sync"],
  // No program has them, and `minio.*` means all that is done with a store.
  object_list: ["minio.list"],
  object_read: ["minio.read"],
  object_put: ["minio.put"],
  system_info: ["system.info", "list_allowed_directories"],
};

/** Every name of a tool besides its own. */
export function otherNames({ name, aliases = [] }: ToolFacts): readonly string[] {
  return [...aliases, ...(Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] ?? []) : [])];
}
