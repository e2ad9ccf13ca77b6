/**
 * One setting out of the text of a git configuration: the file of more ignore rules. Includes are not followed, and "~" is
 * nobody here: what lies in a home is not the scope's business.
 * https://git-scm.com/docs/git-config#_syntax
 */

/** The last `core.excludesFile`, as it is written; `undefined` when there is none, or it is empty or in a home. */
export function excludesFileIn(text: string): string | undefined {
  let section = "";
  let found: string | undefined;
  for (const line of text.replaceAll(/\\\r?\n/g, "").split(/\r?\n/)) {
    // A setting may stand behind its section's name.
    const [, name, rest = ""] = /^\s*\[\s*([^\]\s"]+)\s*\](.*)$/.exec(line) ?? [undefined, undefined, line];
    if (name !== undefined) section = name.toLowerCase();
    else if (/^\s*\[/.test(line)) section = "";
    const [, value] = /^\s*excludesfile\s*=(.*)$/i.exec(rest) ?? [];
    if (section === "core" && value !== undefined) found = valueOf(value);
  }
  return found === undefined || found === "" || found.startsWith("~") ? undefined : found;
}

/** Quotes are taken off, a comment ends it, and a backslash takes the next sign as it is. */
function valueOf(text: string): string {
  let value = "";
  let kept = 0;
  let isQuoted = false;
  const signs = text.trimStart();
  for (let at = 0; at < signs.length; at++) {
    const sign = signs.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === "#" || sign === ";")) break;
    else {
      value += sign === "\\" ? signs.charAt(++at) : sign;
      if (isQuoted || !/\s/.test(sign)) kept = value.length;
    }
  }
  return value.slice(0, kept);
}
