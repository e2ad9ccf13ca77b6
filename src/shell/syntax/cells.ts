/**
 * A word as a row of characters that know whether they were quoted, and the expansions that need to know it: braces,
 * tilde, splitting at blanks, patterns. In the order of bash: braces, tilde, splitting, file names.
 */

/** `plain`: written without quotes · `quoted`: nothing is special in it · `expanded`: came from an unquoted `$x`. */
type CellKind = "plain" | "quoted" | "expanded";

export interface Cell {
  readonly char: string;
  readonly kind: CellKind;
}

interface FieldText {
  readonly text: string;
  readonly glob: boolean;
}

export function cellsOf(text: string, kind: CellKind): Cell[] {
  return Array.from(text, (char) => ({ char, kind }));
}

/**
 * @param home what `~` stands for
 * @returns undefined if braces make more words of it than anybody writes
 */
export function toFields(cells: readonly Cell[], home: string): FieldText[] | undefined {
  return expandBraces(cells)
    ?.map((word) => expandTilde(word, home))
    .flatMap(split)
    .map(toField);
}

const MAX_WORDS = 256;
const MAX_BRACES = 12;

function expandBraces(cells: readonly Cell[]): (readonly Cell[])[] | undefined {
  let words: (readonly Cell[])[] = [cells];
  for (let round = 0; round < MAX_BRACES; round++) {
    const next = words.flatMap((word) => expandFirstBrace(word) ?? [word]);
    if (next.length === words.length) return words;
    if (next.length > MAX_WORDS) return undefined;
    words = next;
  }
  return undefined;
}

function expandFirstBrace(word: readonly Cell[]): (readonly Cell[])[] | undefined {
  for (let open = word.findIndex((cell) => isPlain(cell, "{")); open >= 0;) {
    const found = readBrace(word, open);
    if (found !== undefined)
      return found.choices.map((choice) => [...word.slice(0, open), ...choice, ...word.slice(found.end + 1)]);
    const from: number = open + 1;
    const after = word.slice(from).findIndex((cell) => isPlain(cell, "{"));
    open = after < 0 ? -1 : from + after;
  }
  return undefined;
}

interface Brace {
  readonly choices: readonly (readonly Cell[])[];
  readonly end: number;
}

function readBrace(word: readonly Cell[], open: number): Brace | undefined {
  const choices: Cell[][] = [[]];
  for (let depth = 1, at = open + 1; at < word.length; at++) {
    const cell = word[at];
    if (cell === undefined) return undefined;
    if (isPlain(cell, "{")) depth++;
    if (isPlain(cell, "}") && --depth === 0)
      return choices.length > 1 ? { choices, end: at } : readRange(choices[0] ?? [], at);
    if (depth === 1 && isPlain(cell, ",")) choices.push([]);
    else choices.at(-1)?.push(cell);
  }
  return undefined;
}

function readRange(body: readonly Cell[], end: number): Brace | undefined {
  const parts = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])$/.exec(body.map(({ char }) => char).join(""));
  if (parts?.[1] === undefined || parts[2] === undefined) return undefined;
  const isNumber = /\d$/.test(parts[1]);
  const at = (part: string): number => (isNumber ? Number(part) : part.charCodeAt(0));
  const [from, to] = [at(parts[1]), at(parts[2])];
  const count = Math.min(Math.abs(to - from) + 1, MAX_WORDS + 1);
  if (Number.isNaN(count) || count < 2) return undefined;
  const step = to < from ? -1 : 1;
  const choices = Array.from({ length: count }, (_, index) => {
    const value = from + index * step;
    return cellsOf(isNumber ? String(value) : String.fromCharCode(value), "plain");
  });
  return { choices, end };
}

function expandTilde(word: readonly Cell[], home: string): readonly Cell[] {
  const [first] = word;
  if (first === undefined || !isPlain(first, "~")) return word;
  const slash = word.findIndex(({ char }) => char === "/");
  const user = word.slice(1, slash < 0 ? word.length : slash);
  if (!user.every(({ char, kind }) => kind === "plain" && /[\w.+-]/.test(char))) return word;
  const name = user.map(({ char }) => char).join("");
  const rest = word.slice(1 + user.length);
  if (name === "+" || name === "-") return [...cellsOf(name === "+" ? "." : "..", "quoted"), ...rest];
  return [...cellsOf(name === "" ? home : `/home/${name}`, "quoted"), ...rest];
}

/** An empty word stays if it was quoted or written; one that came from an expansion alone is gone. */
function split(word: readonly Cell[]): (readonly Cell[])[] {
  const fields: Cell[][] = [[]];
  for (const cell of word) {
    if (cell.kind === "expanded" && /[ \t\n]/.test(cell.char)) fields.push([]);
    else fields.at(-1)?.push(cell);
  }
  return fields.length === 1 ? fields : fields.filter((field) => field.length > 0);
}

function toField(cells: readonly Cell[]): FieldText {
  return {
    text: cells.map(({ char }) => char).join(""),
    glob: cells.some(({ char, kind }) => kind !== "quoted" && /[*?[]/.test(char)),
  };
}

function isPlain(cell: Cell, char: string): boolean {
  return cell.char === char && cell.kind === "plain";
}

/** Decodes what stands between `$'` and `'`, after the bash manual, section 3.1.2.4. */
export function decodeAnsiC(body: string): string {
  return body.replace(ANSI_ESCAPE, (whole: string, code: string) => {
    const simple = SIMPLE[code];
    if (simple !== undefined) return simple;
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    if (code.startsWith("c")) return String.fromCharCode(code.charCodeAt(1) & 0x1f);
    if (/^[xuU]/.test(code)) return fromCodePoint(Number.parseInt(code.slice(1), 16));
    return whole;
  });
}

const ANSI_ESCAPE = /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c[^\\]|.)/gsu;

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

function fromCodePoint(value: number): string {
  return value <= 0x10_ff_ff ? String.fromCodePoint(value) : "";
}

/** Decodes a stretch between double quotes, expansions excluded (section 3.1.2.3): only `$`, backquote, `"`, `\` and a line end can be escaped. */
export function decodeDoubleQuoted(body: string): string {
  return body.replace(/\\([$`"\\\n])/g, (_whole, escaped: string) => (escaped === "\n" ? "" : escaped));
}
