/**
 * What sealing works with: the scope, what the earlier changes of the set have made, and where new content is kept.
 */
import type { Cancel } from "../../base/index.ts";
import type { Located, Scope } from "../../scope/index.ts";
import type { LegacyEncoding } from "../../text/index.ts";
import type { Overlay } from "./overlay.ts";
import type { SealedPath } from "../model.ts";
import type { StepFacts } from "./part.ts";

export interface SealContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  readonly legacyEncoding?: LegacyEncoding;
  /** Unchanged lines around a change in a diff; default 3. */
  readonly diffContext?: number | undefined;
  /** The diffs are whole, and are made of what a move or copy replaces too. Default: as an answer holds them. */
  readonly forPeople?: boolean | undefined;
  readonly progress: (done: number, total: number | undefined, what: string) => void;
  /** The mount of the undo store: what lies on it is kept whatever its size when it is deleted or replaced. */
  readonly undoMount?: string;
  /** Keeps new content with the proposal and returns its index. */
  readonly keep: (bytes: Uint8Array) => number;
  /** Told of every step, in their order, what is not kept with them. */
  readonly tell?: (steps: readonly StepFacts[]) => void;
}

/** Of one set: each of its changes is sealed in the same one. */
export interface Sealing extends SealContext {
  readonly overlay: Overlay;
}

export function sealedPath(at: Located): SealedPath {
  return { root: at.root.index, rel: at.rel };
}
