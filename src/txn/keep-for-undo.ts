/**
 * What a delete takes away goes to the undo store by a rename, so it costs nothing. What lies on another device stays
 * under its temporary name until the commit has succeeded and is then dropped; the proposal has said so.
 */
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../scope/index.ts";
import { noteKept } from "../state/index.ts";

export interface KeptAside {
  /** Where the object is now; a rename from here takes the delete back. */
  readonly from: string | Buffer;
  /** After the whole commit. */
  finish(): void;
}

const NAME = "0";

/**
 * @param aside the object under its temporary name
 * @param absolute where it was, for people
 * @throws the system's error when it can be moved neither here nor there
 */
export function keepForUndo(aside: string | Buffer, folder: string, absolute: string): KeptAside {
  const kept = join(folder, NAME);
  try {
    renameSync(aside, kept);
  } catch (thrown) {
    if (errnoOf(thrown) !== "EXDEV") throw thrown;
    return { from: aside, finish: () => rmSync(aside, { recursive: true, force: true }) };
  }
  return { from: kept, finish: () => noteKept(folder, [{ absolute, name: NAME }]) };
}
