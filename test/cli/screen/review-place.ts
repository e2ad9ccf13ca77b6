/**
 * A workspace with a file of numbered lines, and what an agent's call about it is answered with.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, type ServeProcess } from "../../binary/serve-process.ts";

export const LINES: readonly string[] = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`);

/** Edits of these lines, each into `new` with its number. */
export function edits(...at: readonly number[]): object[] {
  return at.map((number) => ({ old_text: `line ${number}\n`, new_text: `new ${number}\n` }));
}

/** The text of the file when these lines were edited. */
export function edited(...at: readonly number[]): string {
  return LINES.map((line, index) => (at.includes(index + 1) ? `new ${index + 1}\n` : line)).join("");
}

export class ReviewPlace extends Place {
  constructor() {
    super();
    this.write("a.txt", LINES.join(""));
  }

  write(name: string, text: string | Uint8Array): void {
    writeFileSync(join(this.root, name), text);
  }

  text(name = "a.txt"): string {
    return readFileSync(join(this.root, name), "utf8");
  }

  has(name: string): boolean {
    return readdirSync(this.root).includes(name);
  }

  /** What reviewers have chosen so far, as it is on disk. */
  drafts(): Readonly<Record<string, unknown>>[] {
    const folder = join(this.stateDir, "review");
    return readdirSync(folder)
      .filter((name) => name.endsWith(".draft"))
      .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  }
}

export async function answerOf(host: ServeProcess, id: number): Promise<string> {
  const { result } = await host.find((message) => message.id === id);
  return result?.content?.at(-1)?.text ?? "";
}
