/**
 * What `ringfence init` has put into the files of clients, so that it can be taken out again: the transaction that did it, and
 * the pieces of text for files that somebody else has changed since. Written whole; what cannot be read was not done.
 */
import { join } from "node:path";
import { readJson, writeWhole } from "./small-file.ts";

export interface SetupNote {
  readonly client: string;
  readonly transaction: string;
  readonly at: string;
  readonly files: readonly {
    readonly path: string;
    /** The file was not there before. */
    readonly isNew: boolean;
    readonly pieces: readonly { readonly inserted: string; readonly removed: string }[];
  }[];
}

/** The oldest are forgotten first; nobody takes back what was set up so many times since. */
const MAX_NOTES = 200;

export class SetupStore {
  readonly #path: string;

  /** @param folder the state folder */
  constructor(folder: string) {
    this.#path = join(folder, "setups.json");
  }

  /** Lists what is set up, oldest first. */
  list(): readonly SetupNote[] {
    const notes = readJson(this.#path);
    return Array.isArray(notes) ? (notes as readonly SetupNote[]) : [];
  }

  add(note: SetupNote): void {
    this.#write([...this.list(), note].slice(-MAX_NOTES));
  }

  remove(transaction: string): void {
    this.#write(this.list().filter((note) => note.transaction !== transaction));
  }

  #write(notes: readonly SetupNote[]): void {
    writeWhole(this.#path, JSON.stringify(notes));
  }
}
