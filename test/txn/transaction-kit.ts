/**
 * A root, a state folder and what a commit needs of them, for tests that commit without a host.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, listenToLog, NEVER_CANCELLED } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { AnswerStore, HistoryStore, openStateFolder } from "../../src/state/index.ts";
import {
  commitChanges,
  prepareChanges,
  recoverTransactions,
  type Stores,
  type Change,
  type PreparedChanges,
} from "../../src/txn/index.ts";

export class TransactionKit implements Disposable {
  readonly top: string;
  readonly root: string;
  readonly scope: Scope;
  readonly stores: Stores;
  readonly contents: Uint8Array[] = [];
  /** The id of the last commit. */
  transaction = "";
  /** What is said to a person meanwhile. */
  readonly log: string[] = [];
  readonly #listening: Disposable = listenToLog((text) => this.log.push(text));

  /** @param folder in which all of it is made */
  constructor(folder: string = tmpdir()) {
    this.top = realpathSync(mkdtempSync(join(folder, "ringfence-txn-")));
    this.root = join(this.top, "root");
    for (const path of ["root", "outside"]) mkdirSync(join(this.top, path));
    this.scope = new Scope({ roots: [{ path: this.root, readOnly: false }] });
    const state = openStateFolder(join(this.top, "state"));
    this.stores = {
      history: new HistoryStore(state.undo, state.journal),
      answers: new AnswerStore(state.answers),
      journal: state.journal,
      durability: "full",
    };
  }

  put(path: string, content: string): void {
    writeFileSync(join(this.root, path), content);
  }

  prepare(...changes: readonly Change[]): PreparedChanges {
    const keep = (bytes: Uint8Array): number => this.contents.push(bytes) - 1;
    return prepareChanges(
      { changes },
      {
        scope: this.scope,
        cancel: NEVER_CANCELLED,
        undoMount: this.stores.history.mount,
        keep,
      },
    );
  }

  /** "ok", the code of the failure, or "bug". */
  commit(
    prepared: PreparedChanges,
    content = (index: number): Uint8Array => this.contents[index] ?? new Uint8Array(),
  ): string {
    const { scope, stores } = this;
    const roots = [{ path: this.root, readOnly: false }];
    const about = { tool: "test", summary: prepared.summary, files: prepared.files, scope: { roots } };
    try {
      this.transaction = commitChanges(prepared, about, {
        scope,
        stores,
        cancel: NEVER_CANCELLED,
        content,
        recover: () => void this.recover(),
      }).transaction;
      return "ok";
    } catch (thrown) {
      if (thrown instanceof Failure) return thrown.code;
      return "bug";
    }
  }

  /** As a host does at its start, and before every change. @returns what became of each that was found */
  recover(): string[] {
    const roots = [{ path: this.root, readOnly: false }];
    return recoverTransactions(this.stores, () => new Scope({ roots })).map(({ outcome }) => outcome);
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
    this.scope[Symbol.dispose]();
    rmSync(this.top, { recursive: true, force: true });
  }
}

export function write(path: string, content: string): Change {
  return { op: "write", path, content, overwrite: true };
}
