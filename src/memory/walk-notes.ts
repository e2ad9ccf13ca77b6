/**
 * The notes of the memory with their sizes and times, by handle, as many as a memory may have. Links and names that are no
 * namespaces are passed over: what lies there is no note.
 *
 * Usual mistake: to follow a link, which would make a note of a file that rules know under another name.
 */
import { Failure, throwIfStopped, type Cancel } from "../base/index.ts";
import type { Located, Scope } from "../scope/index.ts";
import { readDirectory, statEntries } from "../sys/index.ts";
import { MAX_LEVELS, MAX_NAMESPACES, namespaceOfFile } from "./namespace.ts";

/** A note as the disk has it. */
export interface NoteFile {
  readonly namespace: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface FoundNotes {
  /** At most `MAX_NAMESPACES`. */
  readonly notes: readonly NoteFile[];
  /** There are more than those. */
  readonly isCut: boolean;
}

/** The folder of the memory. @throws Failure `denied` in a scope that does not have it */
export function memoryRoot({ roots }: Scope): Located {
  const root = roots.find(({ isMemory }) => isMemory);
  if (root) return { root, rel: "", mustBeDirectory: true, asked: "." };
  throw new Failure("denied", "Cannot reach the memory: this host has none, or the tool is not one of it");
}

export function walkNotes(scope: Scope, cancel: Cancel): FoundNotes {
  const notes: NoteFile[] = [];
  let isCut = false;
  const pending: Located[] = [memoryRoot(scope)];
  for (let next = pending.pop(); next && !isCut; next = pending.pop()) {
    throwIfStopped(cancel, "looking through the memory");
    using directory = openQuietly(scope, next);
    if (!directory) continue;
    const isDenied = scope.deniesIn(next);
    const [files, namespaces]: [string[], string[]] = [[], []];
    const before = next.rel === "" ? "" : `${next.rel}/`;
    for (const { name, type } of readDirectory(directory)) {
      if (isDenied(name)) continue;
      const namespace = type === "file" ? namespaceOfFile(before + name) : undefined;
      if (namespace !== undefined) {
        isCut = notes.length + files.length === MAX_NAMESPACES;
        if (isCut) break;
        files.push(name);
        namespaces.push(namespace);
      } else if (type === "directory" && before.split("/").length < MAX_LEVELS) pending.push(scope.child(next, name));
    }
    for (const [index, stat] of statEntries(directory, files).entries()) {
      const namespace = namespaces[index];
      if (stat && namespace !== undefined) notes.push({ namespace, size: stat.size, mtimeMs: stat.mtimeMs });
    }
  }
  return { notes, isCut };
}

/** What went meanwhile, and a name that no directory has, holds no notes. */
function openQuietly(scope: Scope, at: Located) {
  try {
    return scope.openDirectory(at, "list", "refuse");
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}
