/**
 * What is known of each other MCP server: the tools that a person approved, those that it had when it was last asked, and
 * what became of it. One small file each, written whole, so that a host and a command line can work at the same time.
 *
 * A list is kept with its hash; one that does not match is none.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { terminalCommand } from "../text/index.ts";
import { readJson, writeWhole } from "./small-file.ts";

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

type Part = "approved" | "seen" | "status";

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

  #read(server: string, part: Part): unknown {
    return readJson(this.#path(server, part));
  }

  #write(server: string, part: Part, value: object): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#path(server, part);
    writeWhole(path, JSON.stringify(value), `${path}.${process.pid}.new`);
  }

  #path(server: string, part: Part): string {
    return join(this.#folder, `${server}.${part}.json`);
  }
}
