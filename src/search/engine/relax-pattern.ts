/**
 * A pattern of the backtracking engine, relaxed to one that the linear engine has and that matches wherever it does, so that
 * needles can be read off it: assertions are left out, and whatever is not known to mean the same in both becomes
 * "anything".
 *
 * Usual mistake: to let something through because both engines take it; `\<` is a sign in one and a boundary in the other.
 */

/** `undefined` when the pattern holds something whose extent is not plain. */
export function relaxPattern(pattern: string): string | undefined {
  // Verbs, comments, conditions, calls of groups, quoted text.
  if (/\(\*|\(\?[#(R&+\d]|\\[QE]/.test(pattern)) return undefined;
  let relaxed = "";
  for (let at = 0; at < pattern.length;) {
    const part = partAt(pattern, at);
    if (!part) return undefined;
    relaxed += part.text;
    at = part.end;
  }
  return relaxed;
}

interface Part {
  readonly text: string;
  /** Behind it in the pattern. */
  readonly end: number;
}

const ANY = "[\\s\\S]";
const NOTHING = "(?:)";

function partAt(pattern: string, at: number): Part | undefined {
  const sign = pattern.charAt(at);
  switch (sign) {
    case "\\":
      return escapeAt(pattern, at);
    case "[": {
      const end = classEnd(pattern, at);
      return end === undefined ? undefined : { text: ANY, end };
    }
    case "(":
      return groupAt(pattern, at);
    case "{": {
      // Anything else in braces is text in one of the two.
      const [count] = sticky(/\{\d+(?:,\d*)?\}/y, pattern, at) ?? [];
      return count === undefined ? undefined : { text: count, end: at + count.length };
    }
    default:
      return { text: sign, end: at + 1 };
  }
}

function escapeAt(pattern: string, at: number): Part | undefined {
  const found =
    sticky(/\\(?:[bBAz](?!\{)|[nrtfa]|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]+\})/y, pattern, at) ??
    sticky(/\\(?<nothing>K)/y, pattern, at) ??
    sticky(/\\(?<any>[dDwWsS]|[pP](?:\{[^}]*\}|[A-Z]))/y, pattern, at) ??
    sticky(/\\(?<again>[1-9]\d*|[gk](?:\{[^}]*\}|<[^>]*>|'[^']*'|-?\d+))/y, pattern, at) ??
    sticky(/\\(?<sign>[^a-zA-Z0-9])/uy, pattern, at);
  if (!found) return undefined;
  const { nothing, any, again, sign } = found.groups ?? {};
  const end = at + found[0].length;
  if (nothing !== undefined) return { text: NOTHING, end };
  if (any !== undefined) return { text: ANY, end };
  if (again !== undefined) return { text: `(?:${ANY}*)`, end };
  if (sign !== undefined) return { text: `\\x{${(sign.codePointAt(0) ?? 0).toString(16)}}`, end };
  return { text: found[0], end };
}

function groupAt(pattern: string, at: number): Part | undefined {
  if (sticky(/\(\?<?[=!]/y, pattern, at)) {
    const end = groupEnd(pattern, at);
    return end === undefined ? undefined : { text: NOTHING, end };
  }
  const [other] = sticky(/\(\?(?:[>|:]|P?<\w+>|'\w+')/y, pattern, at) ?? [];
  if (other !== undefined) return { text: "(?:", end: at + other.length };
  const [flags] = sticky(/\(\?[imsU]*(?:-[imsU]+)?[:)]/y, pattern, at) ?? [];
  if (flags !== undefined) return { text: flags, end: at + flags.length };
  return pattern[at + 1] === "?" ? undefined : { text: "(?:", end: at + 1 };
}

/** Behind the parenthesis that ends the group. */
function groupEnd(pattern: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === "\\") at++;
    else if (sign === "[") {
      const end = classEnd(pattern, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0) return at + 1;
  }
  return undefined;
}

function classEnd(pattern: string, at: number): number | undefined {
  const [found] = sticky(/\[\^?\]?(?:\\.|\[[:.=][^\]]*[:.=]\]|[^\]\\])*\]/suy, pattern, at) ?? [];
  return found === undefined ? undefined : at + found.length;
}

function sticky(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}
