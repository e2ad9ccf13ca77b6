/**
 * The products of a vector with the rows of a file, against products that are made one by one.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { multiplyRows } from "../../src/memory/search/products.ts";
import { VectorFile } from "../../src/state/index.ts";
import { fc } from "../property.ts";

test("multiplyRows() gives the products of a vector with all rows, however long they are and however many", () => {
  const top = mkdtempSync(join(tmpdir(), "ringfence-vectors-"));
  let runs = 0;
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(512, 1000, 8192)),
      fc.integer({ min: 0, max: 600 }),
      fc.nat(),
      (size, count, seed) => {
        let state = seed;
        const vector = (): Int8Array =>
          Int8Array.from({ length: size }, () => ((state = (state * 48_271 + 11) % 2_147_483_647) % 255) - 127);
        const rows = Array.from({ length: count }, (_, at) => ({ seq: at * 2 + 1, id: at * 3, vector: vector() }));
        const question = vector();
        using file = new VectorFile(join(top, "index.sqlite"), String(runs++), size);
        const half = Math.floor(count / 2);
        for (const part of [rows.slice(0, half), rows.slice(half)])
          file.append(part.map((row) => ({ ...row, vector: new Uint8Array(row.vector.buffer) })));
        const found: [number, number][] = [];
        expect(multiplyRows(file, question, (id, score) => found.push([id, score]))).toBe(true);
        const expected = rows.map(({ id, vector: one }) => [
          id,
          one.reduce((sum, value, at) => sum + value * (question[at] ?? 0), 0),
        ]);
        expect(found).toEqual(expected as typeof found);
        file.clear();
      },
    ),
    { numRuns: 40 },
  );
  rmSync(top, { recursive: true });
});
