/**
 * The configuration of a repository without everything that could run a program, reach a network or lead elsewhere: a list of
 * keys that are known to say only how things are stored and which branch follows which. What is not in the list does not exist
 * for git, so a key that a later version invents is inert too. Includes are never followed.
 *
 * Usual mistake: to switch off the keys that are known to be dangerous. Filters, aliases and drivers have names of their own.
 */

/** Keys as `section.name`, in lower case, with the values that they may have. */
const KEPT: Readonly<Record<string, RegExp>> = {
  "core.repositoryformatversion": /^[01]$/,
  "core.filemode": /^(?:true|false)$/i,
  "core.ignorecase": /^(?:true|false)$/i,
  "core.precomposeunicode": /^(?:true|false)$/i,
  "core.symlinks": /^(?:true|false)$/i,
  "core.autocrlf": /^(?:true|false|input)$/i,
  "core.eol": /^(?:lf|crlf|native)$/i,
  "core.sparsecheckout": /^(?:true|false)$/i,
  "core.sparsecheckoutcone": /^(?:true|false)$/i,
  "extensions.objectformat": /^\w{1,20}$/,
  "extensions.refstorage": /^\w{1,20}$/,
  "index.version": /^\d$/,
  "user.name": /^[^\u0000-\u001f<>]{1,200}$/,
  "user.email": /^[^\u0000-\u001f<>]{1,200}$/,
};

/** Keys of sections that have a name of their own. */
const KEPT_NAMED: Readonly<Record<string, RegExp>> = {
  "branch.remote": /^[\w./-]{1,200}$/,
  "branch.merge": /^refs\/[^\u0000-\u0020]{1,300}$/,
  "remote.fetch": /^\+?refs\/[^\u0000-\u0020]{1,600}$/,
};

/** More is not read: a configuration has kilobytes. */
const MAX_ENTRIES = 5000;

/** What git is given besides: nothing else runs, whatever the built-in defaults will be. */
const FIXED = `[core]
\tfsmonitor = false
\thooksPath = /dev/null
\tpager = cat
\teditor = false
\taskPass = false
\tuntrackedCache = false
\talternateRefsCommand = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
[protocol]
\tallow = never
[submodule]
\trecurse = false
[diff]
\tignoreSubmodules = dirty
[status]
\tsubmoduleSummary = false
[log]
\tshowSignature = false
[commit]
\tgpgSign = false
[gpg]
\tprogram = false
[gpg "ssh"]
\tprogram = false
[gpg "x509"]
\tprogram = false
[i18n]
\tlogOutputEncoding = UTF-8
[advice]
\tdetachedHead = false
`;

/** @param texts of configuration files, the later ones stronger; what cannot be read in one is left out */
export function inertConfig(texts: readonly string[]): string {
  const lines = texts.flatMap((text) => entriesOf(text)).map(writeEntry);
  return `${lines.join("")}${FIXED}`;
}

interface Entry {
  readonly section: string;
  readonly subsection: string | undefined;
  readonly name: string;
  readonly value: string;
}

/** Pure text: one pass over the lines, whatever they hold. */
function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  let [section, subsection]: [string, string | undefined] = ["", undefined];
  for (const line of text.replaceAll("\r\n", "\n").replaceAll("\\\n", "").split("\n")) {
    if (entries.length >= MAX_ENTRIES) break;
    const header = /^\s*\[\s*([A-Za-z0-9.-]{1,100})(?:\s+"((?:[^"\\]|\\.){0,300})")?\s*\](.*)$/.exec(line);
    if (header) {
      section = (header[1] ?? "").toLowerCase();
      subsection = header[2]?.replaceAll(/\\(.)/g, "$1");
    } else if (/^\s*\[/.test(line)) [section, subsection] = ["", undefined];
    const [, name, value] = /^\s*([A-Za-z][A-Za-z0-9-]{0,100})\s*(?:=(.{0,4000}))?$/.exec(header?.[3] ?? line) ?? [];
    if (name === undefined) continue;
    const entry = { section, subsection, name: name.toLowerCase(), value: valueOf(value ?? "true") };
    if (isKept(entry)) entries.push(entry);
  }
  return entries;
}

function valueOf(text: string): string {
  let [out, isQuoted] = ["", false];
  for (const [part] of text.trim().matchAll(/\\.|[^\\]/g)) {
    if (part === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (part === "#" || part === ";")) break;
    else out += part.length > 1 ? part.slice(1) : part;
  }
  return out.trim();
}

function isKept({ section, subsection, name, value }: Entry): boolean {
  const [kept, key] = [subsection === undefined ? KEPT : KEPT_NAMED, `${section}.${name}`];
  const isPlain = subsection === undefined || !/[\u0000-\u001f]/.test(subsection);
  return isPlain && Object.hasOwn(kept, key) && kept[key]?.test(value) === true;
}

function writeEntry({ section, subsection, name, value }: Entry): string {
  return `[${section}${subsection === undefined ? "" : ` ${quoted(subsection)}`}]\n\t${name} = ${quoted(value)}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
