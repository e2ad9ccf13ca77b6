/**
 * The globs of `deny`, which are relative to each root, or absolute. What could deny nothing is refused: whoever wrote it believes
 * that something is closed.
 *
 * An absolute glob holds as it is written and with the links on its way resolved, because a root is known by its real path while
 * a home directory is often named by a link. A relative one is about names in a root, and no link is looked up for it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/index.ts";
import { canLieIn, findOddName, type OddName, plainPattern, plainTextOf } from "../pattern/index.ts";
import { globOverRoot, type RootSpec } from "../scope/index.ts";
import { absolute, canonical } from "./config-files.ts";
import { expandHome } from "./environment.ts";

/**
 * Slashes at the end and twice add nothing: what is below a match is denied with it.
 * @returns the glob and its other spellings
 * @throws Failure `invalid_input`
 */
export function parseDeny(given: string): readonly string[] {
  // An escaped slash is a slash.
  const glob = expandHome(given).replaceAll(/\\([^])/g, (escaped, sign) => (sign === "/" ? "/" : escaped));
  const names = glob.split("/").filter((name) => name !== "" && name !== ".");
  // In a home directory they would be taken away before its links are resolved.
  if ([...names, ...given.split("/")].includes("..")) throw refused(given, "no path below a root has .. in it");
  if (names.length === 0 || glob.startsWith("!")) throw refused(given, "it would not deny what it names");
  const whole = `${glob.startsWith("/") ? "/" : ""}${names.join("/")}`
    .replace(LAST_BRACES, (choices) => choices.replaceAll(/\/+(?=[,}])/g, ""))
    .replace(LAST_PARENTHESES, (choices) => choices.replaceAll(/\/+(?=[|)])/g, ""));
  const odd = findOddName(whole);
  if (odd === "" && offersAbsolute(glob)) throw refused(given, "an absolute path cannot stand in a group");
  if (odd !== undefined)
    throw refused(given, `it names a path with ${ODD_NAMES[odd]} in it, which closes nothing`, PLAINLY);
  return whole.startsWith("/") ? spellingsOf(whole) : [whole];
}

/** A group at the end that holds no other one, and nothing that an escape or a class could make something else of. */
const LAST_BRACES = /(?<!\\)\{[^{}()[\]\\]*,[^{}()[\]\\]*\}$/;
const LAST_PARENTHESES = /(?<!\\)\([^{}()[\]\\]*\)$/;

const ODD_NAMES: Readonly<Record<OddName, string>> = { "": "an empty name", ".": '"."', "..": '".."' };
const PLAINLY =
  'Write every name plainly, without "." and "..", and no slash at the beginning or the end of a choice: {a,b/c} for {./a,b/c/}.';

/** An absolute glob, and what it is with the links resolved that stand in its beginning, one after the other. */
function spellingsOf(glob: string): readonly string[] {
  const spellings = [glob];
  const names = glob.slice(1).split("/");
  let at = "/";
  for (const [index, name] of names.entries()) {
    const named = [name, plainTextOf(name) ?? name].map((text) => join(at, text)).find((path) => existsSync(path));
    // Behind what is not there, no link stands.
    if (named === undefined) break;
    at = canonical(named);
    if (at === named) continue;
    const own = at === "/" ? [] : at.slice(1).split("/").map(plainPattern);
    const all = [...own, ...names.slice(index + 1)];
    // A link to everything closes everything.
    spellings.push(`/${all.length === 0 ? "**" : all.join("/")}`);
  }
  return spellings;
}

/** Whether a group at the beginning has a choice that begins with a slash: as no path below a root does. */
function offersAbsolute(glob: string): boolean {
  /** For each group that is open: whether its choices stand at the beginning. */
  const groups: boolean[] = [];
  let isBeginning = true;
  for (const sign of glob.matchAll(/\\?[^]/g).map(([text]) => text)) {
    if (sign === "{" || sign === "(") groups.push(isBeginning);
    else if (sign === "," || sign === "|") isBeginning = groups.at(-1) === true;
    else if (sign === "/" && isBeginning && groups.length > 0) return true;
    else if (!"@?*+!".includes(sign)) isBeginning = false;
    if (sign === "}" || sign === ")") groups.pop();
  }
  return false;
}

/** @throws Failure `invalid_input` for an absolute glob that leaves nothing of a root, or lies in none */
export function checkDeny(given: readonly string[], roots: readonly RootSpec[]): void {
  const [problem] = denyProblems(given, roots);
  if (problem) throw refused(problem.glob, problem.why);
}

export interface DenyProblem {
  readonly glob: string;
  readonly why: string;
}

/** What is wrong with absolute globs in these roots, as they were given, those that close too much first. */
export function denyProblems(given: readonly string[], roots: readonly RootSpec[]): readonly DenyProblem[] {
  const absolutes = given
    .map((glob) => ({ glob, spellings: parseDeny(glob) }))
    .filter(({ spellings }) => spellings[0]?.startsWith("/"));
  // Most hosts have none, and need not ask where their roots lie.
  if (absolutes.length === 0) return [];
  const named = roots.map(({ path }) => ({ path, tops: [absolute(path), canonical(absolute(path))] }));
  const tops = named.flatMap((root) => root.tops);
  const over = absolutes.flatMap(({ glob, spellings }): DenyProblem[] => {
    const root = named.find((one) => one.tops.some((top) => globOverRoot(spellings, top) !== undefined));
    return root ? [{ glob, why: `it leaves nothing of the root ${JSON.stringify(root.path)}` }] : [];
  });
  const stray = absolutes.filter(({ spellings }) => !spellings.some((one) => tops.some((top) => canLieIn(one, top))));
  return [...over, ...stray.map(({ glob }) => ({ glob, why: "it lies in no root" }))];
}

function refused(glob: string, why: string, hint: string = WHERE): Failure {
  return new Failure("invalid_input", `Cannot start: --deny ${JSON.stringify(glob)} cannot be used: ${why}`, { hint });
}

const WHERE =
  "Give a glob relative to the root, such as secrets or **/*.pem, or the absolute path of something in a root.";
