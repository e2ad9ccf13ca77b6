/**
 * A rename anywhere on the machine makes the kernel give up on a path with `..` (EAGAIN): it is asked again, and a path that
 * is never done this way is gone by hand. What the kernel answers comes from strace, in a process of its own.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { layFiles } from "../host/file-tree.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-renames-")));
  layFiles(base, { "root/d/a": "text", "root/l": { link: "d/../d" } });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** What is read when these of its calls are answered with EAGAIN; the first one asks whether there is such a call. */
function readUnder(path: string, calls: string): string {
  const script = join(base, "read.ts");
  writeFileSync(
    script,
    `import { readFileSync } from "node:fs";
    import { Scope } from ${JSON.stringify(join(import.meta.dir, "../../src/scope/index.ts"))};
    using scope = new Scope({ roots: [{ path: ${JSON.stringify(join(base, "root"))}, readOnly: true }] });
    try {
      using file = scope.openFile(scope.locate(${JSON.stringify(path)}, "read"), "read");
      console.log(readFileSync(file.fd, "utf8"));
    } catch (thrown) {
      console.log(thrown.message);
    }`,
  );
  const strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", `inject=openat2:error=EAGAIN:when=${calls}`];
  const { stdout } = Bun.spawnSync([...strace, process.execPath, script], { stderr: "ignore" });
  return stdout.toString().trim();
}

const strace = component("strace");
describe.skipIf(strace.isMissing)(`a path through a link with .. is read${strace.note}`, () => {
  test.each([
    ["when some looks are in vain", "2..20"],
    ["when it is never done by the kernel", "2..66"],
  ])("a path through a link with .. is read: %s", (_when, calls) => {
    expect(readUnder("l/a", calls)).toBe("text");
  });
});
