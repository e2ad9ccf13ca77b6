/**
 * The bytes of a terminal as key presses. A key knows whether it came alone: what was pasted, typed ahead or sent by a program
 * comes as several keys at once, and such a key never decides anything.
 *
 * Usual mistake: to read keys with a library that splits a burst, after which nobody knows that it was one.
 */
export interface KeyPress {
  /** A printable character as it is, else a word: `up`, `enter`, `ctrl-c`, `paste`. */
  readonly name: string;
  /** What was pasted. */
  readonly text?: string;
  /** Nothing else was read together with it. */
  readonly isAlone: boolean;
}

export class KeyReader {
  readonly #decoder = new TextDecoder();
  /** The beginning of a sequence whose end has not come yet. */
  #rest = "";
  #pasted: string | undefined;

  /** @param bytes as they were read at once */
  read(bytes: Uint8Array): readonly KeyPress[] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    this.#rest = "";
    const keys: Omit<KeyPress, "isAlone">[] = [];
    for (const [token] of text.matchAll(TOKEN)) this.#take(token, keys);
    const isAlone = keys.length === 1 && this.#rest === "";
    return keys.map((key) => ({ ...key, isAlone: isAlone && key.text === undefined }));
  }

  #take(token: string, keys: Omit<KeyPress, "isAlone">[]): void {
    if (token === PASTE_ENDS && this.#pasted !== undefined) {
      keys.push({ name: "paste", text: this.#pasted });
      this.#pasted = undefined;
    } else if (this.#pasted !== undefined) {
      if (this.#pasted.length < MAX_PASTED_CHARS) this.#pasted += token.replaceAll("\r", "\n");
    } else if (token === PASTE_BEGINS) {
      this.#pasted = "";
    } else if (isUnfinished(token)) {
      this.#rest = token;
    } else {
      const name = NAMES[token] ?? (/^[^\p{Control}]+$/u.test(token) ? token : undefined);
      if (name !== undefined) keys.push({ name });
    }
  }
}

/** More than any comment holds. */
const MAX_PASTED_CHARS = 100_000;
const PASTE_BEGINS = "\u001b[200~";
const PASTE_ENDS = "\u001b[201~";

/** A control sequence, also one without its end; a character with the key Alt; any other character. */
const TOKEN = /\u001b\[[0-9;:<=>?]*[ -/]*[@-~]?|\u001bO[A-Za-z]?|\u001b[^\u001b[O]|[^]/gu;

/** The key Escape is one byte alone, and so is the beginning of a sequence: only a sequence that has begun is waited for. */
function isUnfinished(token: string): boolean {
  return /^\u001b(?:\[[0-9;:<=>?]*[ -/]*|O)$/.test(token);
}

const NAMES: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\u001b": "escape",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0001": "home",
  "\u0003": "ctrl-c",
  "\u0004": "ctrl-d",
  "\u0005": "end",
  "\u0006": "pagedown",
  "\u0002": "pageup",
  "\u000c": "ctrl-l",
  "\u0015": "ctrl-u",
  "\u0017": "ctrl-w",
  "\u001a": "ctrl-z",
  "\u001b[A": "up",
  "\u001b[B": "down",
  "\u001b[C": "right",
  "\u001b[D": "left",
  "\u001bOA": "up",
  "\u001bOB": "down",
  "\u001bOC": "right",
  "\u001bOD": "left",
  "\u001b[H": "home",
  "\u001b[F": "end",
  "\u001b[1~": "home",
  "\u001b[4~": "end",
  "\u001b[3~": "delete",
  "\u001b[5~": "pageup",
  "\u001b[6~": "pagedown",
  "\u001b[I": "focus",
  "\u001b[O": "blur",
};
