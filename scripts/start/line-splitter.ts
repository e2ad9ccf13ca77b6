/**
 * Whole lines out of chunks of bytes, for whoever reads what a host writes: the example session, tests and soaks. Strict,
 * because a host never writes what is not UTF-8.
 */
export class LineSplitter {
  /** What came after the last newline. At the end of a stream it is empty, or the line was not whole. */
  rest = "";
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });

  /** The lines that are whole with this chunk, without their ends. */
  push(chunk: Uint8Array): string[] {
    const lines = (this.rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.rest = lines.pop() ?? "";
    return lines;
  }
}
