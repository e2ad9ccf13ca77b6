/**
 * What every step of a transaction sees of the disk: places by handle, identities, and the two homes of what was
 * displaced. Nothing here follows a link or trusts a name.
 */
import { fstatSync, lstatSync, type BigIntStats } from "node:fs";
import type { Cancel } from "../../base/index.ts";
import { fsName, type Place, type Scope } from "../../scope/index.ts";
import type { Durability, HistoryStore } from "../../state/index.ts";
import { besideName, type Act, type Identity, type Purpose } from "./plan.ts";
import type { TransactionRecord } from "../records.ts";
import type { Places } from "./held-places.ts";
import type { MadeIdentity, SealedPath, SealedStep } from "../model.ts";
import { locatedFrom } from "../prepare/target.ts";

export interface Disk {
  readonly scope: Scope;
  readonly transaction: string;
  readonly history: HistoryStore<TransactionRecord>;
  readonly durability: Durability;
  readonly cancel: Cancel;
  readonly places: Places;
  /** No act moves what an earlier one has put beside its place. */
  readonly besideIsSafe: boolean;
}

export function isBesideSafe(steps: readonly SealedStep[]): boolean {
  return !steps.some(({ follows }) => follows);
}

/** As an act finds it when its turn comes. */
export function diskOf(disk: Disk, act: Act, index: number): Disk {
  return act.late ? { ...disk, places: disk.places.late(index) } : disk;
}

export function withPlace<T>(disk: Disk, path: SealedPath, work: (place: Place) => T): T {
  using place = disk.places.place(path);
  return work(place);
}

export function statOf(entry: string | Buffer): BigIntStats | undefined {
  return lstatSync(entry, { bigint: true, throwIfNoEntry: false });
}

export function identityOf(entry: string | Buffer): Identity | undefined {
  const stat = statOf(entry);
  return stat && { dev: String(stat.dev), ino: String(stat.ino) };
}

export function identityOfFile(fd: number): Identity {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return { dev: String(dev), ino: String(ino) };
}

/** Of a directory: its number, which another one may have after it, and when it was made. */
export function madeIdentityOf(entry: string | Buffer): MadeIdentity {
  const stat = statOf(entry);
  return { ino: String(stat?.ino), born: String(stat?.birthtimeNs) };
}

export function isMade(entry: string | Buffer, made: MadeIdentity): boolean {
  const now = madeIdentityOf(entry);
  return now.ino === made.ino && now.born === made.born;
}

/** Where an act keeps what it displaces: in the history, by a name of its own. */
export function keptEntry({ history, transaction }: Disk, act: number): string {
  return history.objectOf(transaction, act);
}

/** The new content of a file that is written in place, until the transaction is over. */
export function newContentEntry({ history, transaction }: Disk, act: number): string {
  return history.objectOf(transaction, `${act}.new`);
}

/** And where it waits when the history lies on another device. */
export function besideEntry(place: Place, disk: Disk, act: number, purpose: Purpose): string | Buffer {
  return fsName(`${place.parent.path}/${besideName(disk.transaction, act, purpose)}`);
}

/** A rename is durable only when its directory is. Windows has no such call, and needs none. */
export function syncDirectory(disk: Disk, path: SealedPath, done: Set<string> = new Set()): void {
  if (disk.durability === "fast" || process.platform === "win32") return;
  disk.places.flush(path, done);
}

/** What an act is about, for messages. */
export function shownPath({ scope }: Disk, { at }: Act): string {
  return scope.show(locatedFrom(scope, at));
}
