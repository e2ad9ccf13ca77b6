/**
 * The values that a change is, one after the other. A tool returns a `ChangeSet`: what it asks for, as data; it never
 * sees the old bytes and never writes. Preparing makes `PreparedChanges` changes of it: steps with the exact bytes
 * afterwards and what must be there before. That is what a proposal holds and what is applied; from the steps a
 * transaction plans its operations on the disk (`records.ts`).
 *
 * Usual mistake: to store what people are shown of a step. It is computed from the step anew (`prepare/prepare-again.ts`).
 */
import type { FileChange } from "../approval/index.ts";
import { Failure } from "../base/index.ts";
import type { Located, Scope } from "../scope/index.ts";
import type { FilePatch, TextEdit, TextSpan } from "../text/index.ts";
import type { SharedName } from "./hard-links.ts";

/** The changes are made in order: each sees what the ones before it have done. */
export interface ChangeSet {
  readonly changes: readonly Change[];
  /** The tool of each change, where the caller counts them: a failure then says which one it is. */
  readonly operations?: readonly string[];
  /** What was found out in planning it, for the answer: in words, and as members of its data. */
  readonly told?: { readonly notes: readonly string[]; readonly data: Readonly<Record<string, unknown>> };
  /** The change is only shown, and nothing is kept: `always`, or only where it would be made `at_once`. */
  readonly dryRun?: "always" | "at_once" | undefined;
  readonly manner?: ChangeManner | undefined;
}

/** How the changes of a set are made, for callers that were trained on tools with other habits. */
export interface ChangeManner {
  /** A directory, and a link, is refused where a file is to be changed. */
  readonly onlyFiles?: boolean;
  /** Edits of one file are made in order, and one place that differs only in its blanks is taken, and told. */
  readonly inTurn?: boolean;
  /** A patch says once what happens to a file, and its hunks stand in the file in their order; any other is refused. */
  readonly plainPatch?: boolean;
}

/** One change of a set. Paths are relative to the first root, or absolute inside a root. */
export type Change =
  | WriteChange
  | EditChange
  | AppendChange
  | CreateDirectoryChange
  | RelocateChange
  | DeleteChange
  | PatchChange
  | ReplaceChange
  | NoteChange
  | ForgetChange;

interface ChangeOfOne {
  readonly path: string;
  /** The sha256 of the content that the caller has seen. */
  readonly ifHash?: string | undefined;
}

export interface WriteChange extends ChangeOfOne {
  readonly op: "write";
  /** Text, or base64 when `encoding` is "base64". */
  readonly content: string;
  /** An encoding name, "base64", or absent: what the file had, else UTF-8. */
  readonly encoding?: string | undefined;
  readonly overwrite: boolean;
  /** Permission bits afterwards; absent: what the file has, or what a new one gets. */
  readonly mode?: number | undefined;
}

export interface EditChange extends ChangeOfOne {
  readonly op: "edit";
  readonly edits: readonly TextEdit[];
  /** Write into the same inode, which keeps hard links and is not atomic. */
  readonly inPlace?: boolean | undefined;
}

export interface AppendChange extends ChangeOfOne {
  readonly op: "append";
  readonly content: string;
}

export interface CreateDirectoryChange {
  readonly op: "create_directory";
  readonly path: string;
}

/** The hash is that of the source; like that of a delete it is checked beside the preparing. */
export interface RelocateChange {
  readonly op: "move" | "copy";
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
  readonly recursive: boolean;
  readonly ifHash?: string | undefined;
}

export interface DeleteChange extends ChangeOfOne {
  readonly op: "delete";
  readonly recursive: boolean;
}

/** All files of one patch: they are placed together, so that every hunk that fails is told at once. */
export interface PatchChange {
  readonly op: "patch";
  readonly files: readonly FilePatch[];
  /** Keyed by the path as the patch writes it. */
  readonly ifHashes: Readonly<Record<string, string>>;
  /** A file that is added or moved to may replace one that is there. */
  readonly overwrite: boolean;
  /** Liberties that were taken in reading the patch. */
  readonly tolerances: readonly string[];
}

/** Spans of a file that a search has found: they are meant in the content that it has seen, and in no other. */
export interface ReplaceChange {
  readonly op: "replace";
  readonly path: string;
  /** The name by which the caller asked for this one file; it may be that of a link. */
  readonly named?: string | undefined;
  /** The sha256 of that content. */
  readonly seen: string;
  readonly spans: readonly TextSpan[];
}

/** An entry of a note: the mark above it is the host's, made of the origin of the call. */
export interface NoteChange {
  readonly op: "note";
  readonly namespace: string;
  readonly content: string;
  readonly mode: "append" | "replace";
  readonly ifHash?: string | undefined;
}

/** A note goes as a whole. */
export interface ForgetChange {
  readonly op: "forget";
  readonly namespace: string;
  readonly ifHash?: string | undefined;
}

/** A prepared change set. */
export interface PreparedChanges {
  readonly summary: string;
  readonly files: readonly FileChange[];
  readonly steps: readonly PreparedStep[];
  readonly warnings: readonly string[];
  /** How many bytes will be written. */
  readonly bytes: number;
  /** Something was matched other than exactly, so a person looks at it whatever the mode. */
  readonly tolerant?: true;
  /** What planning found out, as members of the answer's data. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** What is known of every step, in order, and not stored with it. */
  readonly facts?: readonly StepFacts[];
}

export interface StepFacts {
  /** The contents of a directory that goes as a whole, so that rules can decide about every name in it. */
  readonly tree?: TreeMembers | undefined;
  /** The tools that would make this change alone, where one call makes several. */
  readonly tools?: readonly string[] | undefined;
}

export interface TreeMembers {
  /** Paths below the top. */
  readonly below: readonly string[];
  /** Files that have other names too. */
  readonly shared: readonly SharedName[];
}

/** Says what will stand at `at`, and what must stand there before. */
export type PreparedStep = StepOrder & { readonly at: RootPath; readonly before: Before } & StepKind;

type StepKind =
  | {
      readonly op: "put";
      /** Index of the content kept with the proposal. */
      readonly content: number;
      readonly inPlace: boolean;
      /** What the change is called where something is there. The content is new all the same. */
      readonly as?: PutName;
      /** Permission bits afterwards; absent: what the file has, or what a new one gets. */
      readonly mode?: number;
    }
  | { readonly op: "make_directory" | "remove" }
  | { readonly op: "move" | "copy"; readonly from: RootPath; readonly source: Before }
  /** In an undo: what a transaction displaced comes back. */
  | { readonly op: "restore"; readonly transaction: string; readonly name: string }
  /**
   * In an undo: an empty directory goes. One that was made on the way to something else goes only if it is still that one;
   * else, or with something in it, it stays.
   */
  | { readonly op: "remove_directory"; readonly made?: MadeIdentity };

export type PutName = "overwrite" | "edit" | "append";

/** What a step builds on besides the disk at its own place. */
export interface StepOrder {
  /** The `before` of the step is what an earlier step of the same set leaves, so the disk does not have it at the start. */
  readonly follows?: true;
  /** In an undo: what stood there is known exactly, and must be so when the step's turn comes. */
  readonly exact?: true;
  /** What a step that follows was made from, where that lies on the disk before the first step. */
  readonly relies?: readonly Reliance[];
}

export interface Reliance {
  readonly at: RootPath;
  readonly before: Before;
}

/** What an object was when it was prepared; a commit refuses with `stale` when it is not so any more. */
export type Before =
  | { readonly kind: "absent" }
  | {
      readonly kind: "file" | "directory" | "symlink" | "other";
      /** The sha256 of a file or of a link's target, or a fingerprint; "" for what is not read. */
      readonly hash: string;
      readonly size: number;
      readonly mode: number;
      readonly links: number;
    };

/** Says which directory it is, also when its number was given to another one since. */
export interface MadeIdentity {
  readonly ino: string;
  readonly born: string;
}

/** A place by root and path below it, links in the parents resolved. */
export interface RootPath {
  readonly root: number;
  readonly rel: string;
}

export function rootPathOf(at: Located): RootPath {
  return { root: at.root.index, rel: at.rel };
}

export function locatedFrom(scope: Scope, path: RootPath): Located {
  const root = scope.roots[path.root];
  if (!root) throw new Failure("conflict", "Cannot apply the proposal: one of its roots is not open here");
  return { root, rel: path.rel, mustBeDirectory: false, asked: path.rel };
}

export function keyOf({ root, rel }: RootPath): string {
  return `${root}\0${rel}`;
}

export function parentOf({ root, rel }: RootPath): RootPath {
  return { root, rel: rel.slice(0, Math.max(0, rel.lastIndexOf("/"))) };
}

export function inDirectory({ root, rel }: RootPath, name: string): RootPath {
  return { root, rel: rel === "" ? name : `${rel}/${name}` };
}

export function isAtOrBelow(path: RootPath, top: RootPath): boolean {
  return path.root === top.root && (top.rel === "" || path.rel === top.rel || path.rel.startsWith(`${top.rel}/`));
}

/** Every place that a step touches. */
export function pathsOf(step: PreparedStep): RootPath[] {
  return "from" in step ? [step.from, step.at] : [step.at];
}

/** Where on the disk it lies before the first step. */
export function originOf(place: RootPath, earlier: readonly PreparedStep[]): RootPath {
  return earlier.reduceRight((at, step) => {
    if (step.op !== "move" || !isAtOrBelow(at, step.at)) return at;
    return { root: step.from.root, rel: step.from.rel + at.rel.slice(step.at.rel.length) };
  }, place);
}
