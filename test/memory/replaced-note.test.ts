/** A note that an editor replaces while it is read, and one that is longer than notes of a tool are. */
import { expect, test } from "bun:test";
import { renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NEVER_CANCELLED, sha256 } from "../../src/base/index.ts";
import { readNote } from "../../src/memory/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { Place } from "../binary/serve-process.ts";
import { layNotes, notesOf, openMemoryHost } from "./memory-host.ts";

/** Puts another note in the place of each that was opened. */
class ReplacedScope extends Scope {
  override openFile(...asked: Parameters<Scope["openFile"]>): ReturnType<Scope["openFile"]> {
    const file = super.openFile(...asked);
    const path = this.absolute(file.at);
    writeFileSync(`${path}.new`, "# New\n\nnew text\n");
    renameSync(`${path}.new`, path);
    return file;
  }
}

test("a note that is replaced while it is read has the headings and the hash of the text that is shown", async () => {
  using place = new Place();
  using scope = new ReplacedScope({ roots: [{ path: place.root, readOnly: true, isMemory: true }] });
  const ctx = { scope, cancel: NEVER_CANCELLED, progress: () => {} };
  const old = "# Old\n\nold text\n";
  for (const asked of [{}, { section: "Old" }]) {
    writeFileSync(join(place.root, "n.md"), old);
    const read = await readNote(ctx, { namespace: "n", ...asked });
    expect(read).toMatchObject({ hash: sha256(old), sections: [{ title: "Old", level: 1, line: 1 }] });
    expect(read).toMatchObject({ text: expect.stringContaining("old text") as unknown });
  }
});

test("a note that is longer than any that is read is refused with the bound that it passes", async () => {
  await using host = await openMemoryHost();
  layNotes(host, { long: "x" });
  truncateSync(join(notesOf(host), "long.md"), 16 * 1024 * 1024 + 1);
  const { failure } = await host.call("memory_read", { namespace: "long" });
  expect([failure?.code, failure?.message]).toEqual([
    "too_large",
    'Cannot read "long": its file has more than 16.8 MB',
  ]);
});
