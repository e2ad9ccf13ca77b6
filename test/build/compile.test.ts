/**
 * A compiled binary from the fixture: it carries its stamp, its worker and a WebAssembly file, and strings are not code.
 */
import { expect, test } from "bun:test";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../../scripts/build/compile.ts";
import { nativeTarget } from "../../scripts/build/targets.ts";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";

test("the fixture runs with everything it carries, in a folder of its own", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "ringfence-compile-"));
  const fixture = join(REPOSITORY, "test", "fixtures", "build");
  const out = join(folder.path, `fixture${nativeTarget().suffix}`);
  const stamp = { version: "1.2.3", commit: "abc", target: nativeTarget().name };
  await compile({
    root: REPOSITORY,
    entries: [join(fixture, "main.ts"), join(fixture, "workers", "echo.ts")],
    out,
    target: nativeTarget(),
    stamp,
  });
  const run = Bun.spawnSync([out, "--preload", "x"], { cwd: folder.path });
  expect(run.stderr.toString()).toBe("");
  expect(JSON.parse(run.stdout.toString())).toEqual({
    stamp,
    args: ["--preload", "x"],
    strings: "EvalError",
    worker: { url: "file:///$bunfs/root/test/fixtures/build/workers/echo.js", exports: expect.any(Number) },
  });
});
