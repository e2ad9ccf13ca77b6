/**
 * The tools of Flynn by our names, for its configuration and its skills. A glob is one of Flynn's names: with an underscore for
 * its dot it would mean other tools than it does there, or none, and a list that denies would be weaker without a word.
 */
import { compilePattern } from "../../pattern/index.ts";
import { isKnownGroup } from "../../policy/index.ts";

/** The tools of ours that a name or a glob of Flynn's means. Tools of other servers keep their name, which is an alias here too. */
export function toolsNamed(name: string): readonly string[] {
  if (name.startsWith("group:") || name.startsWith("mcp:")) return [name];
  if (/^\*+$/.test(name)) return ["*"];
  if (Object.hasOwn(NAMES, name)) return [toolNamed(name)];
  const tools = toolsMatching(name);
  // Somebody's own tool may be meant, by its name there or here: what is denied stays so.
  return tools.length > 0 ? tools : [...new Set([name, name.replaceAll(".", "_")])];
}

/** Whether a name or a glob means a tool or a group of Flynn, or may mean tools of another server. */
export function meansSome(name: string): boolean {
  if (name.startsWith("group:")) return isKnownGroup(name);
  return name.startsWith("mcp:") || /^\*+$/.test(name) || toolsMatching(name).length > 0;
}

function toolNamed(name: string): string {
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? name) : name.replaceAll(".", "_");
}

function toolsMatching(glob: string): readonly string[] {
  const pattern = compilePattern(glob, { dot: false, ignoreCase: false, whenTooLong: true });
  const ours = Object.entries(FAMILIES).flatMap(([family, tools]) => {
    const meant = tools.map((tool) => `${family}.${tool}`).filter((name) => pattern.matches(name));
    // A family as a whole has tools here that Flynn does not have.
    const isWhole = tools.length > 1 && meant.length === tools.length;
    return isWhole ? [toolNamed(`${family}.*`)] : meant.map(toolNamed);
  });
  // Names of other servers' tools have no dot, so that only a glob without one may mean some of them.
  return ours.length > 0 && !glob.includes(".") ? [...ours, glob] : [...new Set(ours)];
}

/** What stands before the dot in the names of Flynn, with what stands behind it. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  file: ["read", "write", "edit", "list", "patch"],
  shell: ["exec"],
  process: ["start", "status", "output", "kill", "list"],
  web: ["fetch", "search"],
  browser: ["navigate", "screenshot"],
  memory: ["read", "write", "search"],
  minio: ["share", "ingest", "sync"],
  k8s: ["pods", "deployments", "logs"],
  media: ["send"],
  image: ["analyze"],
  audio: ["transcribe"],
  sessions: ["list", "delete"],
  system: ["info"],
};

/** Tools whose names here are others than with an underscore for the dot. */
const NAMES: Readonly<Record<string, string>> = {
  "file.read": "read_file",
  "file.write": "write_file",
  "file.edit": "edit_file",
  "file.list": "list_directory",
  "file.patch": "apply_patch",
  "file.*": "group:fs",
  "shell.exec": "shell",
  "process.status": "process_list",
  "process.kill": "process_stop",
  "browser.*": "group:browser",
  "minio.share": "object_share",
  "minio.ingest": "object_ingest",
  "minio.sync": "object_sync",
  "minio.*": "group:objects",
};
