/**
 * A word as a row of characters that know whether they were quoted, and the expansions that need to know it: braces,
 * tilde, splitting at blanks, patterns. In the order of bash: braces, tilde, splitting, file names.
 */

export interface Cell {
  readonly char: string;
  /** Written without quotes · nothing is special in it · came from an unquoted `$x`. */
  readonly kind: "plain" | "quoted" | "expanded";
}

type Word = readonly Cell[];

export function cellsOf(text: string, kind: Cell["kind"]): Cell[] {
  return Array.from(text, (char) => ({ char, kind }));
}

function textOf(cells: Word): string {
  return cells.map(({ char }) => char).join("");
}

/**
 * @param home what `~` stands for
 * @returns undefined if braces make more words of it than anybody writes
 */
export function toFields(cells: Word, home: string): { text: string; glob: boolean }[] | undefined {
  return expandBraces(cells)
    ?.map((word) => expandTilde(word, home))
    .flatMap(split)
    .map((field) => ({
      text: textOf(field),
      glob: field.some(({ char, kind }) => kind !== "quoted" && /[*?[]/.test(char)),
    }));
}

const MAX_WORDS = 256;
const MAX_BRACES = 12;

function expandBraces(cells: Word): Word[] | undefined {
  let words = [cells];
  for (let round = 0; round < MAX_BRACES; round++) {
    const next = words.flatMap(expandFirstBrace);
    if (next.length === words.length) return words;
    if (next.length > MAX_WORDS) return undefined;
    words = next;
  }
  return undefined;
}

/** The words that its first braces stand for; only itself if it has none. */
function expandFirstBrace(word: Word): Word[] {
  for (const [open, cell] of word.entries()) {
    const found = isPlain(cell, "{") ? readBrace(word.slice(open + 1)) : undefined;
    if (found !== undefined)
      return found.choices.map((choice) => [...word.slice(0, open), ...choice, ...word.slice(open + found.length)]);
  }
  return [word];
}

/** @param inside what stands behind the brace that opens */
function readBrace(inside: Word): { choices: Word[]; length: number } | undefined {
  const choices: Cell[][] = [[]];
  let depth = 1;
  for (const [at, cell] of inside.entries()) {
    if (isPlain(cell, "{")) depth++;
    if (isPlain(cell, "}") && --depth === 0) {
      const all = choices.length > 1 ? choices : readRange(textOf(inside.slice(0, at)));
      return all && { choices: all, length: at + 2 };
    }
    if (depth === 1 && isPlain(cell, ",")) choices.push([]);
    else choices.at(-1)?.push(cell);
  }
  return undefined;
}

function readRange(body: string): Word[] | undefined {
  const [, from = "", to = ""] = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])$/.exec(body) ?? [];
  const isNumber = /\d$/.test(from);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const count = Math.min(Math.abs(last - first) + 1, MAX_WORDS + 1);
  if (Number.isNaN(count) || count < 2) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -index : index);
    return cellsOf(isNumber ? String(value) : String.fromCharCode(value), "plain");
  });
}

/** At the start of a word, and of the value of what looks like an assignment: `dd of=~/x`. */
function expandTilde(word: Word, home: string): Word {
  const start = ASSIGNED.exec(textOf(word))?.[0].length ?? 0;
  const [first] = word.slice(start);
  if (first === undefined || !isPlain(first, "~") || !word.slice(0, start).every(({ kind }) => kind === "plain"))
    return word;
  const behind = word.slice(start + 1);
  const slash = behind.findIndex(({ char }) => char === "/");
  const user = behind.slice(0, slash < 0 ? behind.length : slash);
  if (!user.every(({ char, kind }) => kind === "plain" && !/[*?[]/.test(char))) return word;
  const name = textOf(user);
  const at = { "": home, "+": ".", "-": ".." }[name] ?? `/home/${name}`;
  return [...word.slice(0, start), ...cellsOf(at, "quoted"), ...behind.slice(user.length)];
}

const ASSIGNED = /^[A-Za-z_]\w*\+?=/;

/** An empty word stays if it was quoted or written; one that came from an expansion alone is gone. */
function split(word: Word): Word[] {
  const fields: Cell[][] = [[]];
  for (const cell of word) {
    if (cell.kind === "expanded" && /[ \t\n]/.test(cell.char)) fields.push([]);
    else fields.at(-1)?.push(cell);
  }
  return fields.length === 1 ? fields : fields.filter((field) => field.length > 0);
}

function isPlain(cell: Cell, char: string): boolean {
  return cell.char === char && cell.kind === "plain";
}

/** Decodes what stands between `$'` and `'`, after the bash manual, section 3.1.2.4. */
export function decodeAnsiC(body: string): string {
  return body.replace(ANSI_ESCAPE, (whole: string, code: string) => {
    const simple = ESCAPES.indexOf(code);
    if (simple >= 0) return ESCAPED.charAt(simple);
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    if (code.startsWith("c")) return String.fromCharCode(code.charCodeAt(1) & 0x1f);
    if (/^[xuU]/.test(code)) return fromCodePoint(Number.parseInt(code.slice(1), 16));
    return whole;
  });
}

const ANSI_ESCAPE = /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c[^\\]|.)/gsu;

const ESCAPES = "abeEfnrtv\\'\"?";
const ESCAPED = "\u0007\b\u001b\u001b\f\n\r\t\v\\'\"?";

function fromCodePoint(value: number): string {
  return value <= 0x10_ff_ff ? String.fromCodePoint(value) : "";
}

/**
 * Decodes a stretch between double quotes, expansions excluded (section 3.1.2.3): only `$`, backquote, `"`, `\` and a
 * line end can be escaped.
 */
export function decodeDoubleQuoted(body: string): string {
  return body.replace(/\\([$`"\\\n])/g, (_whole, escaped: string) => (escaped === "\n" ? "" : escaped));
}

/**
 * Decodes what stands between backquotes (section 3.5.4). Between double quotes a backslash was for those too, so both
 * readings are given where they differ.
 */
export function decodeBackquoted(body: string): string[] {
  return [...new Set([body.replace(/\\([`$\\])/g, "$1"), body.replace(/\\([`$\\"])/g, "$1")])];
}
