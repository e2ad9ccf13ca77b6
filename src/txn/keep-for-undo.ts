/**
 * What a delete took away goes to the undo store: renamed when it is on the same device, copied when it is a small file
 * on another, else dropped. The proposal has told which.
 */
import { copyFileSync, lstatSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Cancel } from "../base/index.ts";
import type { Place, Scope } from "../scope/index.ts";
import { MAX_COPIED_UNDO_BYTES, noteKept, sameDevice } from "../state/index.ts";

export interface KeepRequest {
  readonly scope: Scope;
  readonly place: Place;
  /** The displaced object under its temporary name. */
  readonly aside: string | Buffer;
  readonly folder: string;
  readonly cancel: Cancel;
}

export function keepForUndo(request: KeepRequest): void {
  const { aside, folder } = request;
  const name = "0";
  const kept = join(folder, name);
  const stat = lstatSync(aside, { bigint: true });
  if (sameDevice(folder, stat.dev)) renameSync(aside, kept);
  else if (stat.isFile() && stat.size <= MAX_COPIED_UNDO_BYTES) copyFileSync(aside, kept);
  noteKept(folder, [{ absolute: request.scope.absolute(request.place.at), name }]);
  rmSync(aside, { recursive: true, force: true });
}
