/**
 * A set of changes that build on each other leaves, through the whole commit, what each of them prepared and committed by
 * itself leaves: every byte, link and mode. fast-check prints the seed of a failure.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { Failure } from "../../src/base/index.ts";
import type { Change, PreparedChanges } from "../../src/txn/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { layFiles, readTree } from "../host/file-tree.ts";
import { change, FILES } from "./any-changes.ts";
import { TransactionKit } from "./transaction-kit.ts";

const RUNS = 60;

test("a set that is committed is what its changes are one after the other", () => {
  let longest = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 3, maxLength: 12 }), (changes) => {
      using single = new TransactionKit(memoryFolder());
      using whole = new TransactionKit(memoryFolder());
      for (const { root } of [single, whole]) layFiles(root, FILES);
      const good: Change[] = [];
      for (const one of changes) {
        // What only one of them refuses is the business of the preparing.
        const alone = trySeal(single, one);
        if (!alone || !trySeal(whole, ...good, one)) continue;
        expect(single.commit(alone)).toBe("ok");
        good.push(one);
      }
      longest = Math.max(longest, good.length);
      whole.contents.length = 0;
      const prepared = trySeal(whole, ...good);
      expect(prepared && whole.commit(prepared)).toBe("ok");
      expect(readTree(whole.root)).toEqual(readTree(single.root));
    }),
    { numRuns: RUNS },
  );
  expect(longest).toBeGreaterThan(3);
});

function trySeal(kit: TransactionKit, ...changes: readonly Change[]): PreparedChanges | undefined {
  try {
    return kit.prepare(...changes);
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}
