/**
 * A transaction from its first byte to its commit point. What must not be lost is flushed before what depends on it: the
 * plan before anything is made, the staged objects before it is said that they are ready, that before the first act, the
 * acts before it is said that they are done.
 */
import { throwIfStopped } from "../base/index.ts";
import type { Journal } from "../state/index.ts";
import { parentOf, touchedDirectories } from "./acts.ts";
import { applyAct } from "./apply.ts";
import { syncDirectory, type Disk } from "./disk.ts";
import type { JournalBegin } from "./history.ts";
import {
  keepDisplaced,
  keepLateMetadata,
  makeParents,
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
  const staged = acts.map((act) => stageAct(disk, act, contents));
  const prepared = acts.map((act, index): Prepared =>
    act.late ? (staged[index] ?? {}) : { ...staged[index], ...keepDisplaced(disk, act, index) },
  );
  throwIfStopped(disk.cancel, "the change");
  if (!isSingle) {
    syncAll(disk, begin);
    disk.history.flush(disk.transaction, disk.durability);
  }
  journal.write({ kind: "prepared", acts: prepared } satisfies JournalPrepared, isSingle);
  acts.forEach((act, index) => {
    let ready = prepared[index] ?? {};
    if (act.late) {
      ready = { ...ready, ...keepDisplaced(disk, act, index) };
      keepLateMetadata(disk, act);
      journal.write({ kind: "late", act: index, prepared: ready } satisfies JournalLate);
    }
    applyAct(disk, act, index, ready, contents);
    progress.done++;
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
