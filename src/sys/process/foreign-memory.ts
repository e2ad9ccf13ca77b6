/**
 * One piece of memory for what the kernel is to read, in which nothing moves: strings, lists of pointers and structures,
 * by their addresses. Calls no C function itself; libc.ts says why memory needs this care.
 */
import { ptr } from "bun:ffi";

export class ForeignMemory {
  readonly #bytes: Buffer;
  readonly #start: number;
  #used = 0;

  /** @param size of everything that will be put here, with 8 bytes more for each */
  constructor(size: number) {
    // Pages of its own: the runtime moves only what is smaller.
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(size, MIN_BYTES));
    this.#start = ptr(this.#bytes);
  }

  /** @returns its address, on a boundary of 8 */
  put(bytes: Uint8Array): number {
    const at = this.#used;
    this.#used = Math.ceil((at + bytes.length) / 8) * 8;
    if (this.#used > this.#bytes.length) throw new Error("the memory for its start is too small");
    this.#bytes.set(bytes, at);
    return this.#start + at;
  }

  putText(text: string): number {
    return this.put(Buffer.from(`${text}\0`, "utf8"));
  }

  /** As C has a list of strings: pointers, and a null at the end. */
  putTexts(texts: readonly string[]): number {
    return this.putWords([...texts.map((text) => this.putText(text)), 0]);
  }

  /** Puts words of 64 bits each. */
  putWords(words: readonly (number | bigint)[]): number {
    return this.put(Buffer.from(BigUint64Array.from(words.map(BigInt)).buffer));
  }
}

const MIN_BYTES = 4096;

/** What execve(2) is told, by address, in memory with room for `moreBytes` besides. */
export function memoryForExec(
  program: string,
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  moreBytes = 0,
): { readonly memory: ForeignMemory; readonly exec: readonly [program: number, argv: number, variables: number] } {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const memory = new ForeignMemory(sizeOfTexts([program, ...argv, ...variables]) + moreBytes);
  return { memory, exec: [memory.putText(program), memory.putTexts(argv), memory.putTexts(variables)] };
}

/** What strings take there, with the pointers to them and the ends of two lists. */
function sizeOfTexts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text, "utf8") + 24, 16);
}
