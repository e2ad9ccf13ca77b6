/**
 * One rule: `tool(pattern)`, or `tool` for every call of it. The tool is a name, a group (`group:fs`) or a glob of
 * names; the pattern is a path, relative to each root, or absolute when it begins with a slash. Of a
 * program that is run it is the command, where `*` is any text; of an allow, any that begins no second command.
 *
 * Deny and ask hold without regard to case and for everything below a directory that they match; allow means exactly
 * what it says, because a file system may fold what a pattern does not. `tool(exact:{...})` allows one call and is no pattern.
 */
import { Failure } from "../base/index.ts";
import { compilePattern } from "../pattern/index.ts";
import { isExactText, isSubjectKind, parseExact, placeOf, type ExactCall } from "./exact-call.ts";
import { matchesTool, meansTool, WEB, type ToolFacts } from "./groups.ts";
import { createSubjectMatch, findPatternProblem } from "./match-subject.ts";
import { isPath, type CommandTarget, type TargetPlace, type Subject } from "./target.ts";

export type Verdict = "allow" | "ask" | "deny";

/** As it stands in the configuration. Exactly one of allow, ask and deny. */
export interface RuleText {
  readonly allow?: string | undefined;
  readonly ask?: string | undefined;
  readonly deny?: string | undefined;
  readonly reason?: string | undefined;
  /** Calls, as `tool(path)`, that it must match; checked when it is loaded. */
  readonly match?: readonly string[] | undefined;
  readonly not_match?: readonly string[] | undefined;
  /** Why an allow rule is wide on purpose; `ringfence check` does not name it then. */
  readonly accepted?: string | undefined;
  /** Where it stands: `file:line`. */
  readonly source?: string | undefined;
}

/** What a rule is matched against: one path, one command or one subject; absent for the call as a whole. */
type Matched = (TargetPlace & { readonly kind?: "path" }) | CommandTarget | Subject | undefined;

export interface Rule {
  readonly verdict: Verdict;
  /** `tool(pattern)` */
  readonly text: string;
  readonly toolPattern: string;
  readonly pattern: string | undefined;
  readonly reason: string | undefined;
  readonly source: string;
  /** The higher one is the more specific one. */
  readonly specificity: number;
  /** One call, compared as data; then `matches` is never true. */
  readonly exact?: ExactCall;
  coversTool(tool: ToolFacts): boolean;
  /** Whether it holds for paths that the tool touches: what `group:fs(PATH)` keeps away, it keeps from every tool. */
  coversPathsOf(tool: ToolFacts): boolean;
  /** Whether it holds for URLs and hosts that a call of the tool sends to: what `group:web` keeps away, it keeps from every tool. */
  coversAddressesOf(tool: ToolFacts): boolean;
  matches(target: Matched): boolean;
}

/** The longest path there is, every sign of it escaped, has room. */
const MAX_RULE_CHARS: number = 16 * 1024;
const MAX_SHOWN_CHARS = 300;
/** Files are read and changed by tools of other groups too, and by programs. */
const FILES = "group:fs";

/** @throws Failure `invalid_input` for a rule that cannot be read */
export function parseRule(rule: RuleText): Rule {
  const given = (["deny", "ask", "allow"] as const).filter((verdict) => rule[verdict] !== undefined);
  const [verdict] = given;
  const source = rule.source ?? "rules";
  if (verdict === undefined || given.length > 1)
    throw refused(JSON.stringify(given), source, "it must have one of allow, ask and deny");
  const text = rule[verdict] ?? "";
  if (isExactText(text)) return exactRule(text, verdict, rule, source);
  const { tool, pattern } = splitRule(text, source);
  const coversTool = (facts: ToolFacts): boolean => (verdict === "allow" ? matchesTool : meansTool)(tool, facts);
  const isAboutPaths = verdict !== "allow" && tool === FILES && pattern !== undefined;
  return {
    verdict,
    text,
    toolPattern: tool,
    pattern,
    reason: rule.reason,
    source,
    specificity: specificityOf(tool, pattern),
    coversTool,
    coversPathsOf: isAboutPaths ? () => true : coversTool,
    coversAddressesOf: verdict !== "allow" && tool === WEB ? () => true : coversTool,
    matches: verdict === "ask" ? orBelow(createMatch(pattern, verdict), pattern) : createMatch(pattern, verdict),
  };
}

/** @throws Failure `invalid_input` */
export function splitRule(text: string, source: string): { tool: string; pattern: string | undefined } {
  if (text.length > MAX_RULE_CHARS) throw refused(text, source, `it is longer than ${MAX_RULE_CHARS} characters`);
  const [, tool, pattern] = /^([^()\s]+?)(?:\(([^]*)\))?$/.exec(text.trim()) ?? [];
  if (tool === undefined) throw refused(text, source, "it is not tool or tool(pattern)");
  if (pattern === "") throw refused(text, source, "the pattern is empty; leave the parentheses out");
  if (pattern?.startsWith("!")) throw refused(text, source, "a pattern that only excludes matches nothing");
  const problem = pattern === undefined ? undefined : findPatternProblem(pattern);
  if (problem !== undefined) throw refused(text, source, problem);
  return { tool, pattern };
}

function refused(text: string, source: string, why: string): Failure {
  const shown = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text;
  return new Failure("invalid_input", `Cannot use the rule ${JSON.stringify(shown)} (${source}): ${why}`, {
    hint: 'Rules look like {"deny": "write_file(generated/**)", "reason": "..."}.',
  });
}

function exactRule(text: string, verdict: Verdict, { reason }: RuleText, source: string): Rule {
  if (verdict !== "allow") throw refused(text, source, "only what is allowed can be exact");
  const exact = parseExact(text);
  if (typeof exact === "string") throw refused(text, source, exact);
  const { tool } = exact;
  const coversTool = (facts: ToolFacts): boolean => matchesTool(tool, facts);
  return {
    verdict,
    text,
    toolPattern: tool,
    pattern: text.slice(text.indexOf("(") + 1, -1),
    reason,
    source,
    specificity: specificityOf(tool, widthOf(exact)),
    exact,
    coversTool,
    coversPathsOf: coversTool,
    coversAddressesOf: coversTool,
    matches: () => false,
  };
}

/**
 * A pattern of the same width: where a rule asks about just that, the two are alike, and a person has to grant it. Several
 * paths are more specific than any glob, and no single one of them.
 */
function widthOf({ call, change }: ExactCall): string | undefined {
  const acts = call?.acts ?? change?.acts ?? [];
  const whole = acts.find(([kind]) => kind === "line" || isSubjectKind(kind))?.[1];
  if (typeof whole === "string") return whole;
  const places = acts.flatMap((act) => placeOf(act) ?? []);
  const [first] = places;
  if (!first) return change ? "" : undefined;
  if (places.some(({ rel }) => rel !== first.rel)) return "";
  const path = first.rel.replace(/[\\*?[\]{}()!+@|]/g, "\\$&");
  return first.deep ? (path === "" ? "**" : `${path}/**`) : path;
}

function createMatch(pattern: string | undefined, verdict: Verdict): Rule["matches"] {
  if (pattern === undefined) return () => true;
  const path = createPathMatch(pattern, verdict);
  const lines = linePatterns(pattern, verdict).map((one) => createCommandMatch(one, verdict === "allow"));
  const command = (line: string): boolean => lines.some((matches) => matches(line));
  const subject = createSubjectMatch(pattern, verdict !== "allow");
  return (target) => {
    if (!target) return false;
    if (isPath(target)) {
      const place = pattern.startsWith("/") ? target.absolute : target.rel;
      return place !== undefined && path(place);
    }
    if (target.kind !== "command") return subject(target);
    return command(target.line) || (verdict !== "allow" && target.runs?.some(command) === true);
  };
}

/** Also of a tree in which something could match: nobody has looked at all that is in it. */
function orBelow(matches: Rule["matches"], pattern: string | undefined): Rule["matches"] {
  const sign = (pattern ?? "").search(/(?<!\\)[*?[\]{}()!+@]/);
  const fixed = (sign < 0 ? (pattern ?? "") : (pattern ?? "").slice(0, sign)).toLowerCase();
  return (target) => {
    if (matches(target)) return true;
    if (!target || !isPath(target) || !target.isTree || target.rel === undefined) return false;
    const directory = target.rel === "" ? "" : `${target.rel.toLowerCase()}/`;
    return fixed.startsWith(directory) || (sign >= 0 && directory.startsWith(fixed));
  };
}

function createPathMatch(pattern: string, verdict: Verdict): (path: string) => boolean {
  const bare = withoutSlashes(pattern);
  const isStrict = verdict !== "allow";
  // What would take too long to find out is as the stricter answer says.
  const glob = compilePattern(bare, { dot: true, ignoreCase: isStrict, whenTooLong: isStrict });
  // Of a directory `DIR/**` is the directory too, and so is `**` of the root.
  const isRoot = bare === "**" || glob.matches(".");
  if (!isStrict) return (path) => (path === "" ? isRoot : glob.matches(path));
  return (path) => (path === "" ? isRoot : glob.matchesAtOrAbove(path));
}

/** At the end; the first sign stays. */
function withoutSlashes(pattern: string): string {
  let end = pattern.length;
  while (end > 1 && pattern[end - 1] === "/") end--;
  return pattern.slice(0, end);
}

const GLOB_SIGNS = /[*?[\]{}()!+@]/;

/** First a path without glob signs, then the longer fixed beginning, then the more exact tool. */
function specificityOf(tool: string, pattern: string | undefined): number {
  const toolRank = GLOB_SIGNS.test(tool) ? 0 : tool.startsWith("group:") ? 1 : 2;
  if (pattern === undefined) return toolRank;
  const sign = pattern.search(/(?<!\\)[*?[\]{}()!+@]/);
  const fixed = sign < 0 ? pattern.length : sign;
  return (sign < 0 ? EXACT : 0) + (1 + Math.min(fixed, LONGEST)) * 4 + toolRank;
}

const LONGEST = 4096;
const EXACT: number = 8 * LONGEST;

/** No line of a shell begins so: a colon behind a program, or behind a command of git. */
const PREFIX = /^((?:git )?[^\s:*?]+):\*$/;
const ANY_PREFIX = /^([^*?]+):\*$/;

/**
 * The patterns of lines that a pattern stands for. `npm:*`, as the settings of Claude Code write it, means the program with
 * anything behind it, or with nothing. Where more than a program stands before the colon, as in `npm run test:*`, it may be a sign
 * of the line: a deny and an ask mean both, and an allow means the names of scripts alone.
 */
export function linePatterns(pattern: string, verdict: Verdict): readonly string[] {
  const [, prefix] = (verdict === "allow" ? PREFIX : ANY_PREFIX).exec(pattern) ?? [];
  return prefix === undefined ? [pattern] : [pattern, prefix, `${prefix} *`];
}

/** @param isOneCommand what a star stands for begins no other command */
export function createCommandMatch(pattern: string, isOneCommand: boolean): (command: string) => boolean {
  const pieces = pattern.split("*").map((text) => ({ text, borders: bordersOf(text) }));
  const [first, ...others] = pieces;
  const last = others.pop();
  const holds = (text: string): boolean => !isOneCommand || !OTHER_COMMAND.test(text);
  return (command) => {
    if (!first || !command.startsWith(first.text)) return false;
    if (!last) return command === first.text;
    let from = first.text.length;
    for (const piece of others) {
      const at = findPiece(command, piece, from);
      if (at < 0 || !holds(command.slice(from, at))) return false;
      from = at + piece.text.length;
    }
    const end = command.length - last.text.length;
    return end >= from && command.endsWith(last.text) && holds(command.slice(from, end));
  };
}

/** What begins another command, or sends the output of this one elsewhere. */
const OTHER_COMMAND = /[;&|<>`$(){}\\\n\r]/;

interface Piece {
  readonly text: string;
  /** For each beginning of the text: how long the longest one is that it also ends with (Knuth, Morris, Pratt). */
  readonly borders: readonly number[];
}

function bordersOf(text: string): readonly number[] {
  const borders = [0];
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[at] === text[length]) length++;
    borders.push(length);
  }
  return borders;
}

function findPiece(command: string, { text, borders }: Piece, from: number): number {
  if (text === "") return from;
  for (let at = from, length = 0; at < command.length; at++) {
    while (length > 0 && command[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (command[at] === text[length]) length++;
    if (length === text.length) return at - length + 1;
  }
  return -1;
}
