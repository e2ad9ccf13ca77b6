/**
 * The products of a vector with all rows of a file, in the memory of a small module (products.wat): a block of rows is read into it
 * and multiplied where it lies. Fifty thousand rows of 512 numbers take some milliseconds, and nothing is left to collect.
 */
import { compiledModule } from "../../base/index.ts";
import { ROW_HEAD_BYTES, type VectorFile } from "../../state/index.ts";
// @ts-expect-error: TypeScript knows no such modules; Bun gives the path of the file, also inside the executable.
import wasmPath from "./products.wasm" with { type: "file" };

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly multiply: (at: number, rows: number, stride: number, size: number) => void;
}

/** Layout of products.wat. */
const SCORES_AT = 65_536;
const BLOCK_AT = 131_072;
const BLOCK_BYTES = 262_144;

let wasm: Exports | undefined;

/** @returns whether the file is sound: the numbers of its rows grow */
export function multiplyRows(rows: VectorFile, vector: Int8Array, take: (id: number, score: number) => void): boolean {
  // The module is ours; this is what it exports.
  wasm ??= new WebAssembly.Instance(compiledModule("products", String(wasmPath))).exports as unknown as Exports;
  const { buffer } = wasm.memory;
  const { stride } = rows;
  const size = stride - ROW_HEAD_BYTES;
  const question = new Int8Array(buffer, 0, size);
  question.fill(0);
  question.set(vector);
  const block = new Uint8Array(buffer, BLOCK_AT, BLOCK_BYTES);
  const numbers = new Float64Array(buffer, BLOCK_AT, BLOCK_BYTES / 8);
  const scores = new Int32Array(buffer, SCORES_AT, (BLOCK_AT - SCORES_AT) / 4);
  let last = 0;
  for (let from = 0; from < rows.rows;) {
    const count = rows.read(from, block);
    if (count === 0) return false;
    wasm.multiply(BLOCK_AT + ROW_HEAD_BYTES, count, stride, size);
    for (let row = 0; row < count; row++) {
      const at = (row * stride) / 8;
      const seq = numbers[at] ?? 0;
      if (!(seq > last)) return false;
      last = seq;
      take(numbers[at + 1] ?? 0, scores[row] ?? 0);
    }
    from += count;
  }
  return true;
}
