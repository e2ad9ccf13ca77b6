/**
 * A static model whose words are `w0` to `w399`, each with a vector of its own: how near two of them are is known to a test.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const WORDS = 400;
const SIZE = 20;

const valueAt = (at: number): number => Math.sin(at * 12.9898) * 10;

/** How near two words are, from -1 to 1. */
export function cosine(one: number, other: number): number {
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
}

function product(one: number, other: number): number {
  const parts = Array.from({ length: SIZE }, (_, at) => valueAt(one * SIZE + at) * valueAt(other * SIZE + at));
  return parts.reduce((sum, part) => sum + part);
}

/** @param words another number of them is another model */
export function layWordModel(
  top: string,
  { name = "model", words = WORDS }: { readonly name?: string; readonly words?: number } = {},
): string {
  const folder = join(top, name);
  mkdirSync(folder, { recursive: true });
  const vocab = Object.fromEntries(Array.from({ length: words }, (_, at) => [`w${at}`, at]));
  writeFileSync(
    join(folder, "tokenizer.json"),
    JSON.stringify({ model: { type: "WordPiece", vocab }, normalizer: { type: "BertNormalizer" } }),
  );
  const table = Float32Array.from({ length: words * SIZE }, (_, at) => valueAt(at));
  const header = Buffer.from(
    JSON.stringify({ embeddings: { dtype: "F32", shape: [words, SIZE], data_offsets: [0, table.byteLength] } }),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  writeFileSync(join(folder, "model.safetensors"), Buffer.concat([length, header, Buffer.from(table.buffer)]));
  return folder;
}
