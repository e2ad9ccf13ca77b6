/**
 * What every step of a transaction sees of the disk: places by handle, identities, and the two homes of what was
 * displaced. Nothing here follows a link or trusts a name: each place is resolved through the scope anew.
 */
import { fsyncSync, lstatSync, type BigIntStats } from "node:fs";
import { join } from "node:path";
import { Failure, type Cancel } from "../base/index.ts";
import { fsName, type Place, type Scope } from "../scope/index.ts";
import type { Durability, HistoryStore } from "../state/index.ts";
import { besideName, type Act, type Identity, type Purpose } from "./acts.ts";
import type { TransactionRecord } from "./history.ts";
import type { SealedPath } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

export interface Disk {
  readonly scope: Scope;
  readonly transaction: string;
  readonly history: HistoryStore<TransactionRecord>;
  readonly durability: Durability;
  readonly cancel: Cancel;
  /** No act moves what an earlier one has put beside its place. */
  readonly besideIsSafe: boolean;
}

/** The parent by handle and the bare name. @throws Failure `stale` when a link stands on the way now */
export function placeOf({ scope }: Disk, path: SealedPath): Place {
  const at = locatedFrom(scope, path);
  try {
    return scope.exactPlace(at, "change");
  } catch (thrown) {
    // A sealed path has no links on its way; one that is there now leads to another place than the one that was shown.
    if (!(thrown instanceof Failure) || thrown.data.details?.["link"] !== true) throw thrown;
    throw new Failure(
      "stale",
      `Cannot apply the change of "${scope.show(at)}": a directory on the way was replaced since the proposal was made`,
    );
  }
}

export function withPlace<T>(disk: Disk, path: SealedPath, work: (place: Place) => T): T {
  using place = placeOf(disk, path);
  return work(place);
}

export function statOf(entry: string | Buffer): BigIntStats | undefined {
  return lstatSync(entry, { bigint: true, throwIfNoEntry: false });
}

export function identityOf(entry: string | Buffer): Identity | undefined {
  const stat = statOf(entry);
  return stat && { dev: String(stat.dev), ino: String(stat.ino) };
}

export function isSame(a: Identity | undefined, b: Identity | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** Where an act keeps what it displaces: in the history, by a name of its own. */
export function keptEntry({ history, transaction }: Disk, act: number): string {
  return join(history.folderOf(transaction), String(act));
}

/** And where it waits when the history lies on another device. */
export function besideEntry(place: Place, disk: Disk, act: number, purpose: Purpose): string | Buffer {
  return fsName(`${place.parent.path}/${besideName(disk.transaction, act, purpose)}`);
}

/** A rename is durable only when its directory is. Windows has no such call, and needs none. */
export function syncDirectory(disk: Disk, path: SealedPath): void {
  if (disk.durability === "fast" || process.platform === "win32") return;
  // One that is not there yet, or not any more, has nothing to flush.
  using directory = disk.scope.tryDirectory(locatedFrom(disk.scope, path));
  if (directory) fsyncSync(directory.fd);
}

/** What an act is about, for messages. */
export function shownPath({ scope }: Disk, { at }: Act): string {
  return scope.show(locatedFrom(scope, at));
}
