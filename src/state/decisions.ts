/**
 * What people decided, and what is known of other MCP servers, in small files that are each written whole, so that
 * several hosts and a command line can work at the same time. What cannot be read was not decided.
 *
 * A rejection is kept until the next change of the same file is asked for: the answer to that call is the first thing
 * that the model reads about it. What nobody asks about goes with the old proposals. A list of tools is kept with its
 * hash; one that does not match is none.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../base/index.ts";
import type { Grant } from "../calls/index.ts";
import { terminalCommand } from "../text/index.ts";
import { isSettled, readJson, writeWhole } from "./small-file.ts";

const ID = /^g_[A-Za-z0-9_-]{22}$/;

export class GrantStore {
  readonly #folder: string;
  #known: { readonly stamp: bigint; readonly grants: Grant[] } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  put(grant: Grant): void {
    writeWhole(join(this.#folder, `${grant.id}.json`), JSON.stringify(grant));
    this.#known = undefined;
  }

  /** Lists the grants, oldest first. */
  list(): Grant[] {
    const stat = statSync(this.#folder, { bigint: true, throwIfNoEntry: false });
    if (!stat) return [];
    if (this.#known?.stamp === stat.mtimeNs) return this.#known.grants;
    const grants = readdirSync(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => readJson(join(this.#folder, name)) as Grant | undefined)
      .filter((grant) => grant !== undefined)
      .sort((a, b) => (a.at < b.at ? -1 : 1));
    // Another host may revoke one within the same tick of the clock.
    this.#known = isSettled(Number(stat.mtimeNs / 1_000_000n)) ? { stamp: stat.mtimeNs, grants } : undefined;
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
    const rejection = readJson(file) as Rejection | undefined;
    if (!rejection) continue;
    found.set(rejection.id, rejection);
    try {
      rmSync(file, { force: true });
    } catch {
      // A rejection that is given twice is better than one that is never given.
    }
  }
  return [...found.values()];
}

/** Names the file by a hash, because a path may be longer than a file name and hold any character. */
function fileOf(folder: string, path: string): string {
  return join(folder, `${sha256(path)}.rejected`);
}

export interface KeptTools {
  /** The hash of the tools, which names what was approved. */
  readonly hash: string;
  /** ISO 8601 */
  readonly at: string;
  readonly tools: readonly unknown[];
  /** Tools that cannot be offered, and why. */
  readonly problems?: readonly string[];
}

export interface UpstreamStatus {
  /** ISO 8601, of the last time that something happened. */
  readonly at: string;
  readonly state: "running" | "ended" | "failed";
  /** What happened, in words. */
  readonly said: string;
  readonly starts: number;
  /** How often it ended unexpectedly. */
  readonly failures: number;
  readonly fence?: string | undefined;
}

export class UpstreamStore {
  readonly #stateDir: string;
  readonly #folder: string;
  readonly #hashOf: (tools: readonly unknown[]) => string;
  readonly #flags: readonly string[];

  /**
   * @param stateDir the state folder, opened before
   * @param flags those with which a command finds the servers that this store is about
   */
  constructor(stateDir: string, hashOf: (tools: readonly unknown[]) => string, flags: readonly string[] = []) {
    this.#stateDir = stateDir;
    this.#folder = join(stateDir, "upstream");
    this.#hashOf = hashOf;
    this.#flags = flags;
  }

  /** The command by which a person reviews the tools that the server has now. */
  reviewCommand(server: string): string {
    return terminalCommand(["upstream", "review", server, ...this.#flags], this.#stateDir);
  }

  tools(server: string, part: "approved" | "seen"): KeptTools | undefined {
    const kept = this.#read(server, part) as KeptTools | undefined;
    if (!kept || !Array.isArray(kept.tools) || this.#hashOf(kept.tools) !== kept.hash) return undefined;
    return kept;
  }

  keepTools(server: string, part: "approved" | "seen", kept: KeptTools): void {
    this.#write(server, part, kept);
  }

  status(server: string): UpstreamStatus | undefined {
    return this.#read(server, "status") as UpstreamStatus | undefined;
  }

  keepStatus(server: string, status: UpstreamStatus): void {
    this.#write(server, "status", status);
  }

  #read(server: string, part: string): unknown {
    return readJson(join(this.#folder, `${server}.${part}.json`));
  }

  #write(server: string, part: string, value: object): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${server}.${part}.json`);
    writeWhole(path, JSON.stringify(value), `${path}.${process.pid}.new`);
  }
}
