/**
 * The text of a proposed file while a person edits it in a program of their own. It stands in the state folder and not among the
 * temporary files, where others could read its name, and stays when the review is killed, so that no word is lost.
 *
 * Invariant: an edit goes on only where it began with this text. What was left out or taken in since makes another text.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { nowMs, sha256 } from "../../base/index.ts";

/** What is edited. */
export interface TextInEdit {
  /** The id of the proposal. */
  readonly id: string;
  /** The proposal as it was shown: id and digest. */
  readonly label: string;
  /** The path of the file, whose end tells an editor the language. */
  readonly name: string;
  /** What the chosen parts of the proposal make of the file. */
  readonly text: string;
}

const SUFFIX = ".edit";
/** For this long a person finds what they wrote, though the proposal is over. */
const KEPT_MS: number = 24 * 60 * 60 * 1000;

export class EditFiles {
  readonly #folder: string;

  /** @param folder `review` in the state folder */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What an edit has left behind that never came to its end goes on. @returns an absolute path */
  open(edited: TextInEdit): string {
    const folder = this.#own(edited);
    const path = join(folder, plainName(edited.name));
    if (existsSync(path)) return path;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, edited.text, { mode: 0o600 });
    return path;
  }

  read(edited: TextInEdit): Uint8Array {
    return readFileSync(join(this.#own(edited), plainName(edited.name)));
  }

  drop(edited: TextInEdit): void {
    rmSync(this.#own(edited), { recursive: true, force: true });
  }

  /** Removes what was last written a day ago and belongs to no proposal of these. @param waiting their ids */
  sweep(waiting: { has(id: string): boolean }): void {
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      if (!name.endsWith(SUFFIX) || waiting.has(name.slice(0, name.indexOf(".")))) continue;
      if (nowMs() - writtenMs(path) > KEPT_MS) rmSync(path, { recursive: true, force: true });
    }
  }

  #own({ id, label, name, text }: TextInEdit): string {
    return join(this.#folder, `${id}.${sha256(JSON.stringify([label, name, text])).slice(0, 32)}${SUFFIX}`);
  }
}

/** Another review may remove it in this moment, and then there is nothing left to remove. */
function writtenMs(folder: string): number {
  try {
    const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
    return Math.max(...paths.map((path) => statSync(path).mtimeMs));
  } catch {
    return nowMs();
  }
}

/** An editor takes no name that begins with a sign for an option, or holds one for a shell. */
function plainName(path: string): string {
  return `edit-${basename(path)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(-80)}`;
}
