/**
 * A transaction from its first byte to its commit point. What must not be lost is flushed before what depends on it: the
 * plan before anything is made, the staged objects before it is said that they are ready, that before the first act, the
 * acts before it is said that they are done.
 */
import { throwIfStopped } from "../base/index.ts";
import type { Journal } from "../state/index.ts";
import { parentOf, touchedDirectories, type Act } from "./acts.ts";
import { afterBySteps, afterStep } from "./after-step.ts";
import { applyAct } from "./apply.ts";
import { isCovered } from "./covered.ts";
import { checkLate } from "./check-steps.ts";
import { syncDirectory, type Disk } from "./disk.ts";
import type { JournalBegin } from "./history.ts";
import type { Before, SealedPath } from "./sealed.ts";
import {
  keepDisplaced,
  makeParents,
  missingParents,
  stageAct,
  type Contents,
  type Prepared,
} from "./stage.ts";

/** Everything is staged: `acts` by index. From here on a crash is taken back act by act. */
export interface JournalPrepared {
  readonly kind: "prepared";
  readonly acts: readonly Prepared[];
}

/** Of an act that works on what earlier acts made: known only right before it. */
export interface JournalLate {
  readonly kind: "late";
  readonly act: number;
  readonly prepared: Prepared;
}

/** Directories that are made for the next late act. */
export interface JournalParents {
  readonly kind: "parents";
  readonly parents: readonly SealedPath[];
}

/** What an act left that later ones change: only an undo wants to know. */
export interface JournalAfter {
  readonly kind: "after";
  readonly act: number;
  readonly left: Before;
}

export function measuredAfter(records: readonly unknown[]): Map<number, Before> {
  return new Map(
    (records as readonly (JournalAfter | { kind: "other" })[]).flatMap((record) =>
      record.kind === "after" ? [[record.act, record.left] as const] : [],
    ),
  );
}

/** Every directory that was or may have been made above the places, outermost first of each act. */
export function madeParents(begin: JournalBegin, records: readonly unknown[]): SealedPath[] {
  const late = (records as readonly (JournalParents | { kind: "other" })[]).flatMap((record) =>
    record.kind === "parents" ? record.parents : [],
  );
  return [...begin.parents, ...late];
}

/** How many acts were done; of the next one nobody knows. */
export interface Progress {
  done: number;
}

/** @throws Failure; the journal and `progress` tell how far it came */
export function runTransaction(
  disk: Disk,
  begin: JournalBegin,
  journal: Journal,
  contents: Contents,
  progress: Progress,
): void {
  const { acts, parents, isSingle } = begin;
  makeParents(disk, parents);
  const prepare = (act: Act, index: number): Prepared => ({
    ...stageAct(disk, act, contents),
    ...keepDisplaced(disk, act, index),
  });
  const prepared = acts.map((act, index) => (act.late ? {} : prepare(act, index)));
  throwIfStopped(disk.cancel, "the change");
  if (!isSingle) {
    syncAll(disk, begin);
    disk.history.flush(disk.transaction, disk.durability);
  }
  journal.write({ kind: "prepared", acts: prepared } satisfies JournalPrepared, isSingle);
  acts.forEach((act, index) => {
    let ready = prepared[index] ?? {};
    if (act.late) {
      // Only now is what it works on as it will find it.
      const step = begin.steps[index];
      if (step) checkLate(step, disk);
      const missing = missingParents(disk, [act]);
      if (missing.length > 0) journal.write({ kind: "parents", parents: missing } satisfies JournalParents);
      makeParents(disk, missing);
      ready = prepare(act, index);
      journal.write({ kind: "late", act: index, prepared: ready } satisfies JournalLate);
    }
    applyAct(disk, act, index, ready, contents);
    progress.done++;
    const step = begin.steps[index];
    if (step && isCovered(begin.steps, index) && !afterBySteps(step, act))
      journal.write(
        { kind: "after", act: index, left: afterStep(disk, begin, index) } satisfies JournalAfter,
        true,
      );
  });
  syncAll(disk, begin);
  journal.write({ kind: "committed" }, isSingle);
}

function syncAll(disk: Disk, { acts, parents }: JournalBegin): void {
  const directories = new Map(
    [...touchedDirectories(acts), ...parents.map(parentOf)].map((path) => [
      `${path.root}\0${path.rel}`,
      path,
    ]),
  );
  for (const path of directories.values()) syncDirectory(disk, path);
}
