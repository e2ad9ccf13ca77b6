/**
 * What the earlier changes of a set have made of the disk, in memory. An entry says what stands at one place; a place without
 * one is as the nearest entry above it says, and without any as the disk says. Places are keyed by their absolute path,
 * because of nested roots one place can have two names.
 */
import type { Located, Scope } from "../../scope/index.ts";
import type { Before, SealedStep } from "../model.ts";

/** The put of an earlier change that a later one of the same file can still take the place of. */
export interface Mergeable {
  /** Its number among the parts of the set. */
  readonly part: number;
  readonly step: SealedStep & { readonly op: "put" };
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
  /** What lies on the disk at `from`, with all that is in it; `isCopy`: in a second inode; `mode`: of a file, where it has another. */
  | { readonly kind: "disk"; readonly from: Located; readonly isCopy: boolean; readonly mode?: number };

export interface OverlayEntry {
  readonly at: Located;
  readonly standing: Standing;
}

export interface Overlay {
  /** Nothing was changed yet, so the disk is all there is. */
  readonly isEmpty: boolean;
  /** A directory or a link was moved or removed, so a link may lead elsewhere than it does on the disk. */
  readonly hasDisplaced: boolean;
  /** The entry of the place or the nearest one above it. */
  nearest(at: Located): OverlayEntry | undefined;
  /** Entries strictly below the place. */
  below(at: Located): readonly OverlayEntry[];
  set(at: Located, standing: Standing): void;
  /** The place is as the disk has it again. */
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
      const asCarried = isCopy ? copied : settled;
      set(to, asCarried(top));
      for (const { at, standing } of carried) {
        const rel = `${to.rel}${keyOf(at).slice(keyOf(from).length)}`;
        set({ ...at, root: to.root, rel }, asCarried(standing));
        if (isCopy) set(at, settled(standing));
      }
      // The source itself too: a copy may have taken the mode of what it replaced.
      const source = entries.get(keyOf(from))?.standing;
      if (isCopy && source?.kind === "file") set(from, settled(source));
    },
  };
}

/** A step lies between what made it and what comes later: they are kept apart and in order. */
function settled(standing: Standing): Standing {
  if (standing.kind === "directory") return { kind: "directory" };
  return standing.kind === "file" ? { ...standing, merge: undefined } : standing;
}

function copied(standing: Standing): Standing {
  return standing.kind === "disk" ? { ...standing, isCopy: true } : settled(standing);
}
