/**
 * From a caller's string to a root and the path below it. Lexical only: it decides which root is meant and refuses what
 * can mean nothing; whether the object is inside is decided by the handle that opens it, never here.
 *
 * One form: no trimming, no `~`, no variables, no percent decoding, no Unicode folding. `..` stays, because what it
 * means after a link only the kernel knows.
 */
import { Failure, limits } from "../base/index.ts";
import { nameToBytes } from "../sys/index.ts";
import { readName, showAsked } from "./names.ts";

/** A root as parsing needs it. `spellings` are the absolute paths under which callers may name it. */
export interface NamedRoot {
  readonly spellings: readonly string[];
}

export interface ParsedPath {
  /** Index of the root. */
  readonly root: number;
  /** Path below the root without leading or trailing slashes; "" is the root itself. May hold `..`. */
  readonly rel: string;
  /** The caller wrote a trailing slash, or `/.`: only a directory will do. */
  readonly mustBeDirectory: boolean;
}

/**
 * @param verb the word for messages: `Cannot <verb> "<path>": ...`
 * @param platform whose rules hold; only tests give another one
 * @throws Failure `invalid_input` for what cannot be a path, `outside_scope` for an absolute path in no root.
 */
export function parsePath(
  asked: string,
  roots: readonly NamedRoot[],
  verb: string,
  platform: string = process.platform,
): ParsedPath {
  const path = readName(asked);
  if (path === undefined) throw invalid(verb, asked, "a % escape after bytes: is broken");
  refuseImpossible(path, asked, verb);
  const isWindows = platform === "win32";
  if (isWindows) refuseOnWindows(path, asked, verb);
  const slashed = isWindows ? slashWindowsPath(path) : path;
  if (!(isWindows ? /^(?:[A-Za-z]:)?\// : /^\//).test(slashed)) return { root: 0, ...splitRelative(slashed) };
  // Both slashes separate there, and case does not matter in the name of a root.
  const compared = (text: string): string => (isWindows ? slashWindowsPath(text).toLowerCase() : text);
  const found = longestRoot(compared(path), roots, compared);
  if (!found) throw outsideScope(verb, asked);
  return { root: found.root, ...splitRelative(slashed.slice(found.length)) };
}

function refuseOnWindows(path: string, asked: string, verb: string): void {
  const refusal = refuseWindowsPath(path);
  if (!refusal) return;
  if (refusal.code === "outside_scope") throw outsideScope(verb, asked);
  const hint = "hint" in refusal ? { hint: refusal.hint } : {};
  throw new Failure(refusal.code, `Cannot ${verb} "${quotable(asked)}": ${refusal.state}`, hint);
}

/** The one answer for everything outside, whether or not it exists. */
export function outsideScope(verb: string, asked: string): Failure {
  return new Failure("outside_scope", `Cannot ${verb} "${quotable(asked)}": it is outside the roots`);
}

/** A caller's own text, short and without control characters, for messages. */
export function quotable(asked: string): string {
  const shown = showAsked(asked.toWellFormed());
  return shown.length > 300 ? `${shown.slice(0, 300).replace(/[\ud800-\udbff]$/, "")}...` : shown;
}

function refuseImpossible(path: string, asked: string, verb: string): void {
  if (path === "") throw invalid(verb, asked, "the path is empty", 'Use "." for the root itself.');
  if (path.includes("\0")) throw invalid(verb, asked, "a path cannot hold a NUL character");
  if (!asked.isWellFormed()) throw invalid(verb, asked, "the path holds half a surrogate pair");
  if (path === "~" || path.startsWith("~/"))
    throw invalid(verb, asked, "~ is not expanded", `For a file named "~" write "./~".`);
  if (Buffer.byteLength(path) > limits.MAX_PATH_BYTES && nameToBytes(path).length > limits.MAX_PATH_BYTES)
    throw invalid(verb, asked, `the path is longer than ${limits.MAX_PATH_BYTES} bytes`);
  if (path.length > limits.MAX_NAME_BYTES / 4) {
    for (const name of path.split("/"))
      if (nameToBytes(name).length > limits.MAX_NAME_BYTES)
        throw invalid(verb, asked, `a name in it is longer than ${limits.MAX_NAME_BYTES} bytes`);
  }
}

function longestRoot(
  path: string,
  roots: readonly NamedRoot[],
  compared: (spelling: string) => string,
): { root: number; length: number } | undefined {
  let best: { root: number; length: number } | undefined;
  roots.forEach((root, index) => {
    for (const spelling of root.spellings.map(compared)) {
      const inside = path === spelling || path.startsWith(spelling.endsWith("/") ? spelling : `${spelling}/`);
      if (inside && (!best || spelling.length > best.length)) best = { root: index, length: spelling.length };
    }
  });
  return best;
}

function splitRelative(path: string): { rel: string; mustBeDirectory: boolean } {
  const names = path.split("/");
  const last = names.at(-1);
  const mustBeDirectory = names.length > 1 && (last === "" || last === "." || last === "..");
  return { rel: names.filter((name) => name !== "" && name !== ".").join("/"), mustBeDirectory };
}

function invalid(verb: string, asked: string, state: string, hint?: string): Failure {
  return new Failure("invalid_input", `Cannot ${verb} "${quotable(asked)}": ${state}`, hint ? { hint } : {});
}

/**
 * What Windows would make of a path, told from its text alone and before anything is opened: opening a share already sends
 * credentials, and opening `NUL` or `a.txt:stream` opens something that no listing shows. The rules are the same on every
 * system, so that they are tested everywhere. A short name (`PROGRA~1`) is refused because it is a second name that deny rules
 * do not know; a file that really has such a name is out of reach as well.
 * Not decided here: `..` and junctions, which only the walk can follow, and a share as a root, whose paths are relative.
 * https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
 */
export type WindowsRefusal =
  /** Nothing can have this name, or it is never meant. */
  | { readonly code: "invalid_input"; readonly state: string; readonly hint: string }
  /** Something can be there, and it is no file of a root: a device or a stream. */
  | { readonly code: "denied"; readonly state: string }
  /** Another name space: a share, a device, another drive's own directory. */
  | { readonly code: "outside_scope" };

/** Why a path with the slashes of Windows cannot be used, or `undefined` when nothing speaks against it. */
export function refuseWindowsPath(path: string): WindowsRefusal | undefined {
  // Two slashes of any kind: a share, `\\?\`, `\\.\`. `\??\` is the same for the kernel.
  if (/^[\\/]{2}|^[\\/]\?\?[\\/]/.test(path)) return { code: "outside_scope" };
  // `C:x` is relative to a directory that this process happens to have on that drive.
  if (/^[A-Za-z]:(?![\\/])/.test(path)) return { code: "outside_scope" };
  for (const name of path.replace(/^[A-Za-z]:/, "").split(/[\\/]/)) {
    const refusal = name === "" || name === "." || name === ".." ? undefined : refuseName(name);
    if (refusal) return refusal;
  }
  return undefined;
}

/** One kind of slash, and no verbatim prefix: the form in which paths are compared. */
export function slashWindowsPath(path: string): string {
  return path
    .replace(/^\\(?:\\|\?)\?\\UNC\\/i, "\\\\")
    .replace(/^\\(?:\\|\?)\?\\/, "")
    .replaceAll("\\", "/");
}

/** COM and LPT also with superscript digits, which the system folds. */
const RESERVED = /^(?:CON|PRN|AUX|NUL|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3]|CONIN\$|CONOUT\$)$/i;
const FORBIDDEN = /[<>|?*"\u0001-\u001f]/;
/** Six characters, a tilde and a number, or fewer with a longer number, and an extension of three. */
const SHORT = /^(?=[^.]{3,8}(?:\.|$))[^.~]{1,6}~[0-9]{1,6}(?:\.[^.]{0,3})?$/;

/** At the end. */
function withoutSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  return text.slice(0, end);
}

function refuseName(name: string): WindowsRefusal | undefined {
  const base = withoutSpaces(/^[^.:]*/.exec(name)?.[0] ?? "");
  if (RESERVED.test(base)) return { code: "denied", state: "a name in it is that of a device" };
  if (name.includes(":")) return { code: "denied", state: "a name cannot hold a colon here, which names a stream" };
  const state = FORBIDDEN.test(name)
    ? 'a name cannot hold control characters or any of <>|?*" here'
    : /[. ]$/.test(name)
      ? "a name cannot end in a dot or a space here"
      : SHORT.test(name)
        ? "a name in it has the form of a short (8.3) name"
        : undefined;
  const hint = "List the directory and give a name as it stands there.";
  return state === undefined ? undefined : { code: "invalid_input", state, hint };
}
