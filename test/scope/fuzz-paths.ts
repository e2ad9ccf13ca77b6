/**
 * Strings that somebody might send as a path: any code units, half surrogate pairs too, escapes of bytes whole and
 * broken, control characters, very long names and very many of them.
 */
import { fc } from "../property.ts";

/** JSON can carry halves of surrogate pairs, so a caller can. */
const codeUnits = fc
  .array(fc.nat(0xffff), { maxLength: 60 })
  .map((units) => units.map((unit) => String.fromCharCode(unit)).join(""));

const escapes = fc
  .array(
    fc.oneof(
      fc.nat(255).map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`),
      fc.constantFrom("%", "%F", "%fg", "%00", "%2F", "%2E%2E", "/", "..", "a", "é", "\u{1F600}", "bytes:"),
    ),
    { maxLength: 20 },
  )
  .map((parts) => `bytes:${parts.join("")}`);

const pieces = fc
  .array(
    fc.constantFrom(
      ..."/ // . .. ... a A a.txt ~ - * ? [ { $HOME %2e%2e \\ : | C: NUL con.txt \0 \n \r \t \x1b[2J \x7f".split(" "),
      " ",
      "\u00a0",
      "\u202e",
      "\u200b",
      "\ufeff",
      "\ufffd",
      "e\u0301",
      "\ud800",
      "\udcff",
      "proc/self/root",
      "/dev/stdin",
      "file://",
      "new/deep",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

/** Up to 64 KiB, and up to thousands of components. */
const long = fc
  .tuple(
    fc.constantFrom("a", "a/", "../", "./", "/", "é", "\u{1F600}/", "\0", "%", "..", "a/../"),
    fc.nat(65_536),
    fc.constantFrom("", "/", "bytes:", "./"),
  )
  .map(([piece, length, before]) => before + piece.repeat(Math.ceil(length / piece.length)));

export function anyString(root: string): fc.Arbitrary<string> {
  const inRoot = fc.oneof(pieces, codeUnits).map((rest) => `${root}/${rest}`);
  return fc.oneof(
    { weight: 3, arbitrary: codeUnits },
    { weight: 3, arbitrary: escapes },
    { weight: 5, arbitrary: pieces },
    { weight: 1, arbitrary: long },
    { weight: 2, arbitrary: inRoot },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) },
  );
}
