/**
 * One change of a set, or one file of it, sealed: what people see of it, its step, and what it means for the changes
 * after it. A part has one step, or none when nothing is to be done, so that parts can be chosen by their files.
 */
import type { FileChange } from "../../approval/index.ts";
import type { SealedStep, StepOrder } from "../model.ts";
import type { Sealing } from "./context.ts";
import type { Target } from "./target.ts";

export interface SealedPart {
  readonly file: FileChange;
  readonly steps: readonly SealedStep[];
  readonly warnings: readonly string[];
  /** Directories that have to be made before it. */
  readonly parents?: readonly SealedPart[];
  /** The earlier part of the set whose place this takes. */
  readonly replaces?: number;
  /** Lays what it does over the disk, for the changes after it. @param part its number in the set */
  readonly record?: (part: number) => void;
  /** Something was matched other than exactly. */
  readonly tolerant?: boolean;
  /** What goes along with a directory, for who decides about every name. */
  readonly tree?: TreeMembers;
  /** The tools that would make this change alone, where one call makes several. */
  readonly tools?: readonly string[];
}

/** What lies in a directory that is taken as one. */
export interface TreeMembers {
  /** Paths below its top. */
  readonly below: readonly string[];
  /** Files that have other names too, as `dev:ino`. */
  readonly shared: readonly string[];
}

/** Of one step of a sealed set. */
export type StepFacts = Pick<SealedPart, "tree" | "tools">;

/** What a step on this target builds on. */
export function orderOf({ follows, relies }: StepOrder): StepOrder {
  return follows ? { follows, ...(relies?.length ? { relies } : {}) } : {};
}

export function shownTarget(target: Pick<Target, "at">, ctx: Sealing): { path: string; absolute: string } {
  return { path: ctx.scope.show(target.at), absolute: ctx.scope.absolute(target.at) };
}
