/**
 * A static model in a folder, as model2vec writes it: words are cut as BERT cuts them, a text is the mean of its pieces, and what
 * is no such model is said.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../src/base/index.ts";
import { openStaticModel } from "../../src/memory/search/static-model.ts";
import { layFiles } from "../host/file-tree.ts";
import { openMemoryHost } from "./memory-host.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-model-")));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** Three meanings: warm, cold, and animals. */
const ROWS: Readonly<Record<string, readonly [number, number, number]>> = {
  "[UNK]": [9, 9, 9],
  hot: [1, 0, 0],
  heat: [1, 0, 0],
  warm: [1, 0, 0],
  ice: [0, 1, 0],
  cold: [0, 1, 0],
  dog: [0, 0, 1],
  puppy: [0, 0, 1],
  "##s": [0, 0, 0.5],
  "##ing": [0.5, 0, 0],
  ",": [0, 0, 0],
  cafe: [2, 0, 0],
  数: [0, 3, 0],
};

interface Parts {
  readonly dtype?: "F32" | "F16";
  readonly tokenizer?: string | object;
  readonly table?: Uint8Array;
  readonly tensor?: string;
}

function layModel({ dtype = "F32", tokenizer, table, tensor = "embeddings" }: Parts = {}): string {
  const folder = mkdtempSync(join(top, "m-"));
  mkdirSync(folder, { recursive: true });
  const numbers = Object.values(ROWS).flat();
  const bytes = Buffer.from((dtype === "F16" ? Float16Array.from(numbers) : Float32Array.from(numbers)).buffer);
  const shape = [Object.keys(ROWS).length, 3];
  const header = Buffer.from(JSON.stringify({ [tensor]: { dtype, shape, data_offsets: [0, bytes.length] } }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  writeFileSync(join(folder, "model.safetensors"), table ?? Buffer.concat([length, header, bytes]));
  const vocab = Object.fromEntries(Object.keys(ROWS).map((piece, at) => [piece, at]));
  const usual = {
    normalizer: { type: "BertNormalizer", lowercase: true },
    model: { type: "WordPiece", unk_token: "[UNK]", vocab },
  };
  const text = typeof tokenizer === "string" ? tokenizer : JSON.stringify({ ...usual, ...tokenizer });
  writeFileSync(join(folder, "tokenizer.json"), text);
  return folder;
}

describe("openStaticModel()", () => {
  test.each([
    ["hot", [1, 0, 0]],
    ["HOT", [1, 0, 0]],
    ["dogs", [0, 0, 0.75]],
    ["heating, dog", [0.375, 0, 0.25]],
    ["nothing that it knows", [0, 0, 0]],
    ["hot unknown", [1, 0, 0]],
    ["Café", [2, 0, 0]],
    ["ice数hot", [1 / 3, 4 / 3, 0]],
    ["", [0, 0, 0]],
    [`hot${"x".repeat(200)}`, [0, 0, 0]],
  ])("openStaticModel() gives the mean of the pieces of %j", (text, expected) => {
    for (const dtype of ["F32", "F16"] as const)
      expect([...openStaticModel(layModel({ dtype })).embed(text)].map((one) => one.toFixed(3))).toEqual(
        expected.map((one) => one.toFixed(3)),
      );
  });

  test.each([
    ["hot", [1, 0, 0]],
    ["hot, dog", [1 / 3, 0, 1 / 3]],
    ["HOT", [0, 0, 0]],
    ["cafe\u0301", [0, 0, 0]],
    ["ice数", [0, 0, 0]],
    ["d\u200bog", [0, 0, 0]],
  ])("openStaticModel() takes %j as it is written for a model without a normalizer", (text, expected) => {
    const model = openStaticModel(layModel({ tokenizer: { normalizer: null } }));
    expect([...model.embed(text)].map((one) => one.toFixed(3))).toEqual(expected.map((one) => one.toFixed(3)));
  });

  const whole = Buffer.from("not a table");
  test.each([
    ["its table is cut", { table: whole }],
    ["its table has another name", { tensor: "other" }],
    ["its tokenizer is no JSON", { tokenizer: "{" }],
    ["its tokenizer is of another kind", { tokenizer: { model: { type: "Unigram", vocab: [] } } }],
  ] as const)("openStaticModel() refuses a folder when %s", (_why, parts) => {
    try {
      openStaticModel(layModel(parts));
      expect("opened").toBe("refused");
    } catch (thrown) {
      expect(thrown instanceof Failure && thrown.code).toBe("unsupported");
    }
  });

  test("openStaticModel() gives two models two names", () => {
    const names = [layModel(), layModel({ dtype: "F16" })].map((folder) => openStaticModel(folder).name);
    expect(new Set(names).size).toBe(2);
  });
});

test("a search with a static model finds what is meant, says that it looked, and says why when it cannot", async () => {
  const notes = { "a.md": "warm\n", "b.md": "ice\n", "c.md": "the puppy\n" };
  await using host = await openMemoryHost({ memory: { embedder: { file: layModel() } } });
  layFiles(join(host.stateDir, "memory"), notes);
  const found = await host.call("memory_search", { query: "heat", limit: 1 });
  expect(found.all).toContain("By meaning: on]");
  expect(found.text).toStartWith("a:1  (meaning)");
  expect((await host.call("memory_search", { query: "dogs", limit: 1 })).text).toStartWith("c:1  (meaning)");
  const unknown = await host.call("memory_search", { query: "xyzzy" });
  expect(unknown.all).toContain("off, the model knows no word of the question");
  await using other = await openMemoryHost({ memory: { embedder: { file: join(top, "missing") } } });
  layFiles(join(other.stateDir, "memory"), notes);
  const words = await other.call("memory_search", { query: "ice" });
  expect(words.all).toContain("By meaning: off, unsupported: Cannot use the model");
  expect(words.text).toStartWith("b:1  (words)");
});
