/**
 * The undo of the last commit of a kit, as the change worker makes it, which then is its last commit itself.
 */
import { Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import { commitChanges, invertTransaction } from "../../src/txn/index.ts";
import type { TransactionKit } from "./transaction-kit.ts";

/** "ok" or the code of the failure. */
export function undoLast(kit: TransactionKit): string {
  const { scope, stores } = kit;
  const record = stores.history.get(kit.transaction);
  try {
    const { changes: prepared, contents } = invertTransaction(record, stores.history, scope);
    const { summary, files } = prepared;
    const about = { tool: "undo", summary, files, scope: record.scope, undoes: record.transaction };
    const content = (index: number): Uint8Array => contents[index] ?? new Uint8Array();
    const ctx = { scope, stores, content, cancel: NEVER_CANCELLED, recover: () => void kit.recover() };
    kit.transaction = commitChanges(prepared, about, ctx).transaction;
    stores.history.dropKept(record.transaction);
    return "ok";
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code;
    throw thrown;
  }
}
