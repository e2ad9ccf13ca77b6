/**
 * A file among those of the user, outside of the state folder, that a person has asked for by a command: it is written whole, and
 * never in the place of a file that somebody else wrote.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../base/index.ts";
import { writeWhole } from "./small-file.ts";

/** @param mark stands in every text that ringfence writes there. @throws Failure `already_exists` for a file without it */
export function installUserFile(path: string, text: string, mark: string): void {
  const known = readText(path);
  if (known !== undefined && !known.includes(mark))
    throw new Failure("already_exists", `Cannot write "${path}": it is there, and ringfence did not write it`, {
      hint: "Move it away first.",
    });
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, text);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}
