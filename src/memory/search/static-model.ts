/**
 * A static model (model2vec, potion): a table with a vector for each piece of a word. The vector of a text is the mean of those
 * of its pieces. The table stays on the disk, and rows are read when they are needed, so a model of any size costs little memory.
 * https://github.com/MinishLab/model2vec · https://github.com/huggingface/safetensors#format
 */
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../base/index.ts";
import { readRange } from "../../files/index.ts";
import type { LocalModel } from "./embedder.ts";
import { parseTokenizer, unusable } from "./word-piece.ts";

/** The header of a real table has a few hundred bytes. */
const MAX_HEADER_BYTES: number = 1024 * 1024;
const MAX_TOKENIZER_BYTES: number = 64 * 1024 * 1024;
/** Most words of a text are among these. */
const MAX_HELD_ROWS = 4096;
/** A longer text is about more than a mean can say. */
const MAX_PIECES = 2048;

interface Table {
  readonly fd: number;
  readonly rows: number;
  readonly size: number;
  readonly start: number;
  readonly bytesEach: 2 | 4;
}

let open: { readonly folder: string; readonly model: LocalModel; readonly fd: number } | undefined;

/** The model of this thread. @throws Failure `unsupported` for what is no such model */
export function openStaticModel(folder: string): LocalModel {
  if (open?.folder === folder) return open.model;
  if (open) closeSync(open.fd);
  open = undefined;
  const tokenizerText = readSmall(join(folder, "tokenizer.json"), folder);
  const { pieces } = parseTokenizer(tokenizerText, folder);
  const table = openTable(folder);
  const rowOf = createRows(table);
  const model: LocalModel = {
    name: `file ${fingerprint(table, tokenizerText)}`,
    embed(text) {
      const sum = new Float32Array(table.size);
      const numbers = pieces(text)
        .filter((number) => number < table.rows)
        .slice(0, MAX_PIECES);
      for (const number of numbers) {
        const row = rowOf(number);
        for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (row[at] ?? 0);
      }
      return sum.map((value) => value / Math.max(1, numbers.length));
    },
  };
  open = { folder, model, fd: table.fd };
  return model;
}

function readSmall(path: string, folder: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length <= MAX_TOKENIZER_BYTES) return bytes.toString("utf8");
  } catch {
    // Said below.
  }
  throw unusable(folder, "its tokenizer.json cannot be read");
}

interface TensorFacts {
  readonly dtype?: string;
  readonly shape?: readonly number[];
  readonly data_offsets?: readonly [number, number];
}

function openTable(folder: string): Table {
  let fd: number;
  try {
    fd = openSync(join(folder, "model.safetensors"), "r");
  } catch {
    throw unusable(folder, "its model.safetensors cannot be read");
  }
  try {
    return { fd, ...readHeader(fd, folder) };
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

function readHeader(fd: number, folder: string): Omit<Table, "fd"> {
  const head = readRange(fd, 0, 8);
  const length = head.length === 8 ? Number(head.readBigUInt64LE()) : Infinity;
  if (length > MAX_HEADER_BYTES) throw unusable(folder, "its model.safetensors has no header");
  let tensors: Readonly<Record<string, TensorFacts>>;
  try {
    tensors = JSON.parse(readRange(fd, 8, length).toString("utf8")) as typeof tensors;
  } catch {
    throw unusable(folder, "the header of its model.safetensors is no JSON");
  }
  if (tensors["mapping"] || tensors["weights"])
    throw unusable(folder, "its table is packed by a mapping, which is not read");
  const { dtype, shape = [], data_offsets: [from, to] = [0, 0] } = tensors["embeddings"] ?? {};
  const [rows = 0, size = 0] = shape;
  const bytesEach = dtype === "F16" ? 2 : 4;
  const isWhole =
    (dtype === "F16" || dtype === "F32") &&
    shape.length === 2 &&
    [rows, size].every((one) => Number.isInteger(one) && one > 0) &&
    size <= 4096 &&
    to - from === rows * size * bytesEach &&
    fstatSync(fd).size >= 8 + length + to;
  if (!isWhole) throw unusable(folder, "it has no whole table of embeddings in F32 or F16");
  return { rows, size, start: 8 + length + from, bytesEach };
}

function createRows({ fd, size, start, bytesEach }: Table): (number: number) => Float32Array {
  const heldRows = new Map<number, Float32Array>();
  return (number) => {
    const known = heldRows.get(number);
    if (known) return known;
    const bytes = readRange(fd, start + number * size * bytesEach, size * bytesEach);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const row = Float32Array.from({ length: size }, (_, at) =>
      bytesEach === 4 ? view.getFloat32(at * 4, true) : view.getFloat16(at * 2, true),
    );
    if (heldRows.size >= MAX_HELD_ROWS) heldRows.clear();
    heldRows.set(number, row);
    return row;
  };
}

/** Enough of both files to tell two models apart, without reading all of a large table. */
function fingerprint({ fd, rows, size, start, bytesEach }: Table, tokenizer: string): string {
  const step = Math.max(1, Math.floor(rows / 256));
  const parts = Array.from({ length: Math.ceil(rows / step) }, (_, at) =>
    sha256(readRange(fd, start + at * step * size * bytesEach, size * bytesEach)),
  );
  return sha256(JSON.stringify([rows, size, sha256(tokenizer), parts])).slice(0, 32);
}
