/**
 * `bun scripts/wasm.ts`: assembles each `.wat` of ours into the `.wasm` beside it, which is kept in the repository so
 * that neither a build nor a test needs the assembler. A test says when the two differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import wabt from "wabt";

/** Without their ends. */
export const WASM_SOURCES: readonly string[] = ["src/text/scan", "src/memory/search/products"];

const TOP = join(import.meta.dir, "..");

export async function assemble(source: string): Promise<Uint8Array> {
  const assembler = await wabt();
  const module = assembler.parseWat(source, readFileSync(join(TOP, `${source}.wat`), "utf8"), { simd: true });
  module.validate();
  return module.toBinary({}).buffer;
}

if (import.meta.main)
  for (const source of WASM_SOURCES) writeFileSync(join(TOP, `${source}.wasm`), await assemble(source));
