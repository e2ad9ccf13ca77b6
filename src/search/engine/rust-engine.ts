/**
 * The Rust regex crate in WebAssembly (package rregex). Haystacks of a search are handed over as bytes through the module's
 * own memory, because its string interface would decode and encode every file again. Two invariants: these bytes are valid
 * UTF-8 (the crate takes them as `&str`; anything else is undefined behaviour), and they are small (its memory never
 * shrinks).
 */
import { compiledModule } from "../../base/index.ts";
import type { Hir as RawHir, InitOutput, Match } from "../../../node_modules/rregex/lib/web.js";
// The package's default entry cannot be bundled; web.js and the module beside it can, and both are embedded.
// @ts-expect-error: TypeScript finds the module's own types; Bun gives the path of the file.
import wasmPath from "../../../node_modules/rregex/lib/rregex.wasm" with { type: "file" };

export interface RustRegex extends Disposable {
  /** Byte offsets of all matches, one after the other: start, end, start, end ... */
  readonly findAll: (bytes: Uint8Array) => number[];
  readonly hir: () => RawHir;
  /** @param most at least 1 @param template in the crate's own syntax */
  readonly replaceFirst: (text: string, most: number, template: string) => string;
  /** By number, the whole match first; `null` for a group without a name. */
  readonly groupNames: () => readonly (string | null)[];
}

export interface RustEngine {
  /** @throws Error with the crate's message */
  readonly compile: (pattern: string) => RustRegex;
}

let loaded: Promise<RustEngine> | undefined;

export async function loadRustEngine(): Promise<RustEngine> {
  loaded ??= load();
  return await loaded;
}

let memory: WebAssembly.Memory | undefined;
let isBroken = false;
/** rregex keeps a part of what every pattern and every match took: up to a megabyte a search. */
const MAX_MEMORY_BYTES: number = 128 * 1024 * 1024;

/**
 * Whether the module has lost so much memory, or broke, that it should be loaded anew; which only a new worker can,
 * because the package keeps one instance for good.
 */
export function shouldRecycleEngine(): boolean {
  return isBroken || (memory?.buffer.byteLength ?? 0) > MAX_MEMORY_BYTES;
}

async function load(): Promise<RustEngine> {
  const { initSync, RRegex } = await import("../../../node_modules/rregex/lib/web.js");
  const wasm = initSync({ module: compiledModule("rregex", String(wasmPath)) });
  ({ memory } = wasm);
  return {
    compile(pattern) {
      const regex = orBroken(() => new RRegex(pattern));
      const pointer: unknown = Reflect.get(regex, "__wbg_ptr");
      if (typeof pointer !== "number") throw new Error("this version of rregex keeps its pointer elsewhere");
      return {
        findAll: (bytes) => orBroken(() => findAll(wasm, pointer, bytes)),
        hir: () => regex.syntax(),
        replaceFirst: (text, most, template) => orBroken(() => regex.replacen(text, most, template)),
        groupNames: () => regex.captureNames(),
        [Symbol.dispose]: () => regex.free(),
      };
    },
  };
}

function orBroken<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    isBroken ||= thrown instanceof WebAssembly.RuntimeError;
    throw thrown;
  }
}

/** What rregex's own `findAll` does, with bytes in place of a string. The callee frees the haystack. */
function findAll(wasm: InitOutput, regex: number, bytes: Uint8Array): number[] {
  const at = wasm.__wbindgen_malloc(bytes.length, 1) >>> 0;
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
  const [found, thrown, hasThrown] = wasm.rregex_findAll(regex, at, bytes.length);
  if (hasThrown) throw new Error(String(take(wasm, thrown)));
  const matches = take(wasm, found);
  if (!Array.isArray(matches)) throw new Error("this version of rregex answers in another form");
  const offsets: number[] = [];
  for (const { start, end } of matches as Match[]) offsets.push(start, end);
  return offsets;
}

function take(wasm: InitOutput, index: number): unknown {
  const value: unknown = wasm.__wbindgen_export_2.get(index);
  wasm.__externref_table_dealloc(index);
  return value;
}
