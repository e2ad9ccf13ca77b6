/**
 * One call, as data: which tool, doing what, where, with which options. What a person allows "always" is this and is compared
 * as it stands, so it never covers what was not in the call: another root, directory, operation, line or option, nor the
 * same at a higher risk. Only what is read in a file or written into it may differ.
 *
 * A call is decided twice, so it has two parts: `call` is what its caller's words say, `change` what its sealed change does.
 * As a rule it is `tool(exact:{...})`, which is read back into the same object.
 */
import { isObject } from "../base/index.ts";
import type { Risk } from "./risk.ts";

/** For example `["write", "/srv/project", "notes/a.txt"]`. */
export type Act = readonly (string | boolean)[];

export interface ExactPart {
  /** The highest risk that was approved. */
  readonly risk: Risk;
  readonly acts: readonly Act[];
}

export interface ExactCall {
  readonly tool: string;
  /** All of its acts have to be those of a call. */
  readonly call?: ExactPart;
  /** The acts of a call have to be among these: a directory that was made on the way is there the next time. */
  readonly change?: ExactPart;
}

/** What a call is, where it is decided about. */
export interface AskedCall {
  readonly tool: string;
  readonly part: "call" | "change";
  readonly acts: readonly Act[];
  /** For a change: the caller's words, and every place that it touches. */
  readonly words?: AskedCall | undefined;
  readonly touches?: readonly TouchedPlace[];
}

interface TouchedPlace {
  readonly root: string;
  readonly rel: string;
  /** A directory that is made, maybe on the way to something else. */
  readonly isMade: boolean;
}

const MARK = "exact:";
/** A whole call, and still nothing that fills the memory. */
const MAX_CHARS: number = 1024 * 1024;

export function exactText({ tool, call, change }: ExactCall): string {
  return `${tool}(${MARK}${JSON.stringify({ call, change })})`;
}

export function isExactText(text: string): boolean {
  return text.trimStart().slice(0, MAX_TOOL_CHARS).includes(`(${MARK}`);
}

/** No tool has a longer name. */
const MAX_TOOL_CHARS = 200;

/** @returns why not, when it cannot be read */
export function parseExact(text: string): ExactCall | string {
  if (text.length > MAX_CHARS) return `it is longer than ${MAX_CHARS} characters`;
  const trimmed = text.trim();
  const open = trimmed.indexOf(`(${MARK}`);
  const tool = trimmed.slice(0, open);
  if (!/^[^()\s*?[\]{}!+@|,]+$/.test(tool) || tool.startsWith("group:"))
    return "what is exact needs the name of one tool";
  const parts = readJson(trimmed.slice(open + 1 + MARK.length, -1));
  if (!trimmed.endsWith(")") || !isObject(parts)) return NOT_EXACT;
  const { call, change, ...rest } = parts;
  if (Object.keys(rest).length > 0 || (call === undefined && change === undefined)) return NOT_EXACT;
  if ((call !== undefined && !isPart(call)) || (change !== undefined && !isPart(change))) return NOT_EXACT;
  return { tool, ...(call ? { call } : {}), ...(change ? { change } : {}) };
}

const NOT_EXACT = "what follows exact: is not what was suggested";

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPart(value: unknown): value is ExactPart {
  if (!isObject(value)) return false;
  const { risk, acts, ...rest } = value;
  return (
    Object.keys(rest).length === 0 &&
    typeof risk === "string" &&
    /^R[0-4]$/.test(risk) &&
    Array.isArray(acts) &&
    acts.length > 0 &&
    acts.every((act) => Array.isArray(act) && act.every((one) => typeof one === "string" || typeof one === "boolean"))
  );
}

/** @param risk of what is asked about */
export function coversCall(exact: ExactCall, asked: AskedCall | undefined, risk: Risk): boolean {
  if (!asked || asked.tool !== exact.tool) return false;
  if (asked.part === "call") return exact.call !== undefined && isSame(exact.call, asked.acts, risk);
  const { change, call } = exact;
  if (change) return risk <= change.risk && setOf(asked.acts).isSubsetOf(setOf(change.acts));
  // Allowed by its words alone, it may go where they say and nowhere else.
  return (
    call !== undefined &&
    asked.words !== undefined &&
    isSame(call, asked.words.acts, risk) &&
    (asked.touches ?? []).every((place) => isNamed(place, call))
  );
}

function isSame(part: ExactPart, acts: readonly Act[], risk: Risk): boolean {
  const [known, asked] = [setOf(part.acts), setOf(acts)];
  return risk <= part.risk && asked.size === known.size && asked.isSubsetOf(known);
}

function setOf(acts: readonly Act[]): Set<string> {
  return new Set(acts.map((act) => JSON.stringify(act)));
}

function isNamed({ root, rel, isMade }: TouchedPlace, { acts }: ExactPart): boolean {
  return acts.some((act) => {
    const place = placeOf(act);
    if (place?.root !== root) return false;
    return place.rel === rel || (isMade && place.rel.startsWith(`${rel}/`));
  });
}

/** Whether a path, where a tool that reads comes to it by itself, is what was allowed or lies below it. */
export function coversPath({ tool, call }: ExactCall, name: string, absolute: string | undefined): boolean {
  if (!call || tool !== name || absolute === undefined) return false;
  return call.acts.some((act) => {
    const place = placeOf(act);
    if (!place) return false;
    const top = place.rel === "" ? place.root : `${place.root === "/" ? "" : place.root}/${place.rel}`;
    return absolute === top || (place.deep && absolute.startsWith(top === "/" ? top : `${top}/`));
  });
}

interface Place {
  readonly root: string;
  readonly rel: string;
  readonly deep: boolean;
}

const READS: ReadonlySet<unknown> = new Set(["metadata", "read", "write", "remove"]);

const SUBJECTS: ReadonlySet<unknown> = new Set(["url", "host", "record", "object"]);

/** Tells whether an act that begins like this names what is neither a file nor a command, by its canonical text. */
export function isSubjectKind(kind: unknown): boolean {
  return SUBJECTS.has(kind);
}

/** The place that an act of a call names. */
export function placeOf([kind, root, rel, deep]: Act): Place | undefined {
  if (!READS.has(kind) || typeof root !== "string" || typeof rel !== "string") return undefined;
  return { root, rel, deep: deep === "deep" };
}

/** What settles together what the two decisions about one call ask. */
export function mergeExact(texts: readonly string[]): readonly string[] {
  const calls = new Map<string, ExactCall>();
  const others = new Set<string>();
  for (const text of texts) {
    const exact = isExactText(text) ? parseExact(text) : text;
    if (typeof exact === "string") others.add(text);
    else calls.set(exact.tool, { ...calls.get(exact.tool), ...exact });
  }
  return [...others, ...[...calls.values()].map(exactText)];
}

/** A rule in words: the point of it for a glance, and all of it. */
export interface RuleWords {
  readonly tool: string;
  /** The paths, or the command line. */
  readonly what: string;
  /** More is compared than that: options, a directory. */
  readonly more: boolean;
  readonly whole: string;
}

/** @param roots of the host. Any other rule as it stands */
export function describeRule(text: string, roots: readonly string[]): RuleWords {
  const exact = isExactText(text) ? parseExact(text) : text;
  return typeof exact === "string" ? { tool: text, what: "", more: false, whole: text } : describeExact(exact, roots);
}

function describeExact({ tool, call, change }: ExactCall, roots: readonly string[]): RuleWords {
  const acts = call?.acts ?? change?.acts ?? [];
  const line = acts.find(([kind]) => kind === "line");
  const rest = acts.filter((act) => act !== line);
  const said = (of: readonly Act[]): string[] => of.flatMap((act) => wordsOf(act, roots) ?? []);
  const places = said(rest.filter((act) => placeOf(act) !== undefined || isSubjectKind(act[0])));
  const whole = line
    ? `${tool}(${String(line[1])})${said(rest)
        .map((one) => ` ${one}`)
        .join("")}`
    : `${tool}(${said(rest).join(", ")})`;
  return {
    tool,
    what: line ? String(line[1]) : places.join(", "),
    more: rest.length > (line ? 0 : places.length),
    whole,
  };
}

function wordsOf(act: Act, roots: readonly string[]): string | undefined {
  const place = placeOf(act);
  if (place) {
    const rel = place.rel === "" ? "." : place.rel;
    const path = roots.length > 1 ? `${place.root}/${rel}` : rel;
    return place.deep ? (place.rel === "" && roots.length <= 1 ? "**" : `${path}/**`) : path;
  }
  const [kind, ...rest] = act;
  return kind === "cwd" ? `in ${rest.join(" ")}` : `${String(kind)} ${rest.map(String).join(" ")}`;
}
