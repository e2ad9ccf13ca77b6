/**
 * SHA256SUMS, in the form sha256sum reads.
 */
import { expect, test } from "bun:test";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checksumLines } from "../../scripts/build/checksums.ts";

test("the checksums have one line for each file, sorted, without folders", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "ringfence-sums-"));
  writeFileSync(join(folder.path, "b"), "");
  writeFileSync(join(folder.path, "a"), "abc");
  expect(await checksumLines([join(folder.path, "b"), join(folder.path, "a")])).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n" +
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n",
  );
});
