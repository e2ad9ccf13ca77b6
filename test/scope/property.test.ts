/**
 * Both backends against a model: for random trees full of links and random paths, `Scope` opens exactly the object that
 * the model names, or fails with its code. fast-check prints the seed of a failure.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { fstatSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, type BigIntStats } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fc } from "../property.ts";
import { Failure } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { clearFolder } from "./path-cases.ts";
import {
  meaningOfDirectory,
  meaningOfFile,
  meaningOfName,
  type Meaning,
  type Model,
  type ModelTree,
} from "./property-model.ts";
import { anyPath, anyTree, layTree, PLACES } from "./property-trees.ts";

const RUNS = 300;
const PATHS_A_TREE = 20;
const MOST_TRIES = 100;

const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-model-")));
for (const place of PLACES) mkdirSync(join(top, place));
const roots = [join(top, "root"), join(top, "other")];

afterAll(() => rmSync(top, { recursive: true, force: true }));

type Ask = (scope: Scope, asked: string) => BigIntStats;

const QUESTIONS: readonly [what: string, ask: Ask, meaning: (model: Model, asked: string) => Meaning][] = [
  [
    "a file",
    (scope, asked) => {
      using file = scope.openFile(scope.locate(asked, "read"), "read");
      return fstatSync(file.fd, { bigint: true });
    },
    meaningOfFile,
  ],
  [
    "a directory",
    (scope, asked) => {
      using directory = scope.openDirectory(scope.locate(asked, "list"), "list");
      return fstatSync(directory.fd, { bigint: true });
    },
    meaningOfDirectory,
  ],
  ["a name", (scope, asked) => scope.lstat(scope.locate(asked, "stat"), "stat"), meaningOfName],
];

describe.skipIf(process.platform === "win32").each(["auto", "portable"] as const)("containment %s", (containment) => {
  test("the scope opens what the model says, and nothing else", () => {
    using scope = new Scope({ roots: roots.map((path) => ({ path, readOnly: false })), containment });
    const pathsIn = (tree: ModelTree) =>
      fc.array(anyPath(top, tree), { minLength: PATHS_A_TREE, maxLength: PATHS_A_TREE });
    const treeAndPaths = anyTree(top).chain((tree) => fc.tuple(fc.constant(tree), pathsIn(tree)));
    const met = new Map<string, number>();
    fc.assert(
      fc.property(treeAndPaths, ([tree, asked]) => {
        for (const place of PLACES) clearFolder(join(top, place));
        layTree(tree);
        for (const path of asked) {
          for (const [what, ask, meaning] of QUESTIONS) {
            const meant = meaning({ tree, roots }, path);
            const wanted = "failure" in meant ? meant.failure : identity(lstatSync(meant.path, BIG));
            const found = answer(ask, scope, path);
            expect({ what, path, found }).toEqual({ what, path, found: wanted });
            const kind = "failure" in meant ? meant.failure : "ok";
            met.set(`${what} ${kind}`, (met.get(`${what} ${kind}`) ?? 0) + 1);
          }
        }
      }),
      { numRuns: RUNS },
    );
    // Every answer was met often, so none of it went untested.
    expect([...met.values()].filter((times) => times > 5)).toHaveLength(13);
  });
});

const BIG = { bigint: true } as const;

/**
 * A rename anywhere on the machine, of whatever process, makes the kernel give up on a path with `..` (EAGAIN), which
 * ends as `conflict` after some tries. Nothing in this test renames, so it asks again.
 */
function answer(ask: Ask, scope: Scope, path: string): string {
  for (let tries = 0; ; tries++) {
    try {
      return identity(ask(scope, path));
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      if (thrown.code !== "conflict" || tries === MOST_TRIES) return thrown.code;
    }
  }
}

function identity({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
