/**
 * A static model (model2vec, potion): a table with a vector for each piece of a word. The vector of a text is the mean of those
 * of its pieces. The table stays on the disk, and rows are read when they are needed, so a model of any size costs little memory.
 * https://github.com/MinishLab/model2vec · https://github.com/huggingface/safetensors#format
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../base/index.ts";
import { readRange } from "../../files/index.ts";
import type { LocalModel } from "./embedder.ts";
import { parseTokenizer, unusable } from "./word-piece.ts";

/** The header of a real table has a few hundred bytes. */
const MAX_HEADER_BYTES: number = 1024 * 1024;
const MAX_TOKENIZER_BYTES: number = 64 * 1024 * 1024;
/** Numbers of rows that are held, 2 MB: most words of a text are among them. */
const HELD_NUMBERS: number = 512 * 1024;
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
  const addRow = createRows(table);
  const model: LocalModel = {
    name: `file ${fingerprint(table, tokenizerText)}`,
    embed(text) {
      const sum = new Float32Array(table.size);
      const numbers = pieces(text)
        .filter((number) => number < table.rows)
        .slice(0, MAX_PIECES);
      for (const number of numbers) addRow(number, sum);
      return sum.map((value) => value / Math.max(1, numbers.length));
    },
  };
  open = { folder, model, fd: table.fd };
  return model;
}

function readSmall(path: string, folder: string): string {
  try {
    if (statSync(path).size <= MAX_TOKENIZER_BYTES) return readFileSync(path, "utf8");
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

/** Adds a row to a sum. Rows that were read lie in one piece of memory, so that a long filling leaves nothing to collect. */
function createRows({ fd, size, start, bytesEach }: Table): (number: number, sum: Float32Array) => void {
  const rows = Math.max(1, Math.floor(HELD_NUMBERS / size));
  const held = new Float32Array(rows * size);
  const placeOf = new Map<number, number>();
  const bytes = Buffer.alloc(size * bytesEach);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const read = (number: number): number => {
    if (placeOf.size === rows) placeOf.clear();
    const place = placeOf.size * size;
    // What a table that was cut meanwhile does not have says nothing.
    bytes.fill(0, readSync(fd, bytes, 0, bytes.length, start + number * bytes.length));
    for (let at = 0; at < size; at++)
      held[place + at] = bytesEach === 4 ? view.getFloat32(at * 4, true) : view.getFloat16(at * 2, true);
    placeOf.set(number, place);
    return place;
  };
  return (number, sum) => {
    const place = placeOf.get(number) ?? read(number);
    for (let at = 0; at < size; at++) sum[at] = (sum[at] ?? 0) + (held[place + at] ?? 0);
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
