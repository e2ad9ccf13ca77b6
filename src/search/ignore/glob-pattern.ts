/**
 * A caller's glob, checked and compiled: braces written out, each form matched name by name against paths below the
 * start, so `*.ts` is the top level only and `**` as a whole segment any number of directories. A trailing `**` needs
 * at least one name. The state after a directory is a small bit set, so a walk pays only for the last name and knows
 * which directories cannot hold a match.
 *
 * Refused: what could mean a place outside (`..`, drive letters) or nothing at all (empty, NUL). An absolute pattern is
 * split into the directory it names and the rest, and the directory goes through the scope like any path.
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import { compileSegment, type NameTest, type WildcardOptions } from "./wildcard.ts";

/** A longer pattern could match no path. */
const MAX_PATTERN_BYTES = 8192;

export interface GlobMatcher {
  readonly matchesIn: (directory: string) => (name: string) => boolean;
  readonly enters: (rel: string) => boolean;
  /** Directories that stand literally at the start of a pattern. */
  readonly isNamed: (rel: string) => boolean;
  /** A dot name is spelled out somewhere, so dot names have to be looked at. */
  readonly namesHidden: boolean;
}

/** For entries in the order of a walk: what a directory means for its names is worked out once. */
export function matchInOrder(
  matcher: GlobMatcher,
): (entry: { readonly directory: string; readonly name: string }) => boolean {
  let known = "";
  let matches = matcher.matchesIn(known);
  return ({ directory, name }) => {
    if (directory !== known) matches = matcher.matchesIn((known = directory));
    return matches(name);
  };
}

/** @param dot whether `*` matches dot names. @throws Failure `invalid_input`, `outside_scope` */
export function compileGlob(patterns: readonly string[], dot: boolean): GlobMatcher {
  const forms = patterns.flatMap((pattern) => checkedForms(pattern).map(normalForm));
  const namesHidden = forms.some((form) => /(?:^|\/)\.[^/]/.test(form));
  // When no pattern spells a dot name, the walk alone decides about them.
  const syntax = { dot: dot || !namesHidden, groups: true };
  const compiled = forms.map((form) => compilePath(form.split("/"), syntax) ?? tooManySegments(form));
  const states = createStates(compiled);
  const prefixes = forms.map((form) => `${literalPrefix(form).join("/")}/`);
  return {
    matchesIn(directory) {
      const before = states(directory);
      const tests = compiled.map((pattern, at) => pattern.lastName(before[at] ?? 0));
      const [only] = tests;
      return only !== undefined && tests.length === 1 ? only : (name) => tests.some((test) => test(name));
    },
    enters: (rel) => states(rel).some((state) => state !== 0),
    isNamed: (rel) => prefixes.some((prefix) => prefix.startsWith(`${rel}/`)),
    namesHidden,
  };
}

/** @throws Failure */
export function checkedForms(pattern: string): string[] {
  const refuse = (code: "invalid_input" | "outside_scope", state: string, hint?: string): Failure =>
    new Failure(code, `Cannot match "${quotable(pattern)}": ${state}`, hint ? { hint } : {});
  if (pattern === "") throw refuse("invalid_input", "the pattern is empty", 'Use "**/*" for every file.');
  if (pattern.includes("\0")) throw refuse("invalid_input", "a pattern cannot hold a NUL character");
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES)
    throw refuse("invalid_input", `it is longer than ${MAX_PATTERN_BYTES} bytes`);
  if (/^[A-Za-z]:[\\/]/.test(pattern)) throw refuse("outside_scope", "it starts with a drive letter");
  const forms = expandBraces(pattern);
  if (!forms) throw refuse("invalid_input", `its braces stand for more than ${MAX_EXPANSIONS} patterns`);
  if (forms.some((form) => form.split("/").includes("..")))
    throw refuse(
      "outside_scope",
      'a pattern cannot climb with ".."',
      "Give the directory as path, and a pattern below it.",
    );
  return forms;
}

/** An absolute pattern as the directory that it names literally, and the pattern below it. */
export function splitAbsolute(pattern: string): { directory: string; rest: string } | undefined {
  if (!pattern.startsWith("/")) return undefined;
  const names = pattern.split("/").filter((name) => name !== "");
  const literal = literalPrefix(names.join("/"));
  return { directory: `/${literal.join("/")}`, rest: names.slice(literal.length).join("/") || "**" };
}

/** The leading segments without any sign, the last segment never among them. */
function literalPrefix(form: string): string[] {
  const names = form.split("/").slice(0, -1);
  const first = names.findIndex((name) => /[*?[\]{}()!+@\\]/.test(name));
  return first < 0 ? names : names.slice(0, first);
}

function normalForm(form: string): string {
  const names = form.split("/").filter((name) => name !== "" && name !== ".");
  if (form.endsWith("/")) names.push("**");
  if (form.startsWith("/"))
    throw new Failure(
      "invalid_input",
      `Cannot match "${quotable(form)}": it is absolute, and only one pattern may be`,
      {
        hint: "Give the directory as path, and patterns below it.",
      },
    );
  return names.join("/");
}

function tooManySegments(form: string): never {
  throw new Failure("invalid_input", `Cannot match "${quotable(form)}": it has more than ${MAX_SEGMENTS} parts`);
}

/** The states after a directory. The last one is kept, because a walk asks for it again and again. */
function createStates(compiled: readonly PathPattern[]): (directory: string) => readonly number[] {
  const top = compiled.map((pattern) => pattern.start);
  let last = "";
  let lastStates: readonly number[] = top;
  return (directory) => {
    if (directory !== last) {
      const names = directory === "" ? [] : directory.split("/");
      lastStates = compiled.map((pattern) => names.reduce((state, name) => pattern.step(state, name), pattern.start));
      last = directory;
    }
    return lastStates;
  };
}

const MAX_EXPANSIONS = 1000;

function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  let open = [{ head: "", rest: pattern }];
  while (open.length > 0) {
    const next: typeof open = [];
    for (const { head, rest } of open) {
      const group = firstGroup(rest);
      if (!group) done.push(head + rest);
      else
        for (const choice of group.choices)
          next.push({ head: head + rest.slice(0, group.start), rest: choice + rest.slice(group.end) });
      if (done.length + next.length > MAX_EXPANSIONS) return undefined;
    }
    open = next;
  }
  return done;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

function firstGroup(text: string): Group | undefined {
  for (let at = 0; at < text.length; at = afterCharacter(text, at)) {
    if (text[at] !== "{") continue;
    const cuts = cutsOf(text, at);
    if (!cuts) continue;
    const parts = cuts.slice(1).map((cut, index) => text.slice((cuts[index] ?? 0) + 1, cut));
    const end = (cuts.at(-1) ?? at) + 1;
    return { start: at, end, choices: (parts.length === 1 && rangeOf(parts[0] ?? "")) || parts };
  }
  return undefined;
}

/** Positions of the `{`, of its own commas, and of its `}`. */
function cutsOf(text: string, open: number): number[] | undefined {
  const cuts = [open];
  let depth = 0;
  for (let at = open + 1; at < text.length; at = afterCharacter(text, at)) {
    const sign = text[at];
    if (sign === "{") depth++;
    else if (sign === "," && depth === 0) cuts.push(at);
    else if (sign === "}" && depth-- === 0) return [...cuts, at];
  }
  return undefined;
}

function afterCharacter(text: string, at: number): number {
  if (text[at] === "\\") return at + 2;
  if (text[at] !== "[") return at + 1;
  const first = text[at + 1] === "!" || text[at + 1] === "^" ? at + 2 : at + 1;
  const close = text.indexOf("]", first + 1);
  return close < 0 || text.slice(at, close).includes("/") ? at + 1 : close + 1;
}

function rangeOf(text: string): string[] | undefined {
  const numbers = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(text);
  if (numbers) {
    const [, from = "", to = ""] = numbers;
    const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
    return count(Number(from), Number(to)).map((value) => String(value).padStart(width, "0"));
  }
  const letters = /^([A-Za-z])\.\.([A-Za-z])$/.exec(text);
  if (!letters) return undefined;
  return count(letters[1]?.charCodeAt(0) ?? 0, letters[2]?.charCodeAt(0) ?? 0).map((code) => String.fromCharCode(code));
}

/** Counts one further than is allowed, which is enough for the caller to refuse. */
function count(from: number, to: number): number[] {
  const length = Math.min(Math.abs(to - from) + 1, MAX_EXPANSIONS + 1);
  return Array.from({ length }, (_, index) => (from <= to ? from + index : from - index));
}

/** Bit n: the segments before n have matched. 0: nothing below can match. */
type PatternState = number;

interface PathPattern {
  readonly start: PatternState;
  readonly step: (state: PatternState, name: string) => PatternState;
  readonly isMatch: (state: PatternState) => boolean;
  /** The test for a name after which nothing follows: whether it ends a match. */
  readonly lastName: (state: PatternState) => NameTest;
}

/** Bit operators keep so many bits of a number exact. */
const MAX_SEGMENTS = 29;

/** `undefined` when a segment is malformed or there are too many: the pattern matches nothing. */
export function compilePath(names: readonly string[], options: WildcardOptions): PathPattern | undefined {
  const segments = names.at(-1) === "**" ? [...names, "*"] : names;
  if (segments.length > MAX_SEGMENTS) return undefined;
  const tests: (NameTest | "**")[] = [];
  for (const segment of segments) {
    const test = segment === "**" ? "**" : compileSegment(segment, options);
    if (!test) return undefined;
    tests.push(test);
  }
  return {
    start: throughStars(tests, 1),
    step: (state, name) => stepPath(tests, state, name, options.dot),
    isMatch: (state) => (state & (1 << tests.length)) !== 0,
    lastName(state) {
      // The last segment is never `**`, so nothing else leads to the end.
      const last = tests.at(-1);
      return last !== undefined && last !== "**" && (state & (1 << (tests.length - 1))) !== 0 ? last : () => false;
    },
  };
}

export function matchesPath(pattern: PathPattern, path: string): boolean {
  let state = pattern.start;
  for (const name of path.split("/")) {
    state = pattern.step(state, name);
    if (state === 0) return false;
  }
  return pattern.isMatch(state);
}

function stepPath(tests: readonly (NameTest | "**")[], state: PatternState, name: string, dot: boolean): PatternState {
  let next = 0;
  for (let at = 0; at < tests.length; at++) {
    if ((state & (1 << at)) === 0) continue;
    const test = tests[at];
    if (test === "**") {
      if (dot || !name.startsWith(".")) next |= 1 << at;
    } else if (test?.(name)) next |= 1 << (at + 1);
  }
  return next === 0 ? 0 : throughStars(tests, next);
}

/** `**` may also stand for no directory at all. */
function throughStars(tests: readonly (NameTest | "**")[], state: PatternState): PatternState {
  let through = state;
  for (let at = 0; at < tests.length; at++)
    if ((through & (1 << at)) !== 0 && tests[at] === "**") through |= 1 << (at + 1);
  return through;
}
