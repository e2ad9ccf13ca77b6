/**
 * Copies what the history keeps to where it came from, when that is another mount. The history is ours alone (0700), so
 * its names can be trusted. What comes back is as it was: owner, mode, attributes, times.
 */
import { lstatSync, readdirSync } from "node:fs";
import { NEVER_CANCELLED } from "../../base/index.ts";
import { fsName, nameFromBytes } from "../../scope/index.ts";
import { copyEntries, type SourceEntry } from "./copy-tree.ts";

/** `to` must not exist. @param durable it must be on the disk: what is kept goes when it is back */
export function copyKept(from: string, to: string | Buffer, durable: boolean): void {
  const source = { entry: from, stat: lstatSync(from, { bigint: true }), inside: () => walkKept(from) };
  copyEntries(source, to, { cancel: NEVER_CANCELLED, faithful: true, durable });
}

/** Each directory before what it holds. */
function* walkKept(top: string): Generator<SourceEntry> {
  const pending = [""];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const bytes of readdirSync(fsName(`${top}/${next}`), { encoding: "buffer" })) {
      const name = nameFromBytes(bytes);
      const below = next === "" ? name : `${next}/${name}`;
      const entry = fsName(`${top}/${below}`);
      const stat = lstatSync(entry, { bigint: true });
      yield { below, stat, entry };
      if (stat.isDirectory()) pending.push(below);
    }
  }
}
