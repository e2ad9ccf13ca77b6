/**
 * JSON laid out for a reader, with every value as it was written: a number that no computer holds, a name that stands twice and the
 * order of names mean something to whoever wrote them.
 *
 * Usual mistake: to parse it and write it anew.
 */
import { MAX_PAGE_CHARS } from "./page-read.ts";

/** Every line is indented by its depth, so deeper text would grow by its square. */
const MAX_DEPTH = 500;

/** `undefined` for what is no JSON, or is nested too deep to be read. What is longer than any answer is not laid out to its end. */
export function layOutJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const parts: string[] = [];
  let [depth, size] = [0, 0];
  for (let at = 0; at < text.length && size <= MAX_PAGE_CHARS;) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    at = end;
    if (token.trim() === "") continue;
    const isOpening = token === "{" || token === "[";
    if (isOpening) depth++;
    if (depth > MAX_DEPTH) return undefined;
    const isClosing = token === "}" || token === "]";
    if (isClosing) depth--;
    const before = parts.at(-1) ?? "";
    const isEmpty = isClosing && /[{[]\n *$/.test(before);
    if (isEmpty) {
      parts.pop();
      size -= before.length;
    }
    const part = isEmpty ? before.trimEnd() + token : layOut(token, `\n${"  ".repeat(depth)}`);
    parts.push(part);
    size += part.length;
  }
  return parts.join("");
}

function layOut(token: string, line: string): string {
  switch (token) {
    case "{":
    case "[":
    case ",":
      return token + line;
    case "}":
    case "]":
      return line + token;
    case ":":
      return ": ";
    default:
      return token;
  }
}

/** White space up to the next token counts as one. */
function endOfToken(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (/[{}[\],:]/.test(text.charAt(start))) return start + 1;
  const isBlank = /\s/.test(text.charAt(start));
  let at = start + 1;
  while (at < text.length && !/["{}[\],:]/.test(text.charAt(at)) && /\s/.test(text.charAt(at)) === isBlank) at++;
  return at;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const sign = text.charAt(at);
    if (sign === '"') return at + 1;
    if (sign === "\\") at++;
  }
}
