/**
 * The physical side of a change set: what is done to the disk, act by act, with every name that is used on the way. It is
 * what the journal holds, so everything in it is known before the first byte is written.
 *
 * Names beside a target are made of the transaction and the number of the act: nobody can guess them, and recovery can
 * make them again.
 */
import { pathsOf, type Before, type MadeIdentity, type SealedPath, type SealedStep } from "../model.ts";
import { isMark } from "../fingerprint.ts";

/** Which object: two names of one inode are the same. */
export interface Identity {
  readonly dev: string;
  readonly ino: string;
}

export function isSame(a: Identity | undefined, b: Identity | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

export type Act =
  /** Something staged takes the place at `at`. */
  | {
      readonly act: "put";
      readonly at: SealedPath;
      readonly replaces: boolean;
      /** Earlier acts make or move what it works on: nothing of it can be looked at before them. */
      readonly late: boolean;
      /** Where it waits, beside its place. */
      readonly staged: SealedPath;
      readonly source: PutSource;
      /** sha256 of a new file's content: what recovery may take away again. */
      readonly after?: string;
    }
  /** New content in the same inode. */
  | {
      readonly act: "rewrite";
      readonly at: SealedPath;
      readonly content: number;
      /** sha256 of the old content. */
      readonly before: string;
      readonly after: string;
      readonly late: boolean;
    }
  | { readonly act: "make_directory"; readonly at: SealedPath; readonly late: boolean }
  | { readonly act: "remove"; readonly at: SealedPath; readonly late: boolean }
  /** Of an empty one, which is not kept. */
  | {
      readonly act: "remove_directory";
      readonly at: SealedPath;
      readonly mode: number;
      readonly late: boolean;
      /** Only while it is empty and this one; else it stays. */
      readonly made?: MadeIdentity;
    }
  | {
      readonly act: "move";
      readonly late: boolean;
      /** Of a copy to another device. */
      readonly staged: SealedPath;
      readonly from: SealedPath;
      readonly at: SealedPath;
      readonly replaces: boolean;
      /** To another device: a copy is staged, and the source is put aside. */
      readonly across: boolean;
    };

export type PutSource =
  | { readonly kind: "content"; readonly content: number; readonly mode?: number }
  | { readonly kind: "copy"; readonly from: SealedPath }
  /** What an earlier transaction displaced. */
  | { readonly kind: "kept"; readonly transaction: string; readonly name: string };

export interface Planning {
  /** sha256 of a new content. */
  readonly hashOf: (content: number) => string;
  /** Of a file that the history keeps; `undefined` for anything else. */
  readonly hashOfKept: (transaction: string, name: string) => string | undefined;
  /** Whether two places lie on different devices. */
  readonly isAcross: (from: SealedPath, at: SealedPath) => boolean;
}

export function planActs(
  steps: readonly SealedStep[],
  transaction: string,
  { hashOf, hashOfKept, isAcross }: Planning,
): Act[] {
  const isMixed = takesAlong(steps);
  return steps.map((step, index): Act => {
    const { at } = step;
    const replaces = step.before.kind !== "absent";
    const late = isMixed || (step.follows ?? false);
    const staged = inDirectory(parentOf(at), besideName(transaction, index, "staged"));
    switch (step.op) {
      case "put": {
        const { content, mode } = step;
        if (step.inPlace && step.before.kind === "file")
          return { act: "rewrite", at, content, before: step.before.hash, after: hashOf(content), late };
        const source: PutSource = { kind: "content", content, ...(mode === undefined ? {} : { mode }) };
        return { act: "put", at, replaces, late, staged, source, after: hashOf(content) };
      }
      case "copy":
        return {
          act: "put",
          at,
          replaces,
          late,
          staged,
          source: { kind: "copy", from: step.from },
          ...(step.source.kind === "file" && !isMark(step.source.hash) ? { after: step.source.hash } : {}),
        };
      case "restore": {
        const { name, transaction: from } = step;
        const after = hashOfKept(from, name);
        return {
          act: "put",
          at,
          replaces,
          late,
          staged,
          source: { kind: "kept", transaction: from, name },
          ...(after === undefined ? {} : { after }),
        };
      }
      case "make_directory":
        return { act: "make_directory", at, late };
      case "remove":
        return { act: "remove", at, late };
      case "remove_directory":
        return {
          act: "remove_directory",
          at,
          mode: modeOf(step.before),
          late,
          ...(step.made ? { made: step.made } : {}),
        };
      case "move":
        return { act: "move", from: step.from, at, replaces, late, staged, across: isAcross(step.from, at) };
    }
  });
}

/** A tree that is copied or moved on the way would take along what is staged in it: then nothing is staged before its act. */
function takesAlong(steps: readonly SealedStep[]): boolean {
  const harmless = new Set<string>(["put", "make_directory", "remove_directory"]);
  return steps.some(
    (step) =>
      (step.follows && !harmless.has(step.op)) ||
      (step.op === "copy" &&
        step.source.kind === "directory" &&
        steps.some((other) => other !== step && pathsOf(other).some((path) => isAtOrBelow(path, step.from)))),
  );
}

function modeOf(before: Before): number {
  return before.kind === "absent" ? 0o755 : before.mode;
}

/** New content on its way in; what was displaced; the source of a move to another device; directories above a place. */
export type Purpose = "staged" | "old" | "aside" | "parent";

/** The name beside `at` that an act uses for a purpose. */
export function besideName(transaction: string, act: number, purpose: Purpose): string {
  return `.ringfence_${transaction.slice(2)}_${act}.${purpose}.tmp`;
}

export function inDirectory(directory: SealedPath, name: string): SealedPath {
  return { root: directory.root, rel: directory.rel === "" ? name : `${directory.rel}/${name}` };
}

/** Directories that the acts change, each once. */
export function touchedDirectories(acts: readonly Act[]): SealedPath[] {
  const found = new Map<string, SealedPath>();
  for (const act of acts) {
    for (const path of act.act === "move" ? [act.from, act.at] : [act.at]) {
      const parent = parentOf(path);
      found.set(`${parent.root}\0${parent.rel}`, parent);
    }
  }
  return [...found.values()];
}

export function isAtOrBelow(path: SealedPath, top: SealedPath): boolean {
  return (
    path.root === top.root && (top.rel === "" || path.rel === top.rel || path.rel.startsWith(`${top.rel}/`))
  );
}

export function parentOf(path: SealedPath): SealedPath {
  return { root: path.root, rel: path.rel.slice(0, Math.max(0, path.rel.lastIndexOf("/"))) };
}
