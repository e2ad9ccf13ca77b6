/**
 * What a set is prepared into: which steps are merged, which follow an earlier one, what they rely on, and how a failure
 * names its operation. That the steps mean the right thing is held by `prepare-property.test.ts`.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { linkSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/base/index.ts";
import { Scope, type Located, type OpenDirectory, type Place } from "../../src/scope/index.ts";
import { parsePatch } from "../../src/text/index.ts";
import type { Change } from "../../src/txn/index.ts";
import { edit, move, PrepareKit, write, writeBytes } from "./prepare-kit.ts";

let kit: PrepareKit;
beforeEach(() => {
  kit = new PrepareKit();
});
afterEach(() => kit[Symbol.dispose]());

describe("changes of one file", () => {
  test("changes of one file are one put on what the disk has, and only its content is kept", () => {
    const { steps, files } = kit.prepare(edit("a.txt", "one", "1"), write("b.txt", "b\n"), edit("a.txt", "two", "2"));
    expect(steps).toMatchObject([
      { op: "put", at: { rel: "a.txt" }, before: { kind: "file", size: 8 } },
      { op: "put", at: { rel: "b.txt" }, before: { kind: "absent" } },
    ]);
    expect(steps.some(({ follows }) => follows)).toBe(false);
    expect(kit.contents).toEqual(["1\n2\n", "b\n"]);
    expect(files[0]).toMatchObject({ operation: "edit", added: 2, removed: 2 });
  });

  test("changes of a file that the set creates are a create", () => {
    const { files, steps } = kit.prepare(write("n.txt", "one\n"), edit("n.txt", "one", "1"));
    expect(files).toMatchObject([{ operation: "create", path: "n.txt", added: 1, removed: 0 }]);
    expect(steps).toHaveLength(1);
  });

  test("changes of one file stay apart when something lies between them", () => {
    const { steps } = kit.prepare(edit("a.txt", "one", "1"), move("a.txt", "b.txt"), edit("b.txt", "two", "2"));
    expect(steps.map(({ op, follows }) => [op, follows])).toEqual([
      ["put", undefined],
      ["move", true],
      ["put", true],
    ]);
  });
});

describe("content in base64", () => {
  test.each([0, 1, 2, 3, 7_000_000, 33 * 1024 * 1024])("content of %d bytes in base64 is taken whole", (length) => {
    const { files } = kit.prepare(writeBytes(Buffer.alloc(length, 7).toString("base64")));
    expect(files).toMatchObject([{ hash: sha256(Buffer.alloc(length, 7)), after: { size: length } }]);
  });

  test("content in base64 may have spaces and lines in it, and bits behind its end", () => {
    kit.prepare(writeBytes(" QU\r\nJD\tRA == "), write("c.txt", "c"), writeBytes("QR==", "d.bin"));
    expect(kit.contents).toEqual(["ABCD", "c", "A"]);
  });

  test.each(["Q", "QQ", "QQ=", "QQ===", "Q===", "=", "====", "QQ==QQ==", "QU-_", "QU*D", "QÜ==", "QQQQ=", "QQ=Q"])(
    "%p is no base64, also behind megabytes of it",
    (end) => {
      const whole = Buffer.alloc(7_000_002, 7).toString("base64");
      for (const content of [end, whole + end])
        expect(kit.failureOf(writeBytes(content))).toMatchObject({
          code: "invalid_input",
          message: expect.stringMatching(/not base64$/),
        });
    },
  );
});

describe("a step that follows", () => {
  test("a step that follows relies on what it was made from, where that lies on the disk", () => {
    const [, put] = kit.prepare(move("d", "e"), edit("e/a.txt", "one", "1")).steps;
    const before = { kind: "file", size: 4 };
    expect(put).toMatchObject({ op: "put", at: { rel: "e/a.txt" }, follows: true, before });
    expect(put?.relies).toMatchObject([{ at: { root: 0, rel: "d/a.txt" }, before }]);
  });

  test("a step that follows carries the mode of the file that it replaces", () => {
    const [, put] = kit.prepare(move("run.sh", "go.sh"), edit("go.sh", "one", "1")).steps;
    expect(put).toMatchObject({ op: "put", mode: 0o755 });
  });

  test("a step that follows has its missing directories made by steps of their own", () => {
    const { steps, files } = kit.prepare(move("d", "e"), write("e/x/y/n.txt", "n\n"));
    expect(steps.map(({ op, at }) => `${op} ${at.rel}`)).toEqual([
      "move e",
      "make_directory e/x",
      "make_directory e/x/y",
      "put e/x/y/n.txt",
    ]);
    expect(files).toHaveLength(steps.length);
  });

  test("a step is refused where a missing directory only comes to be with an earlier file", () => {
    const { steps } = kit.prepare(write("n/a.txt", "a\n"), write("n/b.txt", "b\n"));
    expect(steps.map(({ follows }) => follows)).toEqual([undefined, undefined]);
  });
});

test("a tree is what the changes before have made of it", () => {
  const remove: Change = { op: "delete", path: "d", recursive: true };
  const { warnings } = kit.prepare(move("d/a.txt", "kept"), write("d/n", "n\n"), write("d/x/m", "m\n"), remove);
  expect(warnings).toEqual(["d: 3 entries go with the directory."]);
  expect(kit.failureOf(write("new/n", "n\n"), { op: "delete", path: "new", recursive: false }).message).toContain(
    "the directory is not empty",
  );
});

test("a link is followed until something that it could lead through is gone", () => {
  const steps = kit.prepare(write("n", "n\n"), edit("l/a.txt", "one", "1")).steps;
  expect(steps[1]).toMatchObject({ op: "put", at: { rel: "d/a.txt" } });
  const { code, message } = kit.failureOf(move("d", "e"), { op: "create_directory", path: "d" }, write("l/n", "n\n"));
  expect(code).toBe("denied");
  expect(message).toContain('it leads through the link "l"');
});

test("what was moved over a directory that was made is not looked for on the disk", () => {
  const remove: Change = { op: "delete", path: "d", recursive: true };
  const { steps } = kit.prepare(remove, write("n/b", "b\n"), move("n", "d"), write("d/a.txt", "a\n"));
  expect(steps.at(-1)).toMatchObject({ op: "put", at: { rel: "d/a.txt" }, follows: true });
});

describe("a failure", () => {
  test("a failure names its operation, in words and as data", () => {
    const { code, message, details } = kit.failureOf(write("n.txt", "n\n"), edit("a.txt", "three", "3"));
    expect(code).toBe("no_match");
    expect(message).toStartWith('Cannot change the files: operation 2 (edit): cannot edit "a.txt": ');
    expect(details?.["operation"]).toBe(2);
  });

  test("a change of what is denied is met where it would come to lie", () => {
    expect(kit.failureOf(write("n.txt", "n\n"), write("private/a", "a\n")).code).toBe("denied");
    const made: Change = { op: "create_directory", path: "private" };
    expect(kit.failureOf(made, write("private/a", "a\n")).code).toBe("denied");
    expect(kit.failureOf(write("d/private/a", "a\n"), move("d/private", "private")).code).toBe("denied");
    expect(kit.failureOf(write("n/a", "a\n"), move("n", "private")).code).toBe("denied");
  });

  test("a change in a read-only root, or out of all roots, is refused after other changes too", () => {
    expect(kit.failureOf(write("n.txt", "n\n"), write(join(kit.top, "fixed", "a"), "a\n")).message).toContain(
      "read-only",
    );
    expect(kit.failureOf(write("n.txt", "n\n"), write("d/../../x", "a\n")).code).toBe("outside_scope");
    expect(kit.failureOf(write("n.txt", "n\n"), { op: "delete", path: ".", recursive: true }).code).toBe("denied");
  });
});

test("what was tolerated in a patch is not forgotten when the same file is edited after it", () => {
  const parsed = parsePatch("*** Begin Patch\n*** Update File: a.txt\n@@\n-one  \n+1\n*** End Patch\n");
  if (parsed.kind === "problem") throw new Error(parsed.message);
  const { files, tolerances } = parsed;
  const patch: Change = { op: "patch", files, tolerances, ifHashes: {}, overwrite: false };
  expect(kit.prepare(patch).tolerant).toBe(true);
  const both = kit.prepare(patch, edit("a.txt", "two", "2"));
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
    kit.scope[Symbol.dispose]();
    kit.scope = new FoldingScope({ roots: [{ path: kit.root, readOnly: false }] });
  });

  test.each([
    ["a.txt", "A.txt"],
    ["d", "D"],
  ])("a move of %s to %s is told how, and not to delete the only one", (source, destination) => {
    const { message, hint } = kit.failureOf(move(source, destination));
    expect(message).toEndWith("for this file system both are the same name");
    expect(hint).toContain("move it to a third name first");
    expect(hint).not.toStartWith("Delete");
  });

  test("two names of one file are still two", () => {
    linkSync(join(kit.top, "root/a.txt"), join(kit.top, "root/b.txt"));
    expect(kit.failureOf(move("a.txt", "b.txt")).hint).toBe("Delete the name that you do not want.");
  });
});
