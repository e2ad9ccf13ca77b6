/**
 * A secret as texts quote it: as it is, with the escapes of JSON, of HTML and of addresses, also one inside of another, with what
 * no reader sees between its signs, and as base64. Whoever parses such a text later has the secret of it.
 *
 * A net for servers that show a request, not a wall: one that means harm has the secret already and can write it in any way.
 *
 * Usual mistake: a repetition without a bound that can begin at each of the signs that it repeats.
 */

/** As the host writes a secret that it has no number for. */
const PLACEHOLDER = "[secret:000000]";
/** An expression of more signs takes long to compile, so what is longer is looked for in pieces. */
const PIECE_SIGNS = 64;

/** The beginning is looked for, and the other pieces behind it. */
type Form = readonly [first: RegExp, ...rest: RegExp[]];

/** @param write gives signs as they stand in a text, which may be bytes */
export function formsOf(secret: string, write: (signs: string) => string): readonly Form[] {
  return [
    inPieces(
      Array.from(secret.match(/\\+|[^\\]/gu) ?? [], (signs) => spellingOf(signs, write)),
      gapOf(write),
    ),
    ...inBase64(secret),
  ];
}

/** The text with a placeholder in the place of whatever has one of the forms. */
export function withoutQuoted(text: string, forms: readonly Form[]): string {
  return forms.reduce(withoutForm, text);
}

function withoutForm(text: string, [first, ...rest]: Form): string {
  let out = "";
  let kept = 0;
  for (let match = first.exec(text); match; match = first.exec(text)) {
    const end = endOf(text, first.lastIndex, rest);
    if (end === undefined) {
      first.lastIndex = match.index + 1;
      continue;
    }
    out += text.slice(kept, match.index) + PLACEHOLDER;
    kept = first.lastIndex = end;
  }
  return out + text.slice(kept);
}

function endOf(text: string, from: number, pieces: readonly RegExp[]): number | undefined {
  let end = from;
  for (const piece of pieces) {
    piece.lastIndex = end;
    if (!piece.test(text)) return undefined;
    end = piece.lastIndex;
  }
  return end;
}

function inPieces(spellings: readonly string[], gap: string): Form {
  const pieceAt = (at: number): string => spellings.slice(at, at + PIECE_SIGNS).join(gap);
  const rest: RegExp[] = [];
  for (let at = PIECE_SIGNS; at < spellings.length; at += PIECE_SIGNS) rest.push(new RegExp(gap + pieceAt(at), "y"));
  return [new RegExp(pieceAt(0), "g"), ...rest];
}

/** The signs that are the same whatever is packed before and behind the secret, in the alphabets of texts and of addresses. */
function inBase64(secret: string): readonly Form[] {
  const bytes = Buffer.from(secret, "utf8");
  return [0, 1, 2].map((before) => {
    const bits = (before + bytes.length) * 8;
    const packed = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const signs = Array.from(packed.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6)));
    return inPieces(signs.map(spellingInBase64), "");
  });
}

function spellingInBase64(sign: string): string {
  if (sign === "+") return `(?:-|${anySpelling(sign, String)})`;
  return sign === "/" ? `(?:_|${anySpelling(sign, String)})` : sign;
}

/** By the names that HTML has for signs; letters and digits have none. */
const NAMES = new Map(
  "&amp <lt >gt \"quot 'apos /sol +plus =equals .period _lowbar :colon ,comma !excl #num $dollar %percnt (lpar )rpar *ast ;semi ?quest @commat [lsqb ]rsqb \\bsol ^Hat `grave {lcub }rcub |verbar"
    .split(" ")
    .map((named) => [named.slice(0, 1), named.slice(1)]),
);

/** Backslashes in a row are one unit: each may stand for itself or escape the next, in more ways than anybody can try. */
function spellingOf(signs: string, write: (signs: string) => string): string {
  if (!signs.startsWith("\\")) return anySpelling(signs, write);
  const { length } = signs;
  const escaped = escapesOf("\\").join("|");
  return `(?:(?:${RegExp.escape(write("\\"))}){${length},${length * 8}}|(?:${escaped}){${length}})`;
}

function anySpelling(sign: string, write: (signs: string) => string): string {
  // In JSON, and in JSON inside of JSON, a backslash is before a sign that is neither a letter nor a digit.
  const plain = (/[\w\s]/.test(sign) ? "" : String.raw`\\{0,7}`) + RegExp.escape(write(sign));
  return `(?:${[plain, ...escapesOf(sign)].join("|")})`;
}

function escapesOf(sign: string): string[] {
  const code = sign.codePointAt(0) ?? 0;
  const hex = anyCase(code.toString(16));
  const named = NAMES.get(sign);
  const units = Array.from({ length: sign.length }, (_, at) => hexOf(sign.charCodeAt(at), 4));
  const bytes = Array.from(Buffer.from(sign, "utf8"), (byte) => `%(?:25)*${hexOf(byte, 2)}`);
  return [
    bytes.join(""),
    String.raw`(?:&|\\{1,7}u0026)(?:amp;)*(?:#(?:0*${code}|[xX]0*${hex});?${named ? `|${named};` : ""})`,
    units.map((unit) => String.raw`\\{1,7}u${unit}`).join(""),
    ...(code < 0x100 ? [String.raw`\\{1,7}x${hexOf(code, 2)}`] : []),
  ];
}

/** Tags, and places where a word may be broken. */
function gapOf(write: (signs: string) => string): string {
  const unseen = ["\u00ad", "\u200b"].map((sign) => RegExp.escape(write(sign)));
  return `(?:<[^<>]{0,100}>|&(?:shy|#173|#x[aA][dD]|ZeroWidthSpace|#8203|#x200[bB]);|${unseen.join("|")}){0,4}`;
}

function hexOf(code: number, digits: number): string {
  return anyCase(code.toString(16).padStart(digits, "0"));
}

function anyCase(hex: string): string {
  return hex.replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
