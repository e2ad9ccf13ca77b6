/**
 * After the commit point: what was displaced comes into the history, temporary names go, and the note of the transaction
 * is written. Everything here can be done again after a crash, and nothing of it is an error of the change.
 */
import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { limits, logLine, nowMs } from "../base/index.ts";
import { errnoOf, type Place } from "../scope/index.ts";
import type { AnswerStore } from "../state/index.ts";
import { touchedDirectories, type Act } from "./acts.ts";
import { copyObject } from "./copy-object.ts";
import { besideEntry, keptEntry, statOf, syncDirectory, withPlace, type Disk } from "./disk.ts";
import type { JournalBegin } from "./history.ts";
import { inspect } from "./inspect.ts";
import type { Before, SealedStep } from "./sealed.ts";
import { discardAct } from "./take-back.ts";
import { locatedFrom } from "./target.ts";

export function finishTransaction(disk: Disk, begin: JournalBegin, answers: AnswerStore): void {
  const { answer } = begin;
  if (answer) quietly(disk, () => answers.put(answer));
  begin.acts.forEach((act, index) => quietly(disk, () => takeIn(disk, act, index)));
  begin.acts.forEach((act, index) => discardAct(disk, act, index));
  quietly(disk, () => note(disk, begin, false));
  if (!begin.isSingle)
    quietly(disk, () => touchedDirectories(begin.acts).forEach((path) => syncDirectory(disk, path)));
}

/** What could not be taken back is somebody's decision; what was displaced is kept for it. */
export function keepConflict(disk: Disk, begin: JournalBegin): void {
  quietly(disk, () => note(disk, begin, true));
}

function note(disk: Disk, begin: JournalBegin, conflict: boolean): void {
  const kept = begin.acts.map((_, index) => statOf(keptEntry(disk, index)) !== undefined);
  disk.history.put({
    ...begin.about,
    transaction: disk.transaction,
    at: nowMs(),
    bytes: kept.reduce((sum, isKept, index) => (isKept ? sum + sizeOf(keptEntry(disk, index)) : sum), 0),
    steps: begin.steps,
    after: begin.steps.map((step, index) => afterOf(disk, step, begin.acts[index])),
    parents: begin.parents,
    kept,
    ...(conflict ? { conflict } : {}),
  });
}

/** What a step has left at its place; looked at only where the step itself does not say it. */
function afterOf(disk: Disk, step: SealedStep, act: Act | undefined): Before {
  const file = { kind: "file", size: 0, mode: 0, links: 1 } as const;
  if (act?.act === "put" && act.after !== undefined) return { ...file, hash: act.after };
  switch (step.op) {
    case "move":
      return step.source;
    case "remove":
    case "remove_directory":
      return { kind: "absent" };
    case "make_directory":
      return { ...file, kind: "directory", hash: "" };
    case "put":
    case "copy":
    case "restore":
      return (
        quietly(disk, () => {
          const at = locatedFrom(disk.scope, step.at);
          return inspect(disk.scope, at, "change", { cancel: disk.cancel, deep: true }).before;
        }) ?? { kind: "absent" }
      );
  }
}

/** From beside its place into the history; a copy of what is not too large, where a rename cannot. */
function takeIn(disk: Disk, act: Act, index: number): void {
  if (act.act === "move" && act.across)
    withPlace(disk, act.from, (source) =>
      rmSync(besideEntry(source, disk, index, "aside"), { recursive: true, force: true }),
    );
  withPlace(disk, act.at, (place) => {
    const old = besideEntry(place, disk, index, "old");
    if (statOf(old)) keepOrDrop(disk, place, old, index);
  });
}

function keepOrDrop(disk: Disk, place: Place, old: string | Buffer, index: number): void {
  const kept = keptEntry(disk, index);
  try {
    renameSync(old, kept);
    return;
  } catch (thrown) {
    if (errnoOf(thrown) !== "EXDEV") throw thrown;
  }
  const stat = statOf(old);
  if (stat && !stat.isDirectory() && stat.size <= limits.MAX_KEPT_COPY_BYTES)
    copyObject(disk.scope, { ...place, entry: old }, kept, { cancel: { state: () => "none" } });
  rmSync(old, { recursive: true, force: true });
}

/** Of a file, or of all files of a tree in the history, which is ours alone. */
function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function quietly<T>(disk: Disk, work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    logLine(`cannot tidy up after ${disk.transaction}: ${why}`);
    return undefined;
  }
}
