/**
 * A lock that is not had: busy only when somebody holds it. What the system says instead comes from strace, in a process
 * of its own.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { tryLock } from "../../src/state/index.ts";
import { component } from "../components/component.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ringfence-flock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("one of two opens of a directory has the lock, until it is closed", () => {
  const [first, second] = [openSync(folder, "r"), openSync(folder, "r")];
  expect([tryLock(first), tryLock(second), tryLock(first)]).toEqual([true, false, true]);
  closeSync(first);
  expect(tryLock(second)).toBe(true);
  closeSync(second);
});

function lockUnder(code: string): string {
  const script = join(folder, "lock.ts");
  writeFileSync(
    script,
    `import { openSync } from "node:fs";
    import { tryLock } from ${JSON.stringify(join(import.meta.dir, "../../src/state/small-file.ts"))};
    const fd = openSync(${JSON.stringify(folder)}, "r");
    try {
      console.log(tryLock(fd, "a/b"));
    } catch (thrown) {
      console.log(thrown.code, thrown.message, thrown.data?.hint ?? "");
    }`,
  );
  const strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", `inject=flock:error=${code}`];
  const { stdout } = Bun.spawnSync([...strace, process.execPath, script], { stderr: "ignore" });
  return stdout.toString().trim();
}

const strace = component("strace");
describe.skipIf(strace.isMissing)(`the system answers${strace.note}`, () => {
  test.each(["EAGAIN", "EINTR"])("%s: somebody else holds it", (code) => {
    expect(lockUnder(code)).toBe("false");
  });

  test.each(["ENOLCK", "EOPNOTSUPP", "EINVAL", "ENOSYS"])("%s: there are no locks, and what to do", (code) => {
    const said = lockUnder(code);
    expect(said).toStartWith('unsupported Cannot lock "a/b": its file system has no locks (flock: E');
    expect(said).toContain("local_lock=flock");
  });

  test.each(["EBADF", "EIO"])(
    "a lock fails with what the system answers, %s, and says nothing about another process",
    (code) => {
      expect(lockUnder(code)).toStartWith(`${code} `);
    },
  );
});
