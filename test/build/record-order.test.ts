/** The order in which the program uses its functions, which a build lays its bytecode out by. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordOrder } from "../../scripts/build/record-order.ts";
import { nativeTarget } from "../../scripts/build/targets.ts";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";

test("recordOrder() plays a start, a session and packs, and each uses functions of its own", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-order-")));
  try {
    const target = nativeTarget();
    const workers = [...new Bun.Glob("workers/*.ts").scanSync(REPOSITORY)].map((path) => join(REPOSITORY, path));
    const entries = [join(REPOSITORY, "src", "main.ts"), ...workers];
    const stamp = { version: "0.0.0", commit: "unknown", target: target.name };
    const files = await recordOrder({ root: REPOSITORY, entries, target, stamp }, folder);
    const [start, session, packs] = files.map(
      (file) => new Set(readFileSync(file, "latin1").match(/^F [0-9a-f]{16}$/gm) ?? []),
    );
    if (!start || !session || !packs) throw new Error(`there are ${files.length} files`);
    expect(start.size).toBeGreaterThan(100);
    expect(session.difference(start).size).toBeGreaterThan(start.size);
    expect(packs.difference(start).size).toBeGreaterThan(100);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
