/**
 * For callers whose tool reads a patch from its beginning to its end, and each file in it once: what ours would join or put
 * in order is refused before anything is written, because it may be meant otherwise.
 */
import type { FilePatch, HunksResult } from "../../text/index.ts";
import { refusal } from "./context.ts";

interface OneFile {
  readonly file: FilePatch;
  readonly path: string;
}

/** @throws Failure `invalid_input` for a file that two sections name, be it as what they move or where they move it to */
export function refuseNamedTwice(files: readonly OneFile[]): void {
  const seen = new Set<string>();
  for (const { file, path } of files) {
    const names = file.kind === "update" && file.moveTo !== undefined ? [path, file.moveTo] : [path];
    const isTwice = file.kind === "replace" || (file.kind === "update" && file.isJoined === true);
    const again = isTwice ? path : names.find((name) => seen.has(plain(name)));
    if (again !== undefined)
      throw refusal("invalid_input", "patch", again, "the patch has several blocks for it", {
        hint: "Combine them into one block, or send the second one in a patch of its own.",
      });
    for (const name of names) seen.add(plain(name));
  }
}

type Placements = Extract<HunksResult, { readonly kind: "applied" }>["placements"];

/** @throws Failure `no_match` for a hunk that stands above one before it; none of them is the wrong one */
export function refuseDisorder(path: string, placements: Placements): void {
  const isOrdered = placements.every(({ startLine }, at) => startLine >= (placements[at - 1]?.startLine ?? 0));
  if (isOrdered) return;
  const state = "its hunks do not stand in the file in the order of the patch";
  throw refusal("no_match", "patch", path, state, {
    hint: "Put the hunks in the order of the file.",
    details: { problems: [{ file: path, code: "no_match", message: state }] },
  });
}

function plain(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
