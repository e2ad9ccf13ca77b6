/**
 * What a set is prepared into: which steps are merged, which follow an earlier one, what they rely on, and how a failure
 * names its operation. That the steps mean the right thing is held by `prepare-property.test.ts`.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, NEVER_CANCELLED } from "../../src/base/index.ts";
import { Scope, type Located, type OpenDirectory, type Place } from "../../src/scope/index.ts";
import { parsePatch } from "../../src/text/index.ts";
import type { Change, PreparedChanges } from "../../src/txn/index.ts";
import { prepareChanges } from "../../src/txn/prepare/prepare.ts";
import { layFiles } from "../host/file-tree.ts";

let top: string;
let scope: Scope;
let contents: string[];

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-prepare-")));
  for (const name of ["root", "fixed"]) mkdirSync(join(top, name));
  layFiles(join(top, "root"), {
    "a.txt": "one\ntwo\n",
    "d/a.txt": "one\n",
    "run.sh": { text: "one\n", mode: "0755" },
    l: { link: "d" },
  });
  const roots = [
    { path: join(top, "root"), readOnly: false },
    { path: join(top, "fixed"), readOnly: true },
  ];
  scope = new Scope({ roots, deny: ["private/**"] });
  contents = [];
});

afterEach(() => {
  scope[Symbol.dispose]();
  rmSync(top, { recursive: true, force: true });
});

function keep(bytes: Uint8Array): number {
  return contents.push(Buffer.from(bytes).toString()) - 1;
}

function prepare(...changes: readonly Change[]): PreparedChanges {
  const set = { changes, operations: changes.map(({ op }) => op) };
  return prepareChanges(set, { scope, cancel: NEVER_CANCELLED, keep });
}

function failureOf(...changes: readonly Change[]): Failure["data"] {
  try {
    prepare(...changes);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.data;
    throw thrown;
  }
  throw new Error("it was prepared");
}

const write = (path: string, content: string): Change => ({ op: "write", path, content, overwrite: true });
const edit = (path: string, oldText: string, newText: string): Change => ({
  op: "edit",
  path,
  edits: [{ oldText, newText, replaceAll: false }],
});
const move = (source: string, destination: string): Change => ({
  op: "move",
  source,
  destination,
  overwrite: false,
  recursive: true,
});

describe("changes of one file", () => {
  test("changes of one file are one put on what the disk has, and only its content is kept", () => {
    const { steps, files } = prepare(edit("a.txt", "one", "1"), write("b.txt", "b\n"), edit("a.txt", "two", "2"));
    expect(steps).toMatchObject([
      { op: "put", at: { rel: "a.txt" }, before: { kind: "file", size: 8 } },
      { op: "put", at: { rel: "b.txt" }, before: { kind: "absent" } },
    ]);
    expect(steps.some(({ follows }) => follows)).toBe(false);
    expect(contents).toEqual(["1\n2\n", "b\n"]);
    expect(files[0]).toMatchObject({ operation: "edit", added: 2, removed: 2 });
  });

  test("changes of a file that the set creates are a create", () => {
    const { files, steps } = prepare(write("n.txt", "one\n"), edit("n.txt", "one", "1"));
    expect(files).toMatchObject([{ operation: "create", path: "n.txt", added: 1, removed: 0 }]);
    expect(steps).toHaveLength(1);
  });

  test("changes of one file stay apart when something lies between them", () => {
    const { steps } = prepare(edit("a.txt", "one", "1"), move("a.txt", "b.txt"), edit("b.txt", "two", "2"));
    expect(steps.map(({ op, follows }) => [op, follows])).toEqual([
      ["put", undefined],
      ["move", true],
      ["put", true],
    ]);
  });
});

describe("a step that follows", () => {
  test("a step that follows relies on what it was made from, where that lies on the disk", () => {
    const [, put] = prepare(move("d", "e"), edit("e/a.txt", "one", "1")).steps;
    const before = { kind: "file", size: 4 };
    expect(put).toMatchObject({ op: "put", at: { rel: "e/a.txt" }, follows: true, before });
    expect(put?.relies).toMatchObject([{ at: { root: 0, rel: "d/a.txt" }, before }]);
  });

  test("a step that follows carries the mode of the file that it replaces", () => {
    const [, put] = prepare(move("run.sh", "go.sh"), edit("go.sh", "one", "1")).steps;
    expect(put).toMatchObject({ op: "put", mode: 0o755 });
  });

  test("a step that follows has its missing directories made by steps of their own", () => {
    const { steps, files } = prepare(move("d", "e"), write("e/x/y/n.txt", "n\n"));
    expect(steps.map(({ op, at }) => `${op} ${at.rel}`)).toEqual([
      "move e",
      "make_directory e/x",
      "make_directory e/x/y",
      "put e/x/y/n.txt",
    ]);
    expect(files).toHaveLength(steps.length);
  });

  test("a step is refused where a missing directory only comes to be with an earlier file", () => {
    const { steps } = prepare(write("n/a.txt", "a\n"), write("n/b.txt", "b\n"));
    expect(steps.map(({ follows }) => follows)).toEqual([undefined, undefined]);
  });
});

test("a tree is what the changes before have made of it", () => {
  const remove: Change = { op: "delete", path: "d", recursive: true };
  const { warnings } = prepare(move("d/a.txt", "kept"), write("d/n", "n\n"), write("d/x/m", "m\n"), remove);
  expect(warnings).toEqual(["d: 3 entries go with the directory."]);
  expect(failureOf(write("new/n", "n\n"), { op: "delete", path: "new", recursive: false }).message).toContain(
    "the directory is not empty",
  );
});

test("a link is followed until something that it could lead through is gone", () => {
  const steps = prepare(write("n", "n\n"), edit("l/a.txt", "one", "1")).steps;
  expect(steps[1]).toMatchObject({ op: "put", at: { rel: "d/a.txt" } });
  const { code, message } = failureOf(move("d", "e"), { op: "create_directory", path: "d" }, write("l/n", "n\n"));
  expect(code).toBe("denied");
  expect(message).toContain('it leads through the link "l"');
});

test("what was moved over a directory that was made is not looked for on the disk", () => {
  const remove: Change = { op: "delete", path: "d", recursive: true };
  const { steps } = prepare(remove, write("n/b", "b\n"), move("n", "d"), write("d/a.txt", "a\n"));
  expect(steps.at(-1)).toMatchObject({ op: "put", at: { rel: "d/a.txt" }, follows: true });
});

describe("a failure", () => {
  test("a failure names its operation, in words and as data", () => {
    const { code, message, details } = failureOf(write("n.txt", "n\n"), edit("a.txt", "three", "3"));
    expect(code).toBe("no_match");
    expect(message).toStartWith('Cannot change the files: operation 2 (edit): cannot edit "a.txt": ');
    expect(details?.["operation"]).toBe(2);
  });

  test("a change of what is denied is met where it would come to lie", () => {
    expect(failureOf(write("n.txt", "n\n"), write("private/a", "a\n")).code).toBe("denied");
    const made: Change = { op: "create_directory", path: "private" };
    expect(failureOf(made, write("private/a", "a\n")).code).toBe("denied");
    expect(failureOf(write("d/private/a", "a\n"), move("d/private", "private")).code).toBe("denied");
    expect(failureOf(write("n/a", "a\n"), move("n", "private")).code).toBe("denied");
  });

  test("a change in a read-only root, or out of all roots, is refused after other changes too", () => {
    expect(failureOf(write("n.txt", "n\n"), write(join(top, "fixed", "a"), "a\n")).message).toContain("read-only");
    expect(failureOf(write("n.txt", "n\n"), write("d/../../x", "a\n")).code).toBe("outside_scope");
    expect(failureOf(write("n.txt", "n\n"), { op: "delete", path: ".", recursive: true }).code).toBe("denied");
  });
});

test("what was tolerated in a patch is not forgotten when the same file is edited after it", () => {
  const parsed = parsePatch("*** Begin Patch\n*** Update File: a.txt\n@@\n-one  \n+1\n*** End Patch\n");
  if (parsed.kind === "problem") throw new Error(parsed.message);
  const { files, tolerances } = parsed;
  const patch: Change = { op: "patch", files, tolerances, ifHashes: {}, overwrite: false };
  expect(prepare(patch).tolerant).toBe(true);
  const both = prepare(patch, edit("a.txt", "two", "2"));
  expect(both.tolerant).toBe(true);
  expect(both.steps).toHaveLength(1);
});

type Rest<F> = F extends (first: never, ...more: infer R) => unknown ? R : never;

describe("names that the file system does not tell apart", () => {
  /** As on a disk that takes no notice of case. */
  class FoldingScope extends Scope {
    override place(at: Located, verb: string): Place {
      const place = super.place({ ...at, rel: at.rel.toLowerCase() }, verb);
      return { ...place, at: { ...place.at, rel: at.rel } };
    }

    override openDirectory(at: Located, ...more: Rest<Scope["openDirectory"]>): OpenDirectory {
      return super.openDirectory({ ...at, rel: at.rel.toLowerCase() }, ...more);
    }
  }

  beforeEach(() => {
    scope[Symbol.dispose]();
    scope = new FoldingScope({ roots: [{ path: join(top, "root"), readOnly: false }] });
  });

  test.each([
    ["a.txt", "A.txt"],
    ["d", "D"],
  ])("a move of %s to %s is told how, and not to delete the only one", (source, destination) => {
    const { message, hint } = failureOf(move(source, destination));
    expect(message).toEndWith("for this file system both are the same name");
    expect(hint).toContain("move it to a third name first");
    expect(hint).not.toStartWith("Delete");
  });

  test("two names of one file are still two", () => {
    linkSync(join(top, "root/a.txt"), join(top, "root/b.txt"));
    expect(failureOf(move("a.txt", "b.txt")).hint).toBe("Delete the name that you do not want.");
  });
});
