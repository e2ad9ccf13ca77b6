/**
 * The text of a proposed file while a person edits it in a program of their own. It stands in the state folder and not among the
 * temporary files, where others could read its name, and stays when the review is killed, so that no word is lost.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { sha256 } from "../../base/index.ts";

export class EditFiles {
  readonly #folder: string;

  /** @param folder `review` in the state folder */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * What an edit has left behind that never came to its end goes on.
   * @param label of the proposal. @param name of the file, whose end tells an editor the language. @returns an absolute path
   */
  open(label: string, name: string, text: string): string {
    const folder = this.#own(label, name);
    const path = join(folder, plainName(name));
    if (existsSync(path)) return path;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  read(label: string, name: string): Uint8Array {
    return readFileSync(join(this.#own(label, name), plainName(name)));
  }

  drop(label: string, name: string): void {
    rmSync(this.#own(label, name), { recursive: true, force: true });
  }

  #own(label: string, name: string): string {
    return join(this.#folder, `${sha256(`${label}\n${name}`).slice(0, 32)}.edit`);
  }
}

/** An editor takes no name that begins with a sign for an option, or holds one for a shell. */
function plainName(path: string): string {
  return `edit-${basename(path)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(-80)}`;
}
