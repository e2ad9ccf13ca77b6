/**
 * WebAssembly modules of this program, each compiled by one of its threads and used by all: what the engine then compiles
 * further for one of them is there for the others too. How a module gets from one thread to another is not known here.
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
  tell?.({ name, module });
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
