/**
 * What a file has besides its content is kept when it is replaced; and where the system refuses a change, for each reason
 * that there is, nothing has changed and the failure says so.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { canMount } from "../components/can-mount.ts";
import { component } from "../components/component.ts";
import { AnswerStore, HistoryStore, openStateFolder } from "../../src/state/index.ts";
import type { Change, TransactionRecord } from "../../src/txn/index.ts";
import { readTree } from "../host/file-tree.ts";
import { aclFor, attributeOf, setAttribute } from "./file-attributes.ts";
import { TransactionKit, write } from "./transaction-kit.ts";
import { undoLast } from "./undo-last.ts";

const IS_ROOT = process.getuid?.() === 0;
const ACL = "system.posix_acl_access";

let kit: TransactionKit;
let file = "";
beforeEach(() => {
  kit = new TransactionKit();
  file = join(kit.root, "a.txt");
  kit.put("a.txt", "old\n");
});
afterEach(() => kit[Symbol.dispose]());

const replace = (): string => kit.commit(kit.prepare(write("a.txt", "new\n")));
const content = (): string => readFileSync(file, "utf8");
const copy = (source: string, destination: string): Change => ({
  op: "copy",
  source,
  destination,
  overwrite: true,
  recursive: true,
});

describe("replacing keeps", () => {
  test.each([0o600, 0o755, 0o640, 0o4755, 0o444])("replacing a file keeps the mode %o", (mode) => {
    chmodSync(file, mode);
    expect(replace()).toBe("ok");
    expect([content(), statSync(file).mode & 0o7777]).toEqual(["new\n", mode]);
    expect(undoLast(kit)).toBe("ok");
    expect([content(), statSync(file).mode & 0o7777]).toEqual(["old\n", mode]);
  });

  test.each([0o4755, 0o2755, 0o1644, 0o7711])(
    "editing a copy of a file with the mode %o in one set gives it the mode that it has as a copy alone",
    (mode) => {
      mkdirSync(join(kit.root, "d"));
      kit.put("d/n", "old\n");
      for (const path of ["a.txt", "d/n"]) chmodSync(join(kit.root, path), mode);
      kit.put("over", "over\n");
      chmodSync(join(kit.root, "over"), 0o6700);
      const copies = [copy("a.txt", "one"), copy("one", "two"), copy("d", "e"), copy("a.txt", "over")];
      const edited = ["one", "two", "e/n", "over"];
      const prepared = kit.prepare(...copies, ...edited.map((path) => write(path, "new\n")), copy("e", "f"));
      expect(kit.commit(prepared)).toBe("ok");
      const modeOf = (path: string): number => statSync(join(kit.root, path)).mode & 0o7777;
      expect([...edited, "f/n"].map(modeOf)).toEqual([mode & 0o777, mode & 0o777, mode & 0o777, 0o6700, mode & 0o777]);
      expect(prepared.files[4]?.after?.mode).toBe(mode & 0o777);
    },
  );

  test("a new file that is changed again in one set has the mode of a new file", () => {
    const before = process.umask(0o077);
    try {
      expect(kit.commit(kit.prepare(write("n", "one\n"), copy("n", "m"), write("n", "two\n")))).toBe("ok");
      expect(statSync(join(kit.root, "n")).mode & 0o7777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test.skipIf(!IS_ROOT)("replacing a file keeps the owner and the group", () => {
    chownSync(file, 12_345, 23_456);
    expect(replace()).toBe("ok");
    const { uid, gid } = statSync(file);
    expect([content(), uid, gid]).toEqual(["new\n", 12_345, 23_456]);
  });

  test.skipIf(process.platform !== "linux")(
    "replacing a file keeps extended attributes, also empty ones, and ACLs",
    () => {
      const acl = aclFor(4711);
      if (!setAttribute(file, "user.origin", Buffer.from("somewhere"))) return;
      setAttribute(file, "user.empty", new Uint8Array(0));
      const hasAcl = setAttribute(file, ACL, acl);
      const { mode } = statSync(file);
      expect(replace()).toBe("ok");
      expect(attributeOf(file, "user.origin")?.toString()).toBe("somewhere");
      expect(attributeOf(file, "user.empty")?.length).toBe(0);
      if (hasAcl) expect(attributeOf(file, ACL)).toEqual(acl);
      expect(statSync(file).mode).toBe(mode);
    },
  );

  test("a link, and changes what it leads to", () => {
    symlinkSync("a.txt", join(kit.root, "link"));
    expect(kit.commit(kit.prepare(write("link", "new\n")))).toBe("ok");
    expect([content(), readlinkSync(join(kit.root, "link"))]).toEqual(["new\n", "a.txt"]);
  });

  test("the other name of a hard link as it was, and says so before", () => {
    linkSync(file, join(kit.root, "b.txt"));
    const prepared = kit.prepare(write("a.txt", "new\n"));
    expect(prepared.warnings.join(" ")).toContain("2 names share this file");
    expect(kit.commit(prepared)).toBe("ok");
    expect([content(), readFileSync(join(kit.root, "b.txt"), "utf8")]).toEqual(["new\n", "old\n"]);
  });
});

function expectRefused(change: Change, codes: RegExp): void {
  const before = readTree(kit.root);
  let code: string;
  try {
    code = kit.commit(kit.prepare(write("also.txt", "also\n"), change));
  } catch (thrown) {
    code = (thrown as { code: string }).code;
  }
  expect(code).toMatch(codes);
  expect(readTree(kit.root)).toEqual(before);
  expect(readdirSync(kit.stores.journal)).toEqual([]);
  expect(kit.stores.history.list()).toEqual([]);
}

describe("nothing changes, and the failure is clear, when", () => {
  test("a directory is in the way", () => {
    mkdirSync(join(kit.root, "d/e"), { recursive: true });
    expectRefused(write("d", "x"), /^(?:is_directory|wrong_type|already_exists|invalid|unsupported|conflict)/);
    const over = { op: "move", source: "a.txt", destination: "d", overwrite: true, recursive: true } as const;
    expectRefused(over, /^(?!ok$|bug$|internal$)/);
  });

  test("a name is longer than names may be; and 255 bytes are not", () => {
    expectRefused(write("n".repeat(256), "x"), /^(?!ok$|bug$|internal$)/);
    const name = `${"ü".repeat(127)}n`;
    expect(kit.commit(kit.prepare(write(name, "one\n")))).toBe("ok");
    expect(kit.commit(kit.prepare(write(name, "two\n")))).toBe("ok");
    expect(kit.commit(kit.prepare({ op: "delete", path: name, recursive: false }))).toBe("ok");
    expect(readdirSync(kit.root)).toEqual(["a.txt"]);
  });

  test.skipIf(!isRefused(["chattr", "+i"], ["chattr", "-i"]))(
    `the file is immutable${component("chattr").note}`,
    () => {
      Bun.spawnSync(["chattr", "+i", file]);
      try {
        expectRefused(write("a.txt", "new\n"), /^(?:denied|permission|not_permitted|io_error)/);
        expectRefused({ op: "delete", path: "a.txt", recursive: false }, /^(?!ok$|bug$|internal$)/);
        expectRefused(
          { op: "move", source: "a.txt", destination: "b.txt", overwrite: false, recursive: false },
          /^(?!ok$|bug$|internal$)/,
        );
      } finally {
        Bun.spawnSync(["chattr", "-i", file]);
      }
    },
  );

  test.skipIf(!canMount())(`the root is mounted read-only, or full${component("mount").note}`, () => {
    withMount(["-t", "tmpfs", "-o", "size=256k", "tmpfs"], "full", () => {
      expectRefused(write("full/b.txt", "x".repeat(400_000)), /^disk_full$/);
      expect(readdirSync(join(kit.root, "full"))).toEqual([]);
      expect(kit.commit(kit.prepare(write("full/b.txt", "fits\n")))).toBe("ok");
    });
    kit.stores.history.drop(kit.transaction);
    withMount(["-t", "tmpfs", "-o", "ro", "tmpfs"], "fixed", () => {
      expectRefused(write("fixed/b.txt", "x"), /^(?!ok$|bug$|internal$)/);
    });
  });

  test.skipIf(IS_ROOT)("the directory may not be written into", () => {
    mkdirSync(join(kit.root, "closed"));
    chmodSync(join(kit.root, "closed"), 0o555);
    expectRefused(write("closed/b.txt", "x"), /^denied$/);
    chmodSync(join(kit.root, "closed"), 0o755);
  });
});

describe.skipIf(!isOtherDevice("/dev/shm"))("with the state folder on another device", () => {
  let other = "";
  beforeEach(() => {
    other = mkdtempSync("/dev/shm/ringfence-metadata-");
    const { undo, answers, journal } = openStateFolder(join(other, "state"));
    const stores = { ...kit.stores, journal, history: new HistoryStore<TransactionRecord>(undo, journal) };
    kit = Object.assign(kit, { stores: { ...stores, answers: new AnswerStore(answers) } });
  });
  afterEach(() => rmSync(other, { recursive: true, force: true }));

  const changes: readonly [string, Change[]][] = [
    ["a replaced file", [write("a.txt", "new\n")]],
    ["a removed file", [{ op: "delete", path: "a.txt", recursive: false }]],
    ["a moved one", [{ op: "move", source: "a.txt", destination: "d/b.txt", overwrite: false, recursive: false }]],
    [
      "one that is moved over",
      [{ op: "move", source: "d/x", destination: "a.txt", overwrite: true, recursive: false }],
    ],
    [
      "a replaced file in a directory that is moved then",
      [write("d/x", "new\n"), { op: "move", source: "d", destination: "e", overwrite: false, recursive: true }],
    ],
    [
      "a replaced file in a directory that is copied then",
      [write("d/x", "new\n"), { op: "copy", source: "d", destination: "e", overwrite: false, recursive: true }],
    ],
  ];
  test.each(changes)("%s leaves nothing beside, and is undone", (_what, set) => {
    mkdirSync(join(kit.root, "d"));
    kit.put("d/x", "x\n");
    const before = readTree(kit.root);
    expect(kit.commit(kit.prepare(...set))).toBe("ok");
    expect(namesOf(kit.root).filter((name) => name.includes(".ringfence_"))).toEqual([]);
    expect(undoLast(kit)).toBe("ok");
    expect(readTree(kit.root)).toEqual(before);
  });

  test("a failure takes back what was displaced", () => {
    const before = readTree(kit.root);
    const prepared = kit.prepare(write("a.txt", "new\n"), { op: "create_directory", path: "made" });
    const blocked = (index: number): Uint8Array => {
      mkdirSync(join(kit.root, "made"), { recursive: true });
      return kit.contents[index] ?? new Uint8Array();
    };
    expect(kit.commit(prepared, blocked)).not.toBe("ok");
    rmSync(join(kit.root, "made"), { recursive: true });
    expect(readTree(kit.root)).toEqual(before);
  });
});

function namesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" });
}

function isOtherDevice(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.dev !== lstatSync(process.env["TMPDIR"] ?? "/tmp").dev;
}

/** Whether a file system takes an attribute, tried on a file of its own. */
function isRefused(command: readonly string[], back: readonly string[]): boolean {
  if (!IS_ROOT || component("chattr").isMissing) return false;
  using trial = new TransactionKit();
  trial.put("try", "");
  const path = join(trial.root, "try");
  const { exitCode } = Bun.spawnSync([...command, path], { stderr: "ignore" });
  Bun.spawnSync([...back, path], { stderr: "ignore" });
  return exitCode === 0;
}

function withMount(what: readonly string[], name: string, work: () => void): void {
  const at = join(kit.root, name);
  mkdirSync(at);
  if (Bun.spawnSync(["mount", ...what, at]).exitCode !== 0) throw new Error(`cannot mount ${what.join(" ")}`);
  try {
    work();
  } finally {
    Bun.spawnSync(["umount", "--lazy", at]);
  }
}
