/**
 * The files of a patch are all meant as they are before it, so the order in which they stand in it means nothing: any mix
 * of changes, deletes, renames and copies, in any order, leaves what a look at the old files says. fast-check prints the
 * seed of a failure.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fc } from "../property.ts";
import { NEVER_CANCELLED } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { parsePatch } from "../../src/text/index.ts";
import type { PatchChange, PreparedChanges } from "../../src/txn/index.ts";
import { orderPatch } from "../../src/txn/prepare/patch.ts";
import type * as ordering from "../../src/txn/prepare/patch.ts";
import { prepareChanges } from "../../src/txn/prepare/prepare.ts";
import { layFiles, readTree } from "../host/file-tree.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";
import { playSteps } from "./play-steps.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-order-")));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function layRoot(): void {
  rmSync(root, { recursive: true, force: true });
  layFiles(root, Object.fromEntries(NAMES.map((name) => [name, old(name)])));
}

function prepareAndPlay(change: PatchChange): PreparedChanges {
  using scope = new Scope({ roots: [{ path: root, readOnly: false }] });
  const contents: Uint8Array[] = [];
  const keep = (bytes: Uint8Array): number => contents.push(bytes) - 1;
  const prepared = prepareChanges({ changes: [change] }, { scope, cancel: NEVER_CANCELLED, keep });
  playSteps(root, prepared.steps, (index) => contents[index] ?? new Uint8Array());
  return prepared;
}

function readPatch(text: string): PatchChange {
  const parsed = parsePatch(text);
  if (parsed.kind === "problem") throw new Error(`${JSON.stringify(parsed)}\n${text}`);
  const { files, tolerances } = parsed;
  return { op: "patch", files, tolerances, ifHashes: {}, overwrite: false };
}

const git = (kind: "rename" | "copy", from: string, to: string, isChanged: boolean): string =>
  [
    `diff --git a/${from} b/${to}`,
    `${kind} from ${from}`,
    `${kind} to ${to}`,
    ...(isChanged ? hunk(from, to) : []),
    "",
  ].join("\n");
const change = (name: string): string => [`diff --git a/${name} b/${name}`, ...hunk(name, name), ""].join("\n");
const remove = (name: string): string => [`diff --git a/${name} b/${name}`, "deleted file mode 100644", ""].join("\n");
const hunk = (from: string, to: string): string[] => [
  `--- a/${from}`,
  `+++ b/${to}`,
  "@@ -1,2 +1,2 @@",
  ` file ${from}`,
  "-old",
  `+new ${to}`,
];
const old = (name: string): string => `file ${name}\nold\n`;
const fresh = (from: string, to: string, isChanged: boolean): string =>
  isChanged ? `file ${from}\nnew ${to}\n` : old(from);

const NAMES = ["a", "b", "c", "d", "e"];
const MORE = ["x", "y", "z"];
const fate = fc.record({
  what: fc.constantFrom("keep", "change", "delete", "move", "move", "move"),
  isChanged: fc.boolean(),
});
const plan: fc.Arbitrary<Plan> = fc.record({
  fates: fc.tuple(fate, fate, fate, fate, fate),
  destinations: fc.shuffledSubarray([...NAMES, ...MORE], { minLength: 8 }),
  copies: fc.array(fc.record({ from: fc.constantFrom(...NAMES), isChanged: fc.boolean() }), { maxLength: 3 }),
  order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }),
});

interface Plan {
  readonly fates: readonly { readonly what: string; readonly isChanged: boolean }[];
  /** In the order in which they are taken. */
  readonly destinations: readonly string[];
  readonly copies: readonly { readonly from: string; readonly isChanged: boolean }[];
  /** The order of the sections: first those of the names, then those of the copies. */
  readonly order: readonly number[];
}

/** The sections of a patch, and what must stand there afterwards. */
function draw({ fates, destinations, copies, order }: Plan): { patch: string; after: Map<string, string> } {
  const stays = NAMES.filter((_, index) => ["keep", "change"].includes(fates[index]?.what ?? ""));
  const free = destinations.filter((name) => !stays.includes(name));
  const after = new Map<string, string>();
  const sections = NAMES.map((name, index) => {
    const { what, isChanged } = fates[index] ?? { what: "keep", isChanged: false };
    const to = what === "move" ? (free.pop() ?? name) : name;
    if (what !== "delete") after.set(to, fresh(name, to, what !== "keep" && isChanged));
    if (what === "delete") return remove(name);
    if (to !== name) return git("rename", name, to, isChanged);
    return what === "keep" || !isChanged ? "" : change(name);
  });
  for (const { from, isChanged } of copies) {
    const to = free.pop();
    if (to === undefined || to === from) continue;
    after.set(to, fresh(from, to, isChanged));
    sections.push(git("copy", from, to, isChanged));
  }
  return { patch: order.map((index) => sections[index] ?? "").join(""), after };
}

test("any order of the sections means the same", () => {
  let [applied, asides, refused] = [0, 0, 0];
  fc.assert(
    fc.property(plan, (drawn) => {
      const { patch, after } = draw(drawn);
      if (patch === "") return;
      const set = readPatch(patch);
      if (circleOfCopies(set)) {
        refused++;
        return;
      }
      layRoot();
      const { files } = prepareAndPlay(set);
      expect(readTree(root)).toEqual(Object.fromEntries(after));
      applied++;
      if (files.some(({ path }) => path.startsWith("aside-"))) asides++;
    }),
    { numRuns: 300 },
  );
  expect(applied).toBeGreaterThan(200);
  expect(asides).toBeGreaterThan(20);
  expect(refused).toBeLessThan(20);
});

/** The one thing that has no order. */
function circleOfCopies({ files }: PatchChange): boolean {
  try {
    orderPatch(files.map((file) => ({ file, path: file.path })));
    return false;
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: "unsupported" });
    return true;
  }
}

test("two copies that swap names, of files that are moved away, are refused", () => {
  const patch = [
    git("copy", "a", "b", false),
    git("copy", "b", "a", false),
    git("rename", "a", "c", false),
    git("rename", "b", "d", false),
  ];
  expect(circleOfCopies(readPatch(patch.join("")))).toBe(true);
});

test("a chain of 20000 renames has an order, found at once", async () => {
  const files = chain(20_000);
  const counted = await loadCounted<typeof ordering>("src/txn/prepare/patch.ts");
  expectGrowth({ size: 2000, mostGrowth: 2.1, mostPerUnit: 70 }, (length) => {
    const some = chain(length);
    return () => counted.orderPatch(some);
  });
  expect(orderPatch(files).map(({ one }) => one.path)).toEqual(files.map(({ path }) => path).toReversed());
});

function chain(length: number): Parameters<typeof orderPatch>[0] {
  return Array.from({ length }, (_, index) => ({
    path: `f${index}`,
    file: { kind: "update", path: `f${index}`, moveTo: `f${index + 1}`, hunks: [] },
  }));
}
