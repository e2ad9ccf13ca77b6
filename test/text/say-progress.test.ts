/** How far a piece of work is, in words that need no number beside them. */
import { expect, test } from "bun:test";
import { sayProgress } from "../../src/text/index.ts";

test.each([
  [1_589_641_216, 64_424_509_440, "bytes hashed", "1.6 of 64.4 GB hashed"],
  [1_600_000_000, 64_000_000_000, "bytes hashed", "1.6 of 64 GB hashed"],
  [2_000_000_000, 2_000_000_000, "bytes read", "2 of 2 GB read"],
  [41_900_000, 64_000_000_000, "bytes hashed", "41.9 MB of 64 GB hashed"],
  [0, 64_000_000_000, "bytes hashed", "0 bytes of 64 GB hashed"],
  [1, undefined, "bytes copied", "1 byte copied"],
  [3_400_000, undefined, "bytes searched", "3.4 MB searched"],
  [1200, undefined, "bytes of output: step 1", "1.2 kB of output: step 1"],
  [12, undefined, "bytes of output", "12 bytes of output"],
  [12_345, undefined, "entries looked at", "12,345 entries looked at"],
  [1, undefined, "entries looked at", "1 entry looked at"],
  [50, 100, "Completed step 50 of 100", "Completed step 50 of 100"],
  [3, 10, "", "3 of 10"],
])("sayProgress(%d, %p, %p) says how far it is", (done, total, what, said) => {
  expect(sayProgress(done, total, what)).toBe(said);
});
