/**
 * The globs of `deny`, which are relative to each root, or absolute. What could deny nothing is refused: whoever wrote it believes
 * that something is closed, and a path through a link would close nothing.
 */
import { Failure } from "../base/index.ts";
import { canLieIn } from "../pattern/index.ts";
import { globOverRoot, type RootSpec } from "../scope/index.ts";
import { absolute, canonical } from "./config-files.ts";
import { expandHome } from "./environment.ts";

/** Slashes at the end and twice add nothing: what is below a match is denied with it. @throws Failure `invalid_input` */
export function parseDeny(given: string): string {
  const glob = expandHome(given);
  const names = glob.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw refused(given, "no path below a root has .. in it");
  if (names.length === 0 || glob.startsWith("!")) throw refused(given, "it would not deny what it names");
  if (offersAbsolute(glob)) throw refused(given, "an absolute path cannot stand in a group");
  return `${glob.startsWith("/") ? "/" : ""}${names.join("/")}`.replace(LAST_GROUP, (choices) =>
    choices.replaceAll(/\/+(?=[,|})])/g, ""),
  );
}

/** A group at the end that holds no other one. */
const LAST_GROUP = /[{(][^{}()]*[})]$/;

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
export function checkDeny(globs: readonly string[], roots: readonly RootSpec[]): void {
  const [problem] = denyProblems(globs, roots);
  if (problem) throw refused(problem.glob, problem.why);
}

export interface DenyProblem {
  readonly glob: string;
  readonly why: string;
}

/** What is wrong with absolute globs in these roots, those that close too much first. */
export function denyProblems(globs: readonly string[], roots: readonly RootSpec[]): readonly DenyProblem[] {
  const absolutes = globs.filter((glob) => glob.startsWith("/"));
  // Most hosts have none, and need not ask where their roots lie.
  if (absolutes.length === 0) return [];
  const named = roots.map(({ path }) => ({ path, tops: [absolute(path), canonical(absolute(path))] }));
  const over = named.flatMap(({ path, tops }): DenyProblem[] => {
    const glob = tops.map((top) => globOverRoot(absolutes, top)).find((one) => one !== undefined);
    return glob === undefined ? [] : [{ glob, why: `it leaves nothing of the root ${JSON.stringify(path)}` }];
  });
  const stray = absolutes.filter((glob) => !named.some(({ tops }) => tops.some((top) => canLieIn(glob, top))));
  return [...over, ...stray.map((glob) => ({ glob, why: "it lies in no root" }))];
}

function refused(glob: string, why: string): Failure {
  return new Failure("invalid_input", `Cannot start: --deny ${JSON.stringify(glob)} cannot be used: ${why}`, {
    hint: "Give a glob relative to the root, such as secrets or **/*.pem, or the absolute path of something in a root.",
  });
}
