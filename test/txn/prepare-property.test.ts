/**
 * Several changes prepared as one set mean the same as each of them prepared and made by itself, one after the other: the
 * same tree, or the failure of the same one with the same code. fast-check prints the seed of a failure.
 *
 * One thing may differ: a set refuses to go through a link after it has moved what the link could lead
 * through.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../property.ts";
import { Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";
import { layFiles, readTree } from "../host/file-tree.ts";
import { change, FILES } from "./any-changes.ts";
import { playSteps } from "./play-steps.ts";
import type { Change } from "../../src/txn/model.ts";
import { prepareChanges } from "../../src/txn/prepare/prepare.ts";

const RUNS = 150;

/** Found by a longer run: the source of a copy took the mode of what the copy had replaced. */
const A_COPY_KEEPS_THE_MODE_OF_WHAT_IT_REPLACES: Change[] = [
  { op: "edit", path: "d/a", edits: [{ oldText: "x", newText: "y", replaceAll: false }], inPlace: false },
  { op: "copy", source: "d/a", destination: "d/e/b", overwrite: true, recursive: true },
  { op: "write", path: "d/a", content: "x\n", overwrite: true },
];

let top: string;
const roots = ["one-by-one", "as-one"] as const;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(memoryFolder(), "ringfence-prepare-")));
});

afterEach(() => rmSync(top, { recursive: true, force: true }));

test("a set is what its changes are one after the other", () => {
  let longest = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 4, maxLength: 16 }), (changes) => {
      const [single, whole] = roots.map(layRoot) as [string, string];
      const good: Change[] = [];
      for (const one of changes) {
        // One that fails by itself fails in the set too, and is left out then.
        const alone = prepareAll(single, [one], false);
        const together = prepareAll(whole, [...good, one], false);
        if (together === "through a link") continue;
        expect(together).toBe(alone === "ok" ? "ok" : alone.replace("of 1", `of ${good.length + 1}`));
        if (alone !== "ok") continue;
        prepareAll(single, [one], true);
        good.push(one);
      }
      longest = Math.max(longest, good.length);
      expect(prepareAll(whole, good, true)).toBe("ok");
      expect(readTree(whole)).toEqual(readTree(single));
    }),
    { numRuns: RUNS, examples: [[A_COPY_KEEPS_THE_MODE_OF_WHAT_IT_REPLACES]] },
  );
  // A property that refuses everything holds too.
  expect(longest).toBeGreaterThan(6);
});

function layRoot(name: string): string {
  const root = join(top, name);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  layFiles(root, FILES);
  return root;
}

/** `ok`, or the code of the failure and, in a set, which change it was. */
function prepareAll(root: string, changes: readonly Change[], isPlayed: boolean): string {
  using scope = new Scope({ roots: [{ path: root, readOnly: false }] });
  const contents: Uint8Array[] = [];
  const keep = (bytes: Uint8Array): number => contents.push(bytes) - 1;
  try {
    const { steps } = prepareChanges(
      { changes, operations: changes.map(({ op }) => op) },
      { scope, cancel: NEVER_CANCELLED, keep },
    );
    if (isPlayed) playSteps(root, steps, (index) => contents[index] ?? new Uint8Array());
    return "ok";
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    if (thrown.message.includes("it leads through the link")) return "through a link";
    // That what is in the way is a link out is said only where the disk alone decides.
    const code = thrown.code === "outside_scope" ? "already_exists" : thrown.code;
    return `${code} of ${String(thrown.data.details?.["operation"])}`;
  }
}
