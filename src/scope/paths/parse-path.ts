/**
 * From a caller's string to a root and the path below it. Lexical only: it decides which root is meant and refuses what
 * can mean nothing; whether the object is inside is decided by the handle that opens it, never here.
 *
 * One form: no trimming, no `~`, no variables, no percent decoding, no Unicode folding. `..` stays, because what it
 * means after a link only the kernel knows.
 */
import { Failure, limits } from "../../base/index.ts";
import { nameToBytes } from "../../sys/index.ts";
import { readName, showName } from "./names.ts";
import { refuseWindowsPath, slashWindowsPath } from "./windows-path.ts";

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
  if (platform === "win32") return parseWindowsPath(path, asked, roots, verb);
  return parseSlashPath(path, asked, roots, verb);
}

/** Both slashes separate, case does not matter in the name of a root, and `windows-path.ts` refuses what is no path. */
function parseWindowsPath(path: string, asked: string, roots: readonly NamedRoot[], verb: string): ParsedPath {
  const refusal = refuseWindowsPath(path);
  if (refusal?.code === "outside_scope") throw outsideScope(verb, asked);
  if (refusal) {
    const hint = "hint" in refusal ? { hint: refusal.hint } : {};
    throw new Failure(refusal.code, `Cannot ${verb} "${quotable(asked)}": ${refusal.state}`, hint);
  }
  const slashed = slashWindowsPath(path);
  if (!/^(?:[A-Za-z]:)?\//.test(slashed)) return { root: 0, ...splitRelative(slashed) };
  const folded = roots.map(({ spellings }) => ({
    spellings: spellings.map((one) => slashWindowsPath(one).toLowerCase()),
  }));
  const found = longestRoot(slashed.toLowerCase(), folded);
  if (!found) throw outsideScope(verb, asked);
  return { root: found.root, ...splitRelative(slashed.slice(found.length)) };
}

function parseSlashPath(path: string, asked: string, roots: readonly NamedRoot[], verb: string): ParsedPath {
  if (!path.startsWith("/")) return { root: 0, ...splitRelative(path) };
  const found = longestRoot(path, roots);
  if (!found) throw outsideScope(verb, asked);
  return { root: found.root, ...splitRelative(path.slice(found.length)) };
}

/** The one answer for everything outside, whether or not it exists. */
export function outsideScope(verb: string, asked: string): Failure {
  return new Failure("outside_scope", `Cannot ${verb} "${quotable(asked)}": it is outside the roots`);
}

/** A caller's own text, short and without control characters, for messages. */
export function quotable(asked: string): string {
  const shown = showName(asked.toWellFormed());
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

function longestRoot(path: string, roots: readonly NamedRoot[]): { root: number; length: number } | undefined {
  let best: { root: number; length: number } | undefined;
  roots.forEach((root, index) => {
    for (const spelling of root.spellings) {
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
