/**
 * A regular expression of JavaScript as a tree, as far as the project's own expressions go; what is not known is an error,
 * never another meaning. Classes and escapes stay text: the runtime says itself which character they hold.
 */

export type Expression =
  | { readonly kind: "character"; readonly source: string }
  | { readonly kind: "edge"; readonly sign: "^" | "$" | "\\b" | "\\B" }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Expression[] }
  | { readonly kind: "group"; readonly index: number; readonly body: Expression }
  | { readonly kind: "again"; readonly index: number }
  | { readonly kind: "look"; readonly isBehind: boolean; readonly isNot: boolean; readonly body: Expression }
  | {
      readonly kind: "repeat";
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
      readonly body: Expression;
    };

interface Reader {
  readonly source: string;
  at: number;
  groups: number;
}

export function parseExpression(source: string): { readonly root: Expression; readonly groups: number } {
  const reader: Reader = { source, at: 0, groups: 0 };
  const root = readChoice(reader);
  if (reader.at < source.length) throw unknown(reader);
  return { root, groups: reader.groups };
}

function readChoice(reader: Reader): Expression {
  const parts = [readSequence(reader)];
  while (take(reader, /\|/y)) parts.push(readSequence(reader));
  const [only] = parts;
  return only && parts.length === 1 ? only : { kind: "choice", parts };
}

function readSequence(reader: Reader): Expression {
  const parts: Expression[] = [];
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source.charAt(reader.at)))
    parts.push(readRepeat(reader, readAtom(reader)));
  return { kind: "sequence", parts };
}

function readRepeat(reader: Reader, body: Expression): Expression {
  const sign = take(reader, /[*+?]|\{(\d+)(,?)(\d*)\}/y);
  if (!sign) return body;
  const isLazy = take(reader, /\?/y) !== undefined;
  const [all, from = "", comma = "", to = ""] = sign;
  const [least, most] =
    all === "*"
      ? [0, Infinity]
      : all === "+"
        ? [1, Infinity]
        : all === "?"
          ? [0, 1]
          : [Number(from), comma === "" ? Number(from) : to === "" ? Infinity : Number(to)];
  return { kind: "repeat", least, most, isLazy, body };
}

function readAtom(reader: Reader): Expression {
  const edge = take(reader, /[$^]|\\[bB]/y)?.[0];
  if (edge !== undefined) return { kind: "edge", sign: edge as "^" };
  const look = take(reader, /\(\?(<?)([=!])/y);
  if (look) return { kind: "look", isBehind: look[1] === "<", isNot: look[2] === "!", body: readBody(reader) };
  if (take(reader, /\(\?:/y)) return readBody(reader);
  if (take(reader, /\((?:\?<\w+>|(?!\?))/y)) {
    const index = ++reader.groups;
    return { kind: "group", index, body: readBody(reader) };
  }
  const again = take(reader, /\\([1-9])/y)?.[1];
  if (again !== undefined) return { kind: "again", index: Number(again) };
  const character = take(
    reader,
    /\[\^?(?:\\[^]|[^\]\\])*\]|\\(?:u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|[pP]\{\w+\}|x[\da-fA-F]{2}|c[A-Za-z]|[^1-9bBcpPkux])|[^()[\]*+?|\\]/y,
  )?.[0];
  if (character === undefined) throw unknown(reader);
  return { kind: "character", source: character };
}

function readBody(reader: Reader): Expression {
  const body = readChoice(reader);
  if (!take(reader, /\)/y)) throw unknown(reader);
  return body;
}

/** @param form sticky */
function take(reader: Reader, form: RegExp): RegExpExecArray | undefined {
  form.lastIndex = reader.at;
  const found = form.exec(reader.source);
  if (!found) return undefined;
  reader.at += found[0].length;
  return found;
}

function unknown({ source, at }: Reader): Error {
  return new Error(`/${source}/ cannot be counted: what stands at ${at} is not known`);
}
