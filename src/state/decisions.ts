/**
 * What people decided, one small file each, so that several hosts and a command line can add and remove at the same time:
 * grants that are to be remembered, and what was said when a change was rejected. What cannot be read was not decided.
 *
 * A rejection is kept until the next change of the same file is asked for: the answer to that call is the first thing that the
 * model reads about it. What nobody asks about goes with the old proposals.
 */
import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../base/index.ts";

export interface StoredGrant {
  readonly id: string;
  /** `tool(pattern)` */
  readonly rule: string;
  /** The roots of the host for which it was given; it holds in no others. */
  readonly roots: readonly string[];
  /** ISO 8601 */
  readonly at: string;
  readonly remembered: boolean;
}

const ID = /^g_[A-Za-z0-9_-]{22}$/;

export class GrantStore {
  readonly #folder: string;
  #known: { readonly stamp: string; readonly grants: StoredGrant[] } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  put(grant: StoredGrant): void {
    const path = join(this.#folder, `${grant.id}.json`);
    writeFileSync(`${path}.new`, JSON.stringify(grant), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    this.#known = undefined;
  }

  /** Lists the grants, oldest first. */
  list(): StoredGrant[] {
    const stamp = String(statSync(this.#folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs);
    if (stamp === "undefined") return [];
    if (this.#known?.stamp === stamp) return this.#known.grants;
    const grants = readdirSync(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => read(join(this.#folder, name)))
      .sort((a, b) => (a.at < b.at ? -1 : 1));
    this.#known = { stamp, grants };
    return grants;
  }

  remove(id: string): boolean {
    if (!ID.test(id)) return false;
    try {
      rmSync(join(this.#folder, `${id}.json`));
      this.#known = undefined;
      return true;
    } catch {
      return false;
    }
  }
}

function read(path: string): StoredGrant[] {
  try {
    return [JSON.parse(readFileSync(path, "utf8")) as StoredGrant];
  } catch {
    return [];
  }
}

interface Rejection {
  /** The proposal. */
  readonly id: string;
  readonly reason?: string;
}

/** A change of more files is remembered for the first of them only. */
const MAX_PATHS = 100;

export function noteRejection(folder: string, paths: readonly string[], rejection: Rejection): void {
  for (const path of paths.slice(0, MAX_PATHS))
    writeFileSync(fileOf(folder, path), JSON.stringify(rejection), { mode: 0o600 });
}

/** Takes what was said about these paths: each rejection is given one time. */
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

/** Names the file by a hash, because a path may be longer than a file name and hold any character. */
function fileOf(folder: string, path: string): string {
  return join(folder, `${sha256(path)}.rejected`);
}
