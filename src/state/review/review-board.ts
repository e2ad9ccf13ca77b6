/**
 * What reviewers and hosts tell each other about proposals that wait: which reviewers are attached, which proposals a call
 * waits for, and which calls a person has approved, so that the host that waits makes them. Presence is a lock, which the
 * kernel lets go when its owner dies.
 *
 * Invariant: nothing here decides about a change. An approval names the digest that was shown, and whoever makes the call
 * compares it, as with any other approval.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../base/index.ts";
import { lockOwnFile, lockState, readJson, tryLockFile, writeWhole } from "../small-file.ts";

/** A person approved a call that another process makes. */
export interface PassedApproval {
  /** The digest of what was shown. */
  readonly digest: string;
}

const REVIEWER = ".reviewer";

export class ReviewBoard {
  readonly #folder: string;
  /** The locks of the proposals that calls of this process wait for. */
  readonly #waits: Map<string, { readonly lock: Disposable; calls: number }> = new Map();

  /** @param folder `review` in the state folder */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A reviewer is there until it lets go, or its process ends. */
  attach(): Disposable {
    const lock = lockOwnFile(join(this.#folder, `${newId("r")}${REVIEWER}`));
    if (!lock) throw new Error("the lock of a new reviewer is held");
    return lock;
  }

  /** Whether anybody reviews; what reviewers have left who were killed is removed. */
  isReviewed(): boolean {
    return readdirSync(this.#folder).some((name) => {
      if (!name.endsWith(REVIEWER)) return false;
      // Removed while its lock is held: whoever attaches just now sees that, and makes another.
      const abandoned = tryLockFile(join(this.#folder, name));
      abandoned?.[Symbol.dispose]();
      return abandoned === undefined;
    });
  }

  /** A call of this process waits for the decision. Every call of this has one of `letGo`. */
  waitFor(id: string): void {
    const known = this.#waits.get(id);
    if (known) {
      known.calls++;
      return;
    }
    const lock = lockOwnFile(this.#file(id, "waiter"));
    if (lock) this.#waits.set(id, { lock, calls: 1 });
  }

  letGo(id: string): void {
    const known = this.#waits.get(id);
    if (!known || --known.calls > 0) return;
    this.#waits.delete(id);
    this.consume(id);
    known.lock[Symbol.dispose]();
  }

  isWaitedFor(id: string): boolean {
    return this.#waits.has(id) || lockState(this.#file(id, "waiter")) === "held";
  }

  /** Tells the host that waits for it. */
  approve(id: string, approval: PassedApproval): void {
    const path = this.#file(id, "approved");
    writeWhole(path, JSON.stringify(approval), `${path}.${process.pid}.new`);
  }

  /** What was approved is being made. */
  consume(id: string): void {
    rmSync(this.#file(id, "approved"), { force: true });
  }

  approvalOf(id: string): PassedApproval | undefined {
    const approval = readJson(this.#file(id, "approved")) as PassedApproval | undefined;
    return typeof approval?.digest === "string" ? approval : undefined;
  }

  /** What a person has chosen so far about a proposal, as JSON. */
  draft(id: string): unknown {
    return readJson(this.#file(id, "draft"));
  }

  /** @param draft `undefined`: it is over */
  keepDraft(id: string, draft: object | undefined): void {
    const path = this.#file(id, "draft");
    if (draft === undefined) rmSync(path, { force: true });
    else writeWhole(path, JSON.stringify(draft), `${path}.${process.pid}.new`);
  }

  #file(id: string, suffix: string): string {
    return join(this.#folder, `${id}.${suffix}`);
  }
}
