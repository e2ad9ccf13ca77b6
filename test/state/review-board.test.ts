/**
 * Reviewers and calls that wait say so by locks. Hosts ask whether a lock is held by taking it for a moment, and remove what
 * reviewers have left that were killed: whoever attaches in that moment is attached all the same.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReviewBoard } from "../../src/state/index.ts";
import { memoryFolder } from "../fixtures/memory-folder.ts";

const TIMES = 3000;
const BOARD: string = JSON.stringify(join(import.meta.dir, "../../src/state/review/review-board.ts"));

/** Another process that asks without an end, until it is killed. */
async function askWithoutEnd(folder: string): Promise<Disposable> {
  const script = join(mkdtempSync(join(memoryFolder(), "ringfence-asker-")), "ask.ts");
  writeFileSync(
    script,
    `import { ReviewBoard } from ${BOARD};
    const board = new ReviewBoard(${JSON.stringify(folder)});
    console.log("asking");
    for (;;) {
      board.isReviewed();
      board.isWaitedFor("p_1");
    }`,
  );
  const child = Bun.spawn([process.execPath, script], { stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read();
  return { [Symbol.dispose]: () => child.kill("SIGKILL") };
}

test("a reviewer and a call that waits are seen at once, however many ask in that moment", async () => {
  const folder = mkdtempSync(join(memoryFolder(), "ringfence-board-"));
  using _asking = await askWithoutEnd(folder);
  const [own, other] = [new ReviewBoard(folder), new ReviewBoard(folder)];
  const seen = { reviewed: 0, waited: 0 };
  for (let at = 0; at < TIMES; at++) {
    using _reviewer = own.attach();
    if (other.isReviewed()) seen.reviewed++;
    own.waitFor("p_1");
    if (other.isWaitedFor("p_1")) seen.waited++;
    own.letGo("p_1");
  }
  expect(seen).toEqual({ reviewed: TIMES, waited: TIMES });
});

test("what a killed reviewer has left is removed, and reviews nothing", () => {
  const folder = mkdtempSync(join(memoryFolder(), "ringfence-board-"));
  const board = new ReviewBoard(folder);
  writeFileSync(join(folder, "r_gone.reviewer"), "");
  expect(board.isReviewed()).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});
