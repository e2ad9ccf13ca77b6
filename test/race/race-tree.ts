/**
 * The tree of the long race: `x` and the link `swap` change places, so that every path below `x` leads inside at one
 * moment and outside at the next; `f` and the link `fl` do the same with a file. Outside stand the same names as inside,
 * so that a change which lands there does something that shows.
 */
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clearFolder } from "../scope/path-cases.ts";
import type { RacerOrder } from "./open-racer.ts";
import type { Way } from "./race-host.ts";

/** How many changing lanes there are; each has names of its own. */
export const CHANGE_LANES = 4;

/** A length that nothing inside has, so that it tells. */
const SECRET_BYTES = 54_321;
const SECRET = "TOPSECRET-7f3a\n".padEnd(SECRET_BYTES, "secret\n");
const NOTE = "TOPSECRET-7f3a\n";

/** What may never come out: contents, hashes and names of the outside. */
const CONTENT_WORDS: readonly string[] = ["TOPSECRET", "leakname-7f3a", hashOf(SECRET), hashOf(NOTE)];
/** And sizes. */
export const OUTSIDE_WORDS: readonly string[] = [...CONTENT_WORDS, `"size":${SECRET_BYTES}`, `"bytes":${SECRET_BYTES}`];

/** The fence of the kernel keeps what is in files and directories, but has no rule for lstat, which tells a size. */
export function wordsFor(way: Way): readonly string[] {
  return way === "handle" ? OUTSIDE_WORDS : CONTENT_WORDS;
}

/** What stands inside under the names that both sides have. */
export const INSIDE_TEXT = "inside one\ninside two\n";
export const INSIDE_HASH: string = hashOf(INSIDE_TEXT);

/** The names that change places. */
export function raceOf(kind: "directory" | "file", root: string): RacerOrder {
  const [a, b] = kind === "directory" ? ["x", "swap"] : ["f", "fl"];
  return { kind: "exchange", a: join(root, a), b: join(root, b) };
}

export function layRaceTree(root: string, outside: string): void {
  for (const folder of [root, outside]) {
    mkdirSync(folder, { recursive: true });
    clearFolder(folder);
  }
  layBoth(join(root, "x"), INSIDE_TEXT, INSIDE_TEXT);
  layBoth(outside, SECRET, NOTE);
  for (const folder of ["", "tree", "tree/deep"]) writeFileSync(join(outside, folder, "leakname-7f3a.txt"), NOTE);
  symlinkSync("../outside", join(root, "swap"));
  writeFileSync(join(root, "f"), INSIDE_TEXT);
  symlinkSync("../outside/secret.txt", join(root, "fl"));
  writeFileSync(join(root, "keep.txt"), INSIDE_TEXT);
  for (let lane = 0; lane < CHANGE_LANES; lane++) writeFileSync(join(root, `m${lane}.txt`), INSIDE_TEXT);
}

/** The names that exist on both sides. */
function layBoth(folder: string, secret: string, note: string): void {
  mkdirSync(join(folder, "tree", "deep"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), secret);
  writeFileSync(join(folder, "tree", "b.txt"), note);
  writeFileSync(join(folder, "tree", "deep", "c.txt"), note);
  for (let lane = 0; lane < CHANGE_LANES; lane++) {
    mkdirSync(join(folder, `made${lane}`, "deep"), { recursive: true });
    for (const name of [`w${lane}.txt`, `e${lane}.txt`, `m${lane}.txt`, `made${lane}/deep/f.txt`])
      writeFileSync(join(folder, name), note);
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
