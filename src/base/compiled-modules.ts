/**
 * WebAssembly modules of this program. Workers of one pool give each other what they have compiled: what the engine then
 * compiles further for one of them is there for the others too. Two that need a module at the same moment both compile it.
 * How it gets from one thread to another is not known here.
 */
import { readFileSync } from "node:fs";

export interface CompiledModule {
  readonly name: string;
  readonly module: WebAssembly.Module;
}

const modules = new Map<string, WebAssembly.Module>();
let tell: ((compiled: CompiledModule) => void) | undefined;

/** @param path of the embedded file; read when no thread has compiled it yet */
export function compiledModule(name: string, path: string): WebAssembly.Module {
  const known = modules.get(name);
  if (known) return known;
  const module = new WebAssembly.Module(readFileSync(path));
  modules.set(name, module);
  try {
    tell?.({ name, module });
  } catch {
    // The others compile it for themselves.
  }
  return module;
}

/** What another thread has compiled. */
export function keepCompiled({ name, module }: CompiledModule): void {
  if (!modules.has(name)) modules.set(name, module);
}

/** @param listener is told of every module that this thread compiles from now on */
export function onCompiled(listener: (compiled: CompiledModule) => void): void {
  tell = listener;
}
