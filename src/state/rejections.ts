/**
 * What a person said when rejecting a change, kept until the next change of the same file is asked for: the answer to
 * that call is the first thing that the model reads about it. One small file a path, beside the proposals, so that a
 * rejection from another terminal is seen too; what nobody asks about goes with the old proposals.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../base/index.ts";

export interface Rejection {
  /** The proposal. */
  readonly id: string;
  readonly reason?: string;
}

/** A change of more files is remembered for the first of them. */
const MAX_PATHS = 100;

export function noteRejection(folder: string, paths: readonly string[], rejection: Rejection): void {
  for (const path of paths.slice(0, MAX_PATHS))
    writeFileSync(fileOf(folder, path), JSON.stringify(rejection), { mode: 0o600 });
}

/** Each is given once. */
export function takeRejections(folder: string, paths: readonly string[]): Rejection[] {
  const found = new Map<string, Rejection>();
  for (const path of paths.slice(0, MAX_PATHS)) {
    const file = fileOf(folder, path);
    try {
      const rejection = JSON.parse(readFileSync(file, "utf8")) as Rejection;
      // Said twice is better than never, should the file stay.
      found.set(rejection.id, rejection);
      rmSync(file, { force: true });
    } catch {
      // There is none, which is the rule.
    }
  }
  return [...found.values()];
}

/** Paths are too long and too free for file names. */
function fileOf(folder: string, path: string): string {
  return join(folder, `${sha256(path)}.rejected`);
}
