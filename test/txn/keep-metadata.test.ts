/**
 * What a file has besides its content, when not all of it can be kept: an attribute that gets lost stops the change, and a
 * set-id bit never comes to another owner. System calls fail as strace makes them fail, in a process of its own.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { component } from "../components/component.ts";
import type { Change } from "../../src/txn/index.ts";
import { attributeOf, setAttribute } from "./file-attributes.ts";
import { TransactionKit } from "./transaction-kit.ts";
import { undoLast } from "./undo-last.ts";

const IS_ROOT = process.getuid?.() === 0;
const copyOver: Change = {
  op: "copy",
  source: "source",
  destination: "a.txt",
  overwrite: true,
  recursive: false,
};

let kit: TransactionKit;
let file = "";
beforeEach(() => {
  kit = new TransactionKit();
  file = join(kit.root, "a.txt");
  kit.put("a.txt", "old\n");
  kit.put("source", "source\n");
});
afterEach(() => kit[Symbol.dispose]());

const from = (path: string): string => JSON.stringify(join(import.meta.dir, "../../src", path));

/** `keepMetadata` from `a.txt` onto `new`, or what it throws. */
function keepUnder(injection: string, source = "a.txt"): string {
  const script = join(kit.top, "keep.ts");
  writeFileSync(
    script,
    `import { openSync } from "node:fs";
    import { keepMetadata } from ${from("txn/tree-copy/metadata.ts")};
    import { Scope } from ${from("scope/index.ts")};
    const scope = new Scope({ roots: [{ path: ${JSON.stringify(kit.root)}, readOnly: false }] });
    using place = scope.place(scope.locate(${JSON.stringify(source)}, "keep"), "keep");
    try {
      keepMetadata(place, openSync(${JSON.stringify(join(kit.root, "new"))}, "w", 0o600));
      console.log("kept");
    } catch (thrown) {
      console.log(thrown.code);
    }`,
  );
  const strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", `inject=${injection}`];
  const { stdout } = Bun.spawnSync([...strace, process.execPath, script], { stderr: "ignore" });
  return stdout.toString().trim();
}

const strace = component("strace");
describe.skipIf(strace.isMissing || process.platform !== "linux")(`keeping${strace.note}`, () => {
  test.each(["ENOSPC", "EIO", "EDQUOT", "EPERM"])("a change stops when a user attribute is lost by %s", (code) => {
    if (!setAttribute(file, "user.origin", Buffer.from("somewhere"))) return;
    expect(keepUnder(`fsetxattr:error=${code}`)).toBe(code);
  });

  test("stops when an attribute cannot be read", () => {
    if (!setAttribute(file, "user.origin", Buffer.from("somewhere"))) return;
    expect(keepUnder("fgetxattr:error=EIO")).toBe("EIO");
  });

  test.skipIf(!IS_ROOT)("a change drops set-id bits with the owner, and only then", () => {
    chownSync(file, 12_345, 23_456);
    chmodSync(file, 0o6755);
    expect(keepUnder("fchown:error=EPERM")).toBe("kept");
    expect(statSync(join(kit.root, "new")).mode & 0o7777).toBe(0o755);
    expect(keepUnder("fchown:error=EPERM:when=1")).toBe("kept");
    expect(statSync(join(kit.root, "new")).mode & 0o7777).toBe(0o2755);
    expect(keepUnder("sync:error=EIO")).toBe("kept");
    expect(statSync(join(kit.root, "new")).mode & 0o7777).toBe(0o6755);
  });
});

describe("a copy over a file", () => {
  test("a copy over a file keeps what the file has besides its content", () => {
    setAttribute(file, "user.origin", Buffer.from("of the target"));
    setAttribute(join(kit.root, "source"), "user.origin", Buffer.from("of the source"));
    if (IS_ROOT) chownSync(file, 12_345, 23_456);
    chmodSync(file, 0o640);
    const look = (): unknown => {
      const { mode, uid, gid } = statSync(file);
      return [mode, uid, gid, attributeOf(file, "user.origin")?.toString()];
    };
    const before = look();
    expect(kit.commit(kit.prepare(copyOver))).toBe("ok");
    expect(look()).toEqual(before);
    expect(undoLast(kit)).toBe("ok");
    expect(look()).toEqual(before);
  });

  const mkfifo = component("mkfifo");
  test.skipIf(mkfifo.isMissing)(`a copy over a file names what it leaves out of a tree${mkfifo.note}`, () => {
    Bun.spawnSync(["mkdir", join(kit.root, "tree")]);
    Bun.spawnSync(["mkfifo", join(kit.root, "tree/pipe")]);
    const prepared = kit.prepare({ ...copyOver, source: "tree", destination: "copy", recursive: true });
    expect(prepared.warnings.join(" ")).toContain('left out: "pipe"');
  });
});
