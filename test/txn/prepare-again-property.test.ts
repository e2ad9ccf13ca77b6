/**
 * What is shown of a stored change set is computed from its steps: for any set that can be made, preparing its steps
 * once more comes to the same steps, and to the same files as the first preparing described. fast-check prints the seed
 * of a failure.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import { prepareAgain, type Change, type PreparedAgain, type PreparedChanges } from "../../src/txn/index.ts";
import { layFiles } from "../host/file-tree.ts";
import { change, FILES } from "./any-changes.ts";
import { TransactionKit } from "./transaction-kit.ts";

const RUNS = 120;

test("the steps of any set are described as they were when it was made", () => {
  let longest = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      using kit = new TransactionKit();
      layFiles(kit.root, FILES);
      const good: Change[] = [];
      for (const one of changes) if (trySeal(kit, ...good, one)) good.push(one);
      kit.contents.length = 0;
      const prepared = trySeal(kit, ...good);
      if (!prepared) return;
      longest = Math.max(longest, prepared.steps.length);
      const again = describeAgain(kit, prepared);
      expect(again.difference).toBeUndefined();
      const described = prepared.files.filter(({ operation }) => operation !== "none");
      expect(again.files).toEqual(described);
    }),
    { numRuns: RUNS },
  );
  expect(longest).toBeGreaterThan(4);
});

function describeAgain({ scope, contents, stores }: TransactionKit, { steps }: PreparedChanges): PreparedAgain {
  return prepareAgain(steps, (index) => contents[index] ?? new Uint8Array(), {
    scope,
    cancel: NEVER_CANCELLED,
    undoMount: stores.history.mount,
  });
}

function trySeal(kit: TransactionKit, ...changes: readonly Change[]): PreparedChanges | undefined {
  try {
    return kit.prepare(...changes);
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}
