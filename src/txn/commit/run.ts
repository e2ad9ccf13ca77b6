/**
 * A transaction from its first byte to its commit point. What must not be lost is flushed before what depends on it: the
 * plan before anything is made, the staged objects before it is said that they are ready, that before the first act, the
 * acts before it is said that they are done.
 */
import { throwIfStopped } from "../../base/index.ts";
import type { Journal } from "../../state/index.ts";
import { parentOf, touchedDirectories, type Act } from "./plan.ts";
import { afterBySteps, afterStep } from "./after-step.ts";
import { applyAct } from "./apply.ts";
import { isCovered } from "./covered.ts";
import { Flushes } from "./flushes.ts";
import { checkLate } from "./check-steps.ts";
import { diskOf, syncDirectory, type Disk } from "./disk.ts";
import type { JournalBegin } from "../records.ts";
import type { Before } from "../model.ts";
import { makeParents, type PlannedParents } from "./make-parents.ts";
import {
  isReplacing,
  keepDisplaced,
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

/** Directories that will be made for a late act. */
export interface JournalParents extends PlannedParents {
  readonly kind: "parents";
  readonly act: number;
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

/** Every directory that was or may have been made above the places, as they were made together. */
export function plannedParents(begin: JournalBegin, records: readonly unknown[]): PlannedParents[] {
  const late = (records as readonly (JournalParents | { kind: "other" })[]).filter(
    (record) => record.kind === "parents",
  );
  return [{ parents: begin.parents }, ...late];
}

/** How many acts were done; of the next one nobody knows. */
export interface Progress {
  done: number;
  /** The last line may be in the journal. */
  isCommitting?: boolean;
  /** Told of what takes long: the bytes that were copied so far. */
  readonly report?: ((done: number, total: number | undefined, what: string) => void) | undefined;
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
  let copied = 0;
  const onCopied = (bytes: number): void => progress.report?.((copied += bytes), undefined, "bytes copied");
  const isInPlace = acts.some(({ act }) => act === "rewrite");
  using flushes = new Flushes(disk);
  makeParents(disk, journal, { parents });
  const prepare = (own: Disk, act: Act, index: number): Prepared => ({
    ...stageAct({ disk: own, contents, onCopied, isInPlace, flushes }, act, index),
    ...keepDisplaced(own, act, index),
  });
  const settled = <T>(ready: T): T => {
    flushes.settle();
    return ready;
  };
  const prepared = settled(acts.map((act, index) => (act.late ? {} : prepare(disk, act, index))));
  throwIfStopped(disk.cancel, "the change");
  if (!isSingle) {
    flushActs(disk, begin, journal.written, ({ late }) => !late);
    disk.history.flush(disk.durability);
  }
  journal.write({ kind: "prepared", acts: prepared } satisfies JournalPrepared, isSingle);
  acts.forEach((act, index) => {
    const own = diskOf(disk, act, index);
    const ready = act.late
      ? prepareLate(own, begin, journal, index, (late) => settled(prepare(own, late, index)))
      : prepared[index];
    applyAct(own, act, index, ready ?? {}, contents);
    progress.done++;
    const step = begin.steps[index];
    if (step && isCovered(begin.steps, index) && !afterBySteps(step, act))
      journal.write(
        { kind: "after", act: index, left: afterStep(disk, begin, index) } satisfies JournalAfter,
        true,
      );
  });
  flushActs(disk, begin, journal.written);
  // What was taken away must not be lost from where it is kept.
  if (acts.some(({ act }) => act === "remove")) disk.history.flush(disk.durability);
  progress.isCommitting = true;
  journal.write({ kind: "committed" }, isSingle);
}

/** Only now is what the act works on as it will find it. */
function prepareLate(
  disk: Disk,
  begin: JournalBegin,
  journal: Journal,
  index: number,
  prepare: (act: Act) => Prepared,
): Prepared {
  const [step, act] = [begin.steps[index], begin.acts[index]];
  if (!step || !act) return {};
  checkLate(step, disk);
  const planned = { parents: missingParents(disk, [act]), act: index };
  if (planned.parents.length > 0) journal.write({ kind: "parents", ...planned } satisfies JournalParents);
  makeParents(disk, journal, planned);
  const prepared = prepare(act);
  if (isReplacing(act)) {
    // The name under which the old content is kept must not be lost when its own goes.
    disk.history.flush(disk.durability);
    if (disk.besideIsSafe) syncDirectory(disk, parentOf(act.at));
  }
  journal.write({ kind: "late", act: index, prepared } satisfies JournalLate);
  return prepared;
}

/** The directories that the acts change, and those in which directories were made. */
export function flushActs(
  disk: Disk,
  begin: JournalBegin,
  records: readonly unknown[],
  which: (act: Act) => boolean = () => true,
): void {
  const done = new Set<string>();
  begin.acts.forEach((act, index) => {
    if (!which(act)) return;
    const own = diskOf(disk, act, index);
    for (const directory of touchedDirectories([act])) syncDirectory(own, directory, done);
  });
  for (const { parents, act: index } of plannedParents(begin, records)) {
    const act = index === undefined ? undefined : begin.acts[index];
    const own = act && index !== undefined ? diskOf(disk, act, index) : disk;
    for (const path of parents) syncDirectory(own, parentOf(path), done);
  }
}
