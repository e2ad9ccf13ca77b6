/**
 * The tools of Flynn by our names, for its configuration and its skills.
 */

/** Tools of other servers keep their name (`mcp:server:tool`), which is an alias here too. */
export function toolNamed(name: string): string {
  if (name.startsWith("group:") || name.startsWith("mcp:")) return name;
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? name) : name.replaceAll(".", "_");
}

/** Tools whose names here are others than with an underscore for the dot. */
const NAMES: Readonly<Record<string, string>> = {
  "file.read": "read_file",
  "file.write": "write_file",
  "file.edit": "edit_file",
  "file.list": "list_directory",
  "file.patch": "apply_patch",
  "file.*": "group:fs",
  "shell.exec": "shell",
  "shell.*": "shell",
  "process.status": "process_list",
  "process.kill": "process_stop",
  "browser.*": "group:browser",
  "minio.share": "object_share",
  "minio.ingest": "object_ingest",
  "minio.sync": "object_sync",
  "minio.*": "group:objects",
};
