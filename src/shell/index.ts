/**
 * Reading a bash command line before anything runs: a verdict with reasons, the commands as they were read, and every path
 * they name with what would be done to it. Pure: nothing is looked up and nothing is run; the grammar is loaded by the first
 * `openShellReader`. `allow` means: only reads, by the text, inside the roots; the caller still puts every path through the
 * scope and the rules of its file tools, because a link can lead anywhere.
 *
 * This folder could be a package of its own: it imports `text` and nothing else of this program, and its README says what it
 * answers, in which words, what it does not guarantee, and in what order to read it. It may import `text`.
 */
import { escapeControls, shellQuote } from "../text/index.ts";
import { assessScript } from "./assess.ts";
import {
  UNKNOWN,
  ask,
  askOpaque,
  deny,
  isDenied,
  judge,
  textsOf,
  type Command,
  type Finding,
  type GitReading,
  type Judgement,
  type LineVerdict,
  type Listing,
  type RiskOfCommand,
  type Script,
  type TouchedPath,
} from "./model.ts";
import { loadGrammar } from "./syntax/grammar.ts";
import { readPlainly } from "./syntax/plain-reader.ts";

export { staysHere } from "./assess.ts";
export { findWidth } from "./wide-pattern.ts";
export type { GitReading, Listing, PathIntent, TouchedPath, LineVerdict } from "./model.ts";

export interface ShellSurroundings {
  /** Absolute directory in which the command would run. */
  readonly cwd: string;
  /** Absolute directories; the working directory lies in one of them. */
  readonly roots: readonly string[];
  /** What `~` stands for. */
  readonly home: string;
  /** Names of state folders wherever they lie, and absolute paths of the host's own. Default: `.ringfence`. */
  readonly guarded?: readonly string[];
  /** The caller's environment switches off what a repository's configuration can run (see `programs/git.ts`). */
  readonly gitIsHardened?: boolean;
}

/** One simple command as it was read, for the person who is asked. */
export interface ShellPart {
  /** Quotes resolved, controls escaped; `<?>` where only running can tell. */
  readonly words: readonly string[];
  /** `> out.txt`, `2>/dev/null`. */
  readonly redirects: readonly string[];
  readonly assignments: readonly string[];
}

export interface ShellAssessment {
  readonly verdict: LineVerdict;
  readonly risk: RiskOfCommand;
  /** The strictest first, each once. Empty if allowed. */
  readonly reasons: readonly string[];
  /** What would run cannot be told: never to be run without a person, whatever the mode. */
  readonly opaque: boolean;
  readonly parts: readonly ShellPart[];
  readonly paths: readonly TouchedPath[];
  /** Directories of which it would tell what lies in them; the paths alone do not say so. */
  readonly listings: readonly Listing[];
  /** What git would read, where `gitIsHardened`. */
  readonly git: readonly GitReading[];
  /** Every program that would run, also in a text and behind a wrapper, as lines such as `git push` that a rule could name. */
  readonly runs: readonly string[];
  /** The words of its programs that search in texts, each once: what they look for is among them. */
  readonly searches: readonly string[];
}

export interface ShellReader {
  readonly assess: (command: string, surroundings: ShellSurroundings) => ShellAssessment;
}

/**
 * Loads the grammar (once for the process) and gives the classifier.
 *
 * @example
 * const shell = await openShellReader();
 * shell.assess("ls | head -n 5", { cwd: "/srv/project", roots: ["/srv/project"], home: "/srv" }).verdict; // "allow"
 */
export async function openShellReader(): Promise<ShellReader> {
  const grammar = await loadGrammar();
  return {
    assess(command, { cwd, roots, home, guarded = [".ringfence"], gitIsHardened = false }) {
      const suspicious = judge(...findSuspicious(command));
      if (isDenied(suspicious)) return conclude(suspicious, []);
      const assessing = { grammar, surface: { cwd, roots, home, guarded }, gitIsHardened };
      // NUL stands for the unknown inside; behind it the text goes on.
      const readable = command.replaceAll(UNKNOWN, " ");
      const { script, judgement } = assessScript(readable, assessing);
      const { finding, other } = compareReaders(command, script);
      const others = [...otherReadings(readable), ...(other ?? [])].map(
        (text) => assessScript(text, assessing).judgement,
      );
      const found = judge(suspicious, judgement, ...others);
      // As a reason it says the least, so it is only given if there is no other.
      const isLast = found.findings.length === 0 || other !== undefined;
      return conclude(judge(found, isLast && finding), script.commands);
    },
  };
}

/** Characters that hide something from the person who looks at the line, or that other readers take in another way. */
function findSuspicious(text: string): Finding[] {
  const findings: Finding[] = [];
  if (text.trim() === "") findings.push(askOpaque("there is nothing to run"));
  if (text.length > MAX_LENGTH) findings.push(deny("it would run a line that is too long to be read"));
  if (text.includes("\0")) findings.push(askOpaque("it has a NUL, behind which some programs see nothing"));
  if (CONTROLS.test(text)) findings.push(askOpaque("it has characters that command a terminal"));
  if (INVISIBLE.test(text) || !text.isWellFormed())
    findings.push(askOpaque("it has characters that cannot be seen or that reorder the line"));
  if (/[ \t]{32}/.test(text) || /\n{16}/.test(text))
    findings.push(askOpaque("it has a run of blanks that may push a part out of view"));
  return findings;
}

const CONTROLS = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f]/;
/** Marks of direction, joiners, fillers, tags, and blanks that are none to bash (Unicode TR #36, CVE-2021-42574). */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}|(?! )\p{Z}/u;

/** Nobody can read more; the kernel's limit for one argument is twice as much. */
const MAX_LENGTH = 65_536;

/**
 * Where the grammar is known to differ from bash: it ends a word at a continued line, and reads `-rf$IFS/` as two words.
 * Both readings count.
 */
function otherReadings(text: string): string[] {
  const other = text.replaceAll("\\\n", "").replace(/\$IFS\b/g, "${IFS}");
  return other === text ? [] : [other];
}

/**
 * Nothing is allowed that two readers do not read alike. The grammar loses a word that starts with an escaped blank, and
 * commands such as `1@`; then the reading of the second reader, quoted, counts too.
 */
function compareReaders(text: string, { commands }: Script): { finding?: Finding; other?: string[] } {
  const plain = readPlainly(text);
  if (plain === undefined) return { finding: ask("it is more than plain words") };
  if (JSON.stringify(plain) === JSON.stringify(commands.map(({ args }) => textsOf(args)))) return {};
  const quoted = plain.map((words) => words.map(shellQuote).join(" "));
  return { finding: askOpaque("it can be read in more than one way"), other: [quoted.join("\n")] };
}

function conclude(judgement: Judgement, commands: readonly Command[]): ShellAssessment {
  const { findings, paths, listings, git, runs, searches } = judgement;
  const sorted = findings.toSorted((a, b) => rank(b) - rank(a));
  const [worst] = sorted;
  const readsOnly = git.length === 0 && paths.every(({ intent }) => intent === "metadata") ? "R0" : "R1";
  return {
    verdict: worst?.verdict ?? "allow",
    risk: worst?.risk ?? readsOnly,
    reasons: [...new Set(sorted.map(({ reason }) => escapeControls(reason)))],
    opaque: findings.some(({ opaque }) => opaque === true),
    parts: commands.map(showPart),
    paths: once(paths, ({ intent, recursive, glob, path }) => `${intent} ${recursive} ${glob} ${path}`),
    listings: once(listings, (listing) => JSON.stringify(listing)),
    git: once(git, (reading) => JSON.stringify(reading)),
    runs: [...new Set(runs)],
    searches: [...new Set(searches)],
  };
}

/** Refusals first, then by risk, then what cannot be read. The general reason comes last: it says the least. */
function rank({ verdict, risk, opaque }: Finding): number {
  return (verdict === "deny" ? 100 : 0) + Number(risk.slice(1)) * 2 + (opaque === true ? 1 : 0);
}

function once<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}

function showPart({ args, redirects, assignments }: Command): ShellPart {
  return {
    words: args.map(({ text }) => show(text)),
    redirects: redirects.map(({ operator, target, body }) => show(`${operator} ${target?.text ?? body ?? ""}`.trim())),
    assignments: assignments.map(({ name, value }) => show(`${name}=${value}`)),
  };
}

function show(text: string): string {
  return escapeControls(text.replaceAll(UNKNOWN, "<?>"));
}
