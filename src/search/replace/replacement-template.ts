/**
 * The replacement of a match, as the regex crate documents it: `$1` and `$name` are groups, with the longest name of letters,
 * digits and underscores; `${1}` and `${name}` say where the name ends; `$0` is the match, `$$` a dollar sign, and any other
 * dollar sign stands for itself. The crate writes nothing for a group that the pattern does not have. Here that is refused,
 * because in most other engines `$1_x` is group 1 and then `_x`.
 */
import { Failure } from "../../base/index.ts";
import { withEnding } from "../../text/index.ts";

export interface ReplacementTemplate {
  /** The groups that it names, each once. */
  readonly used: readonly number[];
  /** @param texts of the used groups @param ending that lines of the file have, where the template's own are to be such */
  readonly fill: (texts: readonly string[], ending: "\n" | "\r\n" | "\r" | undefined) => string;
}

const REFERENCE = /\$(?:(?<dollar>\$)|(?<plain>\w+)|\{(?<braced>[^}]*)\})/gsu;

/** @param groups their names by number @throws Failure `invalid_input` for a group that there is not */
export function parseTemplate(
  replacement: string,
  groups: readonly (string | null)[],
  isLiteral: boolean,
): ReplacementTemplate {
  const parts: (string | number)[] = [];
  const used: number[] = [];
  let at = 0;
  for (const found of isLiteral ? [] : replacement.matchAll(REFERENCE)) {
    const { dollar, plain, braced } = found.groups ?? {};
    parts.push(replacement.slice(at, found.index));
    at = found.index + found[0].length;
    if (dollar !== undefined) {
      parts.push("$");
      continue;
    }
    const group = groupOf(plain ?? braced ?? "", groups, found[0]);
    if (!used.includes(group)) used.push(group);
    parts.push(used.indexOf(group));
  }
  parts.push(replacement.slice(at));
  const hasLines = /[\r\n]/.test(replacement);
  return {
    used,
    fill: (texts, ending) =>
      parts
        .map((part) => {
          if (typeof part === "number") return texts[part] ?? "";
          return hasLines && ending !== undefined ? withEnding(part, ending) : part;
        })
        .join(""),
  };
}

function groupOf(name: string, groups: readonly (string | null)[], written: string): number {
  const group = /^\d+$/.test(name) ? Number(name) : groups.indexOf(name);
  if (group >= 0 && group < groups.length) return group;
  throw new Failure("invalid_input", `Cannot replace with "${written}": the pattern has no group "${name}"`, {
    hint: hintFor(name, groups),
  });
}

function hintFor(name: string, groups: readonly (string | null)[]): string {
  const digits = /^\d+/.exec(name)?.[0];
  if (digits !== undefined && digits !== name && Number(digits) < groups.length)
    return `Write \${${digits}}${name.slice(digits.length)} for group ${digits} and the text behind it.`;
  const names = groups.filter((one) => one !== null);
  const there =
    groups.length === 1 ? "It has no groups" : `It has the groups ${[...groups.keys()].slice(1).join(", ")}`;
  return `${there}${names.length > 0 ? `, and the names ${names.join(", ")}` : ""}. Write $$ for a dollar sign.`;
}
