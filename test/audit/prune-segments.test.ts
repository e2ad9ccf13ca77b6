/** Which segments go when a new one is begun: by their size together, by their number, and none without need. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";
import { listSegments, pruneSegments } from "../../src/audit/segment.ts";

let folder = "";
let folders = { audit: "", checkpoints: "" };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ringfence-prune-"));
  folders = { audit: join(folder, "audit"), checkpoints: join(folder, "checkpoints") };
  for (const one of Object.values(folders)) mkdirSync(one);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function laySegments(count: number, bytes: number): void {
  for (let n = 0; n < count; n++) {
    const path = join(folders.audit, `segment-${String(n).padStart(4, "0")}.jsonl`);
    writeFileSync(path, "");
    truncateSync(path, bytes);
  }
}

function prune(looksAtSizes: boolean): string[] {
  return pruneSegments(folders, listSegments(folders.audit), looksAtSizes).map(({ segment }) => segment);
}

test("pruneSegments() removes the oldest until the rest is within the bound of all, where it looks at sizes", () => {
  laySegments(10, limits.MAX_AUDIT_SEGMENT_BYTES);
  expect(prune(true)).toEqual(["segment-0000", "segment-0001"]);
  expect(readdirSync(folders.audit)).toHaveLength(limits.MAX_AUDIT_BYTES / limits.MAX_AUDIT_SEGMENT_BYTES);
});

test("pruneSegments() removes the oldest of too many, and looks at no other", () => {
  laySegments(limits.MAX_AUDIT_SEGMENTS + 2, 0);
  expect(prune(false)).toEqual(["segment-0000", "segment-0001"]);
  expect(prune(false)).toEqual([]);
});
