/**
 * `bun scripts/wasm.ts`: assembles src/text/scan.wat into the scan.wasm beside it, which is kept in the repository so
 * that neither a build nor a test needs the assembler. A test says when the two differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import wabt from "wabt";

const FOLDER = join(import.meta.dir, "..", "src", "text");

export async function assemble(): Promise<Uint8Array> {
  const assembler = await wabt();
  const module = assembler.parseWat("scan.wat", readFileSync(join(FOLDER, "scan.wat"), "utf8"), {
    simd: true,
  });
  module.validate();
  return module.toBinary({}).buffer;
}

if (import.meta.main) writeFileSync(join(FOLDER, "scan.wasm"), await assemble());
