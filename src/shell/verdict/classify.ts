/**
 * The verdict on one command line, with its reasons, what it would touch and how it was read. Pure: nothing is looked up
 * and nothing is run. `allow` means: only reads, by the text, inside the roots; the caller still puts every path through
 * the scope and the rules of its file tools, because a link can lead anywhere.
 */
import { escapeControls, shellQuote } from "../../text/index.ts";
import {
  ask,
  askOpaque,
  merge,
  judged,
  type Finding,
  type Judgement,
  type Listing,
  type TouchedPath,
  type LineVerdict,
  type RiskOfCommand,
} from "../model/judgement.ts";
import { UNKNOWN, type Command, type Script } from "../model/parts.ts";
import { loadGrammar } from "../syntax/grammar.ts";
import { readPlainly } from "../syntax/plain-reader.ts";
import { findSuspicious } from "../syntax/suspicious-text.ts";
import { assessScript } from "./assess.ts";

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
      const suspicious = findSuspicious(command);
      if (suspicious.some(({ verdict }) => verdict === "deny")) return conclude(judged(...suspicious), []);
      const assessing = { grammar, surface: { cwd, roots, home, guarded }, gitIsHardened };
      // NUL stands for the unknown inside; behind it the text goes on.
      const readable = command.replaceAll("\0", " ");
      const { script, judgement } = assessScript(readable, assessing);
      const agreement = compareReaders(command, script);
      const others = [...otherReadings(readable), ...(agreement.other ?? [])];
      const found = merge([
        judged(...suspicious),
        judgement,
        ...others.map((text) => assessScript(text, assessing).judgement),
      ]);
      // As a reason it says the least, so it is only given if there is no other.
      const last = found.findings.length === 0 || agreement.other !== undefined ? agreement.findings : [];
      const all = merge([found, judged(...last)]);
      return conclude(all, script.commands.map(showPart));
    },
  };
}

/**
 * Where the grammar is known to differ from bash: it ends a word at a continued line, and reads `-rf$IFS/` as two words.
 * Both readings count.
 */
function otherReadings(text: string): string[] {
  const other = text.replaceAll("\\\n", "").replace(/\$IFS\b/g, "${IFS}");
  return other === text ? [] : [other];
}

interface Agreement {
  readonly findings: readonly Finding[];
  /** What the second reader read, quoted, if it read something else. */
  readonly other?: readonly string[];
}

/**
 * Nothing is allowed that two readers do not read alike. The grammar loses a word that starts with an escaped blank, and
 * commands such as `1@`; then the reading of the second reader counts too.
 */
function compareReaders(text: string, { commands }: Script): Agreement {
  const plain = readPlainly(text);
  if (plain === undefined) return { findings: [ask("it is more than plain words")] };
  const read = commands.map(({ args }) => args.map((arg) => arg.text));
  if (JSON.stringify(plain) === JSON.stringify(read)) return { findings: [] };
  const quoted = plain.map((words) => words.map(shellQuote).join(" "));
  return { findings: [askOpaque("it can be read in more than one way")], other: [quoted.join("\n")] };
}

function conclude({ findings, paths, listings = [] }: Judgement, parts: readonly ShellPart[]): ShellAssessment {
  const sorted = findings.toSorted((a, b) => rank(b) - rank(a));
  const [worst] = sorted;
  const readsOnly = paths.every(({ intent }) => intent === "metadata") ? "R0" : "R1";
  return {
    verdict: worst?.verdict ?? "allow",
    risk: worst?.risk ?? readsOnly,
    reasons: [...new Set(sorted.map(({ reason }) => escapeControls(reason)))],
    opaque: findings.some(({ opaque }) => opaque === true),
    parts,
    paths: dedupe(paths),
    listings: [...new Map(listings.map((one) => [JSON.stringify(one), one])).values()],
  };
}

/** Refusals first, then by risk, then what cannot be read. The general reason comes last: it says the least. */
function rank({ verdict, risk, opaque }: Finding): number {
  return (verdict === "deny" ? 100 : 0) + Number(risk.slice(1)) * 2 + (opaque === true ? 1 : 0);
}

function dedupe(paths: readonly TouchedPath[]): TouchedPath[] {
  const byKey = new Map(
    paths.map((path): [string, TouchedPath] => [`${path.intent} ${path.recursive} ${path.path}`, path]),
  );
  return [...byKey.values()];
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
