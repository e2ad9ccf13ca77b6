/**
 * What the preparing of a change set works with: the scope, a place as a change finds it, and the part of the result that a
 * change makes. Each change is prepared against the disk with the overlay laid over it, so that a file can be written and
 * then edited, or a directory moved and something in it changed.
 *
 * Usual mistake: to ask the disk about a place when a parent of it was moved; what lies there on the disk is another thing.
 */
import type { FileChange } from "../../approval/index.ts";
import { type Cancel, Failure, type FailureCode, type FailureExtra } from "../../base/index.ts";
import { type Located, quotable, type Scope } from "../../scope/index.ts";
import type { Origin } from "../../memory/index.ts";
import type { LegacyEncoding } from "../../text/index.ts";
import { sizeOnly } from "../fingerprint.ts";
import type { Inspected } from "../inspect.ts";
import type { Before, ChangeManner, PreparedStep, Reliance, StepFacts, StepOrder } from "../model.ts";
import { createSharedFiles, sharedNames, type SharedFiles, type SharedName } from "../hard-links.ts";

/**
 * Replaces in the text of a file, before a change and after it, what is longer than a line, and moves no line.
 * @throws Failure for a change that is not to be told
 */
export type HideKeys = (path: string, before: string, after: string) => readonly [before: string, after: string];

export interface PrepareContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  readonly legacyEncoding?: LegacyEncoding;
  /** Unchanged lines around a change in a diff; default 3. */
  readonly diffContext?: number | undefined;
  /** The largest file that is edited. Default: as large as can be held. */
  readonly maxFileBytes?: number | undefined;
  /** Diffs are not cut, and are also made of what a move or copy replaces. Default: as an answer holds them. */
  readonly forPeople?: boolean | undefined;
  /** With it there is a `told_diff` where that is another one. */
  readonly hideKeys?: HideKeys | undefined;
  /** The mount of the undo store: what lies on it is kept whatever its size when it is deleted or replaced. */
  readonly undoMount?: string;
  /** Whose entries of notes these are. Without it no note is written. */
  readonly origin?: Origin | undefined;
  /** Keeps new content with the proposal and returns its index. */
  readonly keep: (bytes: Uint8Array) => number;
  /**
   * Asked before a file is taken as changed by an earlier call because it holds the new text and not the old.
   * @throws Failure when it was not. Default: it is taken so.
   */
  readonly takenAsMade?: (path: string, hash: string) => void;
}

/** The context in which all changes of one set are prepared. */
export interface Preparing extends PrepareContext {
  readonly overlay: Overlay;
  readonly manner?: ChangeManner | undefined;
}

/** A place, and what a change finds there after the earlier changes of the set. */
export interface ChangeTarget extends Inspected {
  /** Links resolved; parents may be missing. */
  readonly at: Located;
  /** An earlier change of the set decides what stands there. */
  readonly follows?: true;
  readonly relies?: readonly Reliance[];
  /** Where the object lies on the disk; absent for what only the set has made. */
  readonly origin?: Located;
  readonly merge?: Mergeable;
}

/**
 * What one change of a set, or one file of it, comes to: what people see of it, its step, and what it means for the changes
 * after it. A part has one step, or none when nothing is to be done, so that parts can be chosen by their files.
 */
export interface PreparedPart extends StepFacts {
  readonly file: FileChange;
  readonly steps: readonly PreparedStep[];
  readonly warnings: readonly string[];
  /** Directories that must be made before this part. */
  readonly parents?: readonly PreparedPart[];
  /** The earlier part of the set whose place this takes. */
  readonly replaces?: number;
  /** Lays what it does over the disk, for the changes after it. @param part its number in the set */
  readonly record?: (part: number) => void;
  /** Something was matched other than exactly. */
  readonly tolerant?: boolean;
  /** The part shows that the patch was applied before. */
  readonly isEvidence?: boolean;
}

/** The order of a step on this target. */
export function orderOf({ follows, relies }: StepOrder): StepOrder {
  return follows ? { follows, ...(relies?.length ? { relies } : {}) } : {};
}

/** The description of a change that changes no lines. */
export function describeTarget(
  { at }: Pick<ChangeTarget, "at">,
  { scope }: Preparing,
  operation: FileChange["operation"],
): FileChange {
  return { operation, path: scope.show(at), absolute: scope.absolute(at), added: 0, removed: 0 };
}

/** Makes a failure in the grammar of all messages. @param path as the caller wrote it */
export function refusal(
  code: FailureCode,
  verb: string,
  path: string,
  state: string,
  extra: FailureExtra = {},
): Failure {
  return new Failure(code, `Cannot ${verb} "${quotable(path)}": ${state}`, extra);
}

/** The put of an earlier change that a later one of the same file can still take the place of. */
interface Mergeable {
  /** The number of the put among the parts of the set. */
  readonly part: number;
  readonly step: PreparedStep & { readonly op: "put" };
  /** What the file held before the set. */
  readonly original?: Uint8Array;
}

export type Standing =
  | { readonly kind: "absent" }
  /** `isImplied`: missing on the disk, it comes to be with a file in it; no step of its own makes it. */
  | { readonly kind: "directory"; readonly isImplied?: boolean }
  | {
      readonly kind: "file";
      readonly bytes: Uint8Array;
      readonly before: Before;
      readonly merge?: Mergeable | undefined;
    }
  /**
   * What lies on the disk at `from`, with all that is in it; `isCopy`: in a second inode; `mode`: of a file, where it
   * has another.
   */
  | { readonly kind: "disk"; readonly from: Located; readonly isCopy: boolean; readonly mode?: number };

export interface OverlayEntry {
  readonly at: Located;
  readonly standing: Standing;
}

/**
 * What the earlier changes of a set have made of the disk, in memory. An entry says what stands at one place; a place without
 * one is as the nearest entry above it says, and without any as the disk says. Places are keyed by their absolute path,
 * because of nested roots one place can have two names.
 */
interface Overlay {
  /** Nothing was changed yet, so the disk is all there is. */
  readonly isEmpty: boolean;
  /** A directory or a link was moved or removed, so a link may lead elsewhere than it does on the disk. */
  readonly hasDisplaced: boolean;
  /** What the changes have used of files that have several names. */
  readonly shared: SharedFiles;
  /** The entry of the place or the nearest one above it. */
  nearest(at: Located): OverlayEntry | undefined;
  /** Entries strictly below the place. */
  below(at: Located): readonly OverlayEntry[];
  set(at: Located, standing: Standing): void;
  /** Lets the place be as the disk has it again. */
  forget(at: Located): void;
  /** Removes the place and all below it. */
  clear(at: Located, isDisplaced: boolean): void;
  /** Takes what stands at `from`, and all below it, to `to`; it stays at `from` too when it is a copy. */
  carry(from: Located, to: Located, top: Standing, isCopy: boolean): void;
}

export function createOverlay(scope: Scope): Overlay {
  const entries = new Map<string, OverlayEntry>();
  let hasDisplaced = false;
  const keyOf = (at: Located): string => scope.absolute(at);
  const set = (at: Located, standing: Standing): void => {
    entries.set(keyOf(at), { at, standing });
  };
  const below = (at: Located): OverlayEntry[] => {
    const prefix = `${keyOf(at)}/`;
    return [...entries].flatMap(([key, entry]) => (key.startsWith(prefix) ? [entry] : []));
  };
  const dropBelow = (at: Located): void => {
    for (const entry of below(at)) entries.delete(keyOf(entry.at));
  };
  return {
    get isEmpty() {
      return entries.size === 0;
    },
    get hasDisplaced() {
      return hasDisplaced;
    },
    shared: createSharedFiles(),
    nearest(at) {
      for (let key = keyOf(at); key !== ""; key = key.slice(0, Math.max(0, key.lastIndexOf("/")))) {
        const found = entries.get(key);
        if (found) return found;
      }
      return undefined;
    },
    below,
    set,
    forget: (at) => void entries.delete(keyOf(at)),
    clear(at, isDisplaced) {
      hasDisplaced ||= isDisplaced;
      dropBelow(at);
      set(at, { kind: "absent" });
    },
    carry(from, to, top, isCopy) {
      const carried = below(from);
      dropBelow(to);
      set(to, isCopy ? copied(top) : settled(top));
      for (const { at, standing } of carried) {
        const rel = `${to.rel}${keyOf(at).slice(keyOf(from).length)}`;
        set({ ...at, root: to.root, rel }, isCopy ? withMode(copied(standing), modeOfCopy) : settled(standing));
        if (isCopy) set(at, settled(standing));
      }
      // The source is settled too, because a copy may have taken the mode of what it replaced.
      const source = entries.get(keyOf(from))?.standing;
      if (isCopy && source?.kind === "file") set(from, settled(source));
    },
  };
}

/** Lets no later change merge with what stands there, because another step lies between them. */
function settled(standing: Standing): Standing {
  if (standing.kind === "directory") return { kind: "directory" };
  return standing.kind === "file" ? { ...standing, merge: undefined } : standing;
}

function copied(standing: Standing): Standing {
  return standing.kind === "disk" ? { ...standing, isCopy: true } : settled(standing);
}

/** What the disk has, as it is where it was moved or copied to. @param isTop itself, not something in it */
export function afterCarrying(
  before: Before,
  { isCopy, mode }: Standing & { readonly kind: "disk" },
  isTop: boolean,
): Before {
  const known = sizeOnly(before);
  if (known.kind === "absent") return known;
  const own = isTop && known.kind === "file" ? mode : undefined;
  return { ...known, mode: own ?? (isCopy ? modeOfCopy(known.mode) : known.mode) };
}

/** Changes the mode of what is known to be a file. */
export function withMode(standing: Standing, modeFrom: (mode: number) => number): Standing {
  if (standing.kind === "disk" && standing.mode !== undefined) return { ...standing, mode: modeFrom(standing.mode) };
  return standing.kind === "file" && standing.before.kind === "file"
    ? { ...standing, before: { ...standing.before, mode: modeFrom(standing.before.mode) } }
    : standing;
}

/** A copy that replaces nothing has no set-id and no sticky bit. */
export function modeOfCopy(mode: number): number {
  return mode & 0o777;
}

/** The names under which the disk has the target itself. */
export function namesOf({ origin, stat }: ChangeTarget, { scope }: Preparing): readonly SharedName[] {
  return sharedNames(scope, origin, stat);
}

/** @returns the target. @throws Failure when an earlier change has written into it by another name */
export function notElsewhere(target: ChangeTarget, verb: string, ctx: Preparing): ChangeTarget {
  ctx.overlay.shared.refuse({ names: namesOf(target, ctx), inPlace: false }, verb, ctx.scope.show(target.at));
  return target;
}

export function refuseObject({ before: { kind }, at }: ChangeTarget, verb: string, { scope }: Preparing): void {
  if (kind === "absent" || kind === "file") return;
  const what = `Cannot ${verb} "${scope.show(at)}"`;
  if (kind === "directory") throw new Failure("invalid_input", `${what}: it is a directory`);
  throw new Failure("denied", `${what}: it is not a regular file`);
}

export function unchanged(target: ChangeTarget, ctx: Preparing, why: string): PreparedPart {
  const hash = target.before.kind === "file" ? { hash: target.before.hash } : {};
  const file: FileChange = { ...describeTarget(target, ctx, "none"), ...hash };
  return { file, steps: [], warnings: [why] };
}

/** Makes the failure for a file path that ends in a slash. */
export function notForFile(path: string, verb: string): Failure {
  return refusal("invalid_input", verb, path, "a path to a file cannot end like a directory", {
    hint: "Give the full path, with the name of the file and no slash behind it.",
  });
}

export function refuseStale(target: ChangeTarget, ifHash: string | undefined, path: string, verb: string): void {
  if (ifHash === undefined) return;
  const now = target.before.kind === "file" ? target.before.hash : undefined;
  if (now === ifHash) return;
  const state = now === undefined ? "the file does not exist" : "its content does not have the hash that was given";
  throw refusal("stale", verb, path, state, {
    details: { if_hash: ifHash, ...(now === undefined ? {} : { hash: now }) },
  });
}
