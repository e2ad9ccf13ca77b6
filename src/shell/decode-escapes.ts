/**
 * The escapes of `$'...'` and of double quotes, after the bash manual, sections 3.1.2.3 and 3.1.2.4.
 */

/** What stands between `$'` and `'`. */
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

/** A stretch between double quotes, expansions excluded: only `$`, backquote, `"`, `\` and a line end can be escaped. */
export function decodeDoubleQuoted(body: string): string {
  return body.replace(/\\([$`"\\\n])/g, (_whole, escaped: string) => (escaped === "\n" ? "" : escaped));
}
