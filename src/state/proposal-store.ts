/**
 * Proposals on disk: `<id>.json` with what would be done, `<id>.<n>.bin` with the new contents. What people see is made
 * from it. A proposal is taken by renaming its file, so that of two processes that apply it at once only one does.
 *
 * States by suffix: `.json` waiting, `.taken` being applied by whoever holds the lock on `.owner`, `.done` a short note
 * of how it ended (kept so that a later call about it gets a clear answer). Where there is a note, nothing else counts.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure, limits, logLine, nowMs } from "../base/index.ts";
import type { LeftOut, ReviewWords } from "../calls/index.ts";
import { terminalCommand } from "../text/index.ts";
import { lockState, readJson, tryLockFile, writeWhole } from "./small-file.ts";

const ID = /^p_[A-Za-z0-9_-]{22}$/;

/** How often files are looked for that are too old. */
const AGE_EVERY_MS = 60_000;

export interface StoredProposal {
  readonly id: string;
  readonly created: number;
  readonly expires: number;
}

/** Nobody has made a proposal that says it waits longer than this. */
export function expiryOf({ created, expires }: Pick<StoredProposal, "created" | "expires">): number {
  return Math.min(expires, created + limits.PROPOSAL_TTL_MS);
}

/** How a proposal ended, for whoever asks later: the call that waited for it, and the model that made it. */
export interface Ending extends ReviewWords {
  readonly id: string;
  readonly outcome: "applied" | "rejected" | "expired";
  readonly reason?: string;
  readonly transaction?: string;
  readonly summary?: string;
  readonly left_out?: readonly LeftOut[];
  /** What the person changed of the text before it was applied, as a diff for each time. */
  readonly edited?: readonly RewrittenText[];
  /** What the files hold afterwards. */
  readonly files?: readonly EndedFile[];
  readonly at: number;
}

export interface RewrittenText {
  /** As the proposal names it. */
  readonly path: string;
  readonly diff: string;
}

export interface EndedFile {
  /** Absolute. */
  readonly path: string;
  readonly operation: string;
  readonly hash?: string | undefined;
  /** As the proposal names it, of a move or copy. */
  readonly source?: string | undefined;
}

export class ProposalStore<P extends StoredProposal> {
  readonly #folder: string;
  readonly #appliedAs: (id: string) => Ending | undefined;
  readonly #read: (stored: P) => P;
  /** The locks of the proposals that this process has taken. */
  readonly #taken: Map<string, Disposable> = new Map();
  /** The endings that could not be written to the disk. */
  readonly #unwritten: Map<string, Ending> = new Map();
  #agedMs = -Infinity;

  /**
   * @param folder in the state folder
   * @param appliedAs how a proposal whose owner died has ended, by what is known elsewhere: the owner may have applied it
   * @param read brings a proposal that an earlier version stored into the present form
   */
  constructor(
    folder: string,
    appliedAs: (id: string) => Ending | undefined = () => undefined,
    read: (stored: P) => P = (stored) => stored,
  ) {
    this.#folder = folder;
    this.#appliedAs = appliedAs;
    this.#read = read;
  }

  put(proposal: P, contents: readonly Uint8Array[]): void {
    this.#makeRoom(1);
    try {
      contents.forEach((content, index) => writeFileSync(this.#content(proposal.id, index), content, { mode: 0o600 }));
      const { id } = proposal;
      writeWhole(this.#file(id, "json"), JSON.stringify(proposal), this.#file(id, "new"));
    } catch (thrown) {
      this.#discard(proposal.id);
      throw thrown;
    }
  }

  /** @throws Failure `not_found` for an unknown id, `conflict` for one that has ended, `stale` for an expired one */
  get(id: string): P {
    this.#check(id);
    const ending = this.endingOf(id);
    const proposal = ending ? undefined : this.#stored(this.#file(id, "json"));
    if (!proposal) throw this.#endedFailure(id, ending);
    if (!(expiryOf(proposal) >= nowMs())) {
      this.end({ id, outcome: "expired", at: nowMs() });
      throw this.#endedFailure(id);
    }
    return proposal;
  }

  /** @returns how the proposal ended; `undefined` while it waits or is being applied */
  endingOf(id: string): Ending | undefined {
    const written = (): Ending | undefined =>
      this.#unwritten.get(id) ?? (readJson(this.#file(id, "done")) as Ending | undefined);
    return written() ?? this.#recover(id) ?? written();
  }

  /** Lists the waiting proposals, oldest first. @param only these of them, so that the files of no others are read */
  list(only?: readonly string[]): P[] {
    this.#makeRoom(0);
    for (const name of this.#names(".taken")) this.#recover(name.slice(0, -".taken".length));
    const ended = new Set(this.#names(".done"));
    const wanted = only && new Set(only);
    return this.#names(".json")
      .filter((name) => !ended.has(`${name.slice(0, -".json".length)}.done`))
      .filter((name) => !wanted || wanted.has(name.slice(0, -".json".length)))
      .map((name) => this.#stored(join(this.#folder, name)))
      .filter((proposal): proposal is P => proposal !== undefined)
      .sort((a, b) => a.created - b.created);
  }

  #stored(path: string): P | undefined {
    const stored = readJson(path) as P | undefined;
    return stored && this.#read(stored);
  }

  /** Takes it for applying. Exactly one caller gets it. @throws as `get`, and `busy` when another process has it */
  take(id: string): P {
    const proposal = this.get(id);
    // Before it is taken, so that a taken one always has an owner.
    const lock = tryLockFile(this.#file(id, "owner"));
    if (!lock) throw takenFailure(id);
    try {
      renameSync(this.#file(id, "json"), this.#file(id, "taken"));
    } catch {
      lock[Symbol.dispose]();
      throw this.#endedFailure(id);
    }
    this.#taken.set(id, lock);
    return proposal;
  }

  /**
   * Puts a taken proposal back, so that it can be tried again. Never fails, because the reason for putting it back
   * matters more.
   */
  release(id: string): void {
    try {
      renameSync(this.#file(id, "taken"), this.#file(id, "json"));
    } catch (thrown) {
      // Without an owner it is put back by whoever looks at it next.
      logLine(`cannot put the proposal ${id} back: ${String(thrown)}`);
    }
    this.#disown(id);
  }

  content(id: string, index: number): Uint8Array {
    return readFileSync(this.#content(id, index));
  }

  /** @returns the size of a content in bytes */
  contentSize(id: string, index: number): number {
    return statSync(this.#content(id, index), { throwIfNoEntry: false })?.size ?? 0;
  }

  end(ending: Ending): void {
    writeFileSync(this.#file(ending.id, "done"), JSON.stringify(ending), { mode: 0o600 });
    this.#discard(ending.id);
  }

  /** Ends a proposal whose outcome has happened, also where that cannot be written down. Never fails. */
  endHappened(ending: Ending): void {
    try {
      this.end(ending);
    } catch (thrown) {
      this.#unwritten.set(ending.id, ending);
      this.#disown(ending.id);
      logLine(`cannot write down that the proposal ${ending.id} was ${ending.outcome}: ${String(thrown)}`);
    }
  }

  /** Drops what is too old to be told about, and the oldest above the limit. @param room for those that will be put */
  #makeRoom(room: number): void {
    if (Math.abs(nowMs() - this.#agedMs) >= AGE_EVERY_MS) this.#dropOld();
    const waiting = this.#names(".json");
    const tooMany = waiting.length + room - limits.MAX_PROPOSALS;
    if (tooMany <= 0) return;
    const byAge = waiting
      .map((name) => ({ id: name.slice(0, -5), ms: statSync(join(this.#folder, name)).mtimeMs }))
      .sort((a, b) => a.ms - b.ms);
    for (const { id } of byAge.slice(0, tooMany)) this.end({ id, outcome: "expired", at: nowMs() });
  }

  /** Looks at every file, and notes of how proposals ended are many. */
  #dropOld(): void {
    const now = nowMs();
    this.#agedMs = now;
    for (const name of this.#names("")) {
      const path = join(this.#folder, name);
      const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
      if (age > limits.PROPOSAL_TTL_MS * 2) rmSync(path, { force: true });
    }
  }

  /** A process that died while it applied the proposal has left it taken; it waits again if it was not applied. */
  #recover(id: string): Ending | undefined {
    if (!existsSync(this.#file(id, "taken")) || this.#taken.has(id)) return undefined;
    if (lockState(this.#file(id, "owner")) === "held") return undefined;
    const owner = tryLockFile(this.#file(id, "owner"));
    if (!owner) return undefined;
    this.#taken.set(id, owner);
    if (!existsSync(this.#file(id, "taken"))) {
      // Another process was quicker.
      this.#disown(id);
      return undefined;
    }
    const ending = (readJson(this.#file(id, "done")) as Ending | undefined) ?? this.#appliedAs(id);
    if (ending) this.endHappened(ending);
    else this.release(id);
    return ending;
  }

  #disown(id: string): void {
    const lock = this.#taken.get(id);
    try {
      if (lock) lock[Symbol.dispose]();
      else rmSync(this.#file(id, "owner"), { force: true });
    } catch (thrown) {
      logLine(`cannot let go of the proposal ${id}: ${String(thrown)}`);
    }
    this.#taken.delete(id);
  }

  /** Removes the files of a proposal. What cannot be removed goes with the old proposals. */
  #discard(id: string): void {
    const contents: string[] = [];
    for (let index = 0; existsSync(this.#content(id, index)); index++) contents.push(this.#content(id, index));
    for (const path of [this.#file(id, "json"), this.#file(id, "taken"), this.#file(id, "new"), ...contents])
      try {
        rmSync(path, { force: true });
      } catch (thrown) {
        logLine(`cannot remove what is left of the proposal ${id}: ${String(thrown)}`);
      }
    this.#disown(id);
  }

  #check(id: string): void {
    if (!ID.test(id))
      throw new Failure("not_found", `Cannot find the proposal "${id.slice(0, 60)}": no such id`, this.#unknownHint());
  }

  #endedFailure(id: string, known?: Ending): Failure {
    const ending = known ?? (readJson(this.#file(id, "done")) as Ending | undefined);
    if (!ending && existsSync(this.#file(id, "taken"))) return takenFailure(id);
    if (!ending) return new Failure("not_found", `Cannot find the proposal "${id}": no such id`, this.#unknownHint());
    const why = ending.reason ? `: ${ending.reason}` : "";
    const code = ending.outcome === "expired" ? "stale" : "conflict";
    return new Failure(code, `Cannot use the proposal "${id}": it was ${ending.outcome}${why}`, {
      hint: ending.outcome === "applied" ? "Nothing is left to do." : "Make the change again to get a new proposal.",
      details: { ...ending },
    });
  }

  #unknownHint(): { readonly hint: string } {
    const command = terminalCommand(["proposals", "list"], dirname(this.#folder));
    return { hint: `\`${command}\` shows those that wait.` };
  }

  #names(suffix: string): string[] {
    return readdirSync(this.#folder).filter((name) => name.endsWith(suffix));
  }

  #file(id: string, suffix: string): string {
    return join(this.#folder, `${id}.${suffix}`);
  }

  #content(id: string, index: number): string {
    return join(this.#folder, `${id}.${index}.bin`);
  }
}

function takenFailure(id: string): Failure {
  return new Failure("busy", `Cannot use the proposal "${id}": another process is applying it`);
}
