/**
 * Grants that a person wanted to be remembered: one small file each, so that two hosts and a command line can add and
 * revoke at the same time. What cannot be read is no grant.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface StoredGrant {
  readonly id: string;
  /** `tool(pattern)` */
  readonly rule: string;
  /** Of the host for which it was given; it holds in no others. */
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

  /** Oldest first. */
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
