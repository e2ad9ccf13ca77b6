/**
 * Proposals on disk: `<id>.json` with what people see and what will be applied, `<id>.<n>.bin` with the new contents.
 * A proposal is taken by renaming its file, so that of two processes that apply it at once only one does.
 *
 * States by suffix: `.json` waiting, `.taken` being applied, `.done` a short note of how it ended (kept so that a later
 * call about it gets a clear answer).
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, limits, nowMs } from "../base/index.ts";

const ID = /^p_[A-Za-z0-9_-]{22}$/;

export interface StoredProposal {
  readonly id: string;
  readonly created: number;
  readonly expires: number;
}

/** How a proposal ended. */
export interface Ending {
  readonly id: string;
  readonly outcome: "applied" | "rejected" | "expired";
  readonly reason?: string;
  readonly transaction?: string;
  readonly at: number;
}

export class ProposalStore<P extends StoredProposal> {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  put(proposal: P, contents: readonly Uint8Array[]): void {
    this.sweep(1);
    contents.forEach((content, index) =>
      writeFileSync(this.#content(proposal.id, index), content, { mode: 0o600 }),
    );
    const temporary = this.#file(proposal.id, "new");
    writeFileSync(temporary, JSON.stringify(proposal), { mode: 0o600 });
    renameSync(temporary, this.#file(proposal.id, "json"));
  }

  /** @throws Failure `not_found` for an unknown id, `conflict` for one that has ended, `stale` for an expired one */
  get(id: string): P {
    this.#check(id);
    this.#recover(id);
    const proposal = this.#read(this.#file(id, "json")) as P | undefined;
    if (!proposal) throw this.#endedFailure(id);
    if (proposal.expires < nowMs()) {
      this.end({ id, outcome: "expired", at: nowMs() });
      throw this.#endedFailure(id);
    }
    return proposal;
  }

  /** Oldest first. */
  list(): P[] {
    this.sweep();
    for (const name of this.#names(".taken")) this.#recover(name.slice(0, -".taken".length));
    return this.#names(".json")
      .map((name) => this.#read(join(this.#folder, name)) as P | undefined)
      .filter((proposal): proposal is P => proposal !== undefined)
      .sort((a, b) => a.created - b.created);
  }

  /** Takes it for applying. Exactly one caller gets it. @throws as `get`, and `conflict` when another process has it */
  take(id: string): P {
    const proposal = this.get(id);
    // Before it is taken, so that a taken one always has an owner.
    writeFileSync(this.#file(id, `${process.pid}.owner`), "", { mode: 0o600 });
    try {
      renameSync(this.#file(id, "json"), this.#file(id, "taken"));
    } catch {
      rmSync(this.#file(id, `${process.pid}.owner`), { force: true });
      throw this.#endedFailure(id);
    }
    return proposal;
  }

  /** Puts a taken proposal back, so that it can be tried again. */
  release(id: string): void {
    renameSync(this.#file(id, "taken"), this.#file(id, "json"));
    this.#disown(id);
  }

  content(id: string, index: number): Uint8Array {
    return readFileSync(this.#content(id, index));
  }

  end(ending: Ending): void {
    writeFileSync(this.#file(ending.id, "done"), JSON.stringify(ending), { mode: 0o600 });
    this.#discard(ending.id);
  }

  /** Drops what is too old to be told about, and the oldest above the limit; `room` is for those that will be put. */
  sweep(room = 0): void {
    for (const name of this.#names("")) {
      const path = join(this.#folder, name);
      const age = nowMs() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs());
      if (age > limits.PROPOSAL_TTL_MS * 2) rmSync(path, { force: true });
    }
    const waiting = this.#names(".json");
    const tooMany = waiting.length + room - limits.MAX_PROPOSALS;
    if (tooMany <= 0) return;
    const byAge = waiting
      .map((name) => ({ id: name.slice(0, -5), ms: statSync(join(this.#folder, name)).mtimeMs }))
      .sort((a, b) => a.ms - b.ms);
    for (const { id } of byAge.slice(0, tooMany)) this.end({ id, outcome: "expired", at: nowMs() });
  }

  /** A process that died while it applied the proposal has left it taken; it waits again. */
  #recover(id: string): void {
    if (!existsSync(this.#file(id, "taken"))) return;
    const owners = this.#ownersOf(id);
    if (owners.some(isAlive)) return;
    try {
      this.release(id);
    } catch {
      // Another process was quicker.
    }
  }

  #ownersOf(id: string): number[] {
    return this.#names(".owner")
      .filter((name) => name.startsWith(`${id}.`))
      .map((name) => Number(name.slice(id.length + 1, -".owner".length)));
  }

  #disown(id: string): void {
    for (const pid of this.#ownersOf(id)) rmSync(this.#file(id, `${pid}.owner`), { force: true });
  }

  #discard(id: string): void {
    this.#disown(id);
    for (const suffix of ["json", "taken"]) rmSync(this.#file(id, suffix), { force: true });
    for (let index = 0; existsSync(this.#content(id, index)); index++)
      rmSync(this.#content(id, index), { force: true });
  }

  #check(id: string): void {
    if (!ID.test(id))
      throw new Failure(
        "not_found",
        `Cannot find the proposal "${id.slice(0, 60)}": no such id`,
        UNKNOWN_HINT,
      );
  }

  #endedFailure(id: string): Failure {
    const ending = this.#read(this.#file(id, "done")) as Ending | undefined;
    if (!ending && existsSync(this.#file(id, "taken")))
      return new Failure("busy", `Cannot use the proposal "${id}": another process is applying it`);
    if (!ending)
      return new Failure("not_found", `Cannot find the proposal "${id}": no such id`, UNKNOWN_HINT);
    const why = ending.reason ? `: ${ending.reason}` : "";
    const code = ending.outcome === "expired" ? "stale" : "conflict";
    return new Failure(code, `Cannot use the proposal "${id}": it was ${ending.outcome}${why}`, {
      hint:
        ending.outcome === "applied"
          ? "Nothing is left to do."
          : "Make the change again to get a new proposal.",
      details: { ...ending },
    });
  }

  #names(suffix: string): string[] {
    return readdirSync(this.#folder).filter((name) => name.endsWith(suffix));
  }

  #read(path: string): unknown {
    try {
      return JSON.parse(readFileSync(path, "utf8")) as unknown;
    } catch {
      return undefined;
    }
  }

  #file(id: string, suffix: string): string {
    return join(this.#folder, `${id}.${suffix}`);
  }

  #content(id: string, index: number): string {
    return join(this.#folder, `${id}.${index}.bin`);
  }
}

const UNKNOWN_HINT = {
  hint: "ringfence/proposals/list, or `ringfence proposals list`, shows those that wait.",
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}
