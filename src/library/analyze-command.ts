/**
 * What the shell reader says of a command line, for a program that decides about lines of its own or shows them to a person.
 * Nothing is run and no file is looked at; the grammar is loaded by the first call.
 */
import { resolve } from "node:path";
import { Failure } from "../base/index.ts";
import type { ShellAssessment, ShellPart, TouchedPath } from "../shell/index.ts";

/** Where a line would run. */
export interface CommandSurroundings {
  /** Directories in which a line may read. */
  readonly roots: readonly string[];
  /** In which it would run. Default: the first root. */
  readonly cwd?: string | undefined;
  /** What `~` stands for. Default: no place at all, so that it lies outside of the roots. */
  readonly home?: string | undefined;
}

/** One command line as it was read. */
export interface CommandAnalysis {
  /** allow: it only reads, by its text, inside the roots; ask: a person has to look; deny: refused whoever asks. */
  readonly verdict: "allow" | "ask" | "deny";
  /** How much harm it could do: from R0, it looks at names, to R5, it is never allowed. */
  readonly risk: "R0" | "R1" | "R2" | "R3" | "R4" | "R5";
  /** Why, the strictest first; empty for a line that is allowed. */
  readonly reasons: readonly string[];
  /** What would run cannot be told from the text. */
  readonly opaque: boolean;
  /** The names of its programs without their folders, each once; `<?>` where only running can tell. */
  readonly programs: readonly string[];
  /** The simple commands of the line, those in substitutions too. */
  readonly commands: readonly ShellPart[];
  /** The paths that it names, as its programs get them. `any`: nobody knows what the program does with it. */
  readonly paths: readonly TouchedPath[];
  /** Paths that the line would change or remove, or may. */
  readonly writes: readonly string[];
  /** Whether it would reach another machine; `unknown`: it starts something that may. */
  readonly network: "none" | "reaches" | "unknown";
}

/** The folder of a user that there is not. */
const HOME_OF_NOBODY = "/nonexistent";

/**
 * Reads a bash command line as the host does before it runs one. It is advice: links and what a program does by itself are
 * not seen, and a refusal is no sandbox.
 *
 * @throws Failure `invalid_input` without a root
 * @example
 * const { verdict, writes } = await analyzeCommand("rm -rf build", { roots: ["/srv/project"] });
 * console.log(verdict, writes); // ask [ "build" ]
 */
export async function analyzeCommand(line: string, surroundings: CommandSurroundings): Promise<CommandAnalysis> {
  const { openShellReader, staysHere } = await import("../shell/index.ts");
  const roots = surroundings.roots.map((root) => resolve(root));
  const [first] = roots;
  if (first === undefined)
    throw new Failure("invalid_input", "Cannot read the command line: no root was given", {
      hint: "Name the directories in which it may read, as in { roots: [DIR] }.",
    });
  const { cwd = first, home = HOME_OF_NOBODY } = surroundings;
  const reader = await openShellReader();
  const said = reader.assess(line, { cwd: resolve(first, cwd), roots, home });
  const programs = [...new Set(said.parts.flatMap(({ words }) => (words[0] === undefined ? [] : programOf(words[0]))))];
  const { verdict, risk, reasons, opaque, parts: commands, paths } = said;
  const changed = paths.filter(({ intent }) => intent === "write" || intent === "remove" || intent === "any");
  return {
    verdict,
    risk,
    reasons,
    opaque,
    programs,
    commands,
    paths,
    writes: [...new Set(changed.map(({ path }) => path))],
    network: networkOf(said, programs.every(staysHere)),
  };
}

function programOf(word: string): string {
  return word.replace(/^.*\//s, "");
}

function networkOf({ verdict, opaque, reasons }: ShellAssessment, staysHere: boolean): CommandAnalysis["network"] {
  if (reasons.some((reason) => REACHES.test(reason))) return "reaches";
  return verdict === "allow" || (staysHere && !opaque) ? "none" : "unknown";
}

/** The reasons of the reader that name another machine, and git's verbs that speak to one. */
const REACHES =
  /network|connection|another machine|remote service|packages?$|download|^git (?:push|pull|fetch|clone|ls-remote) /;
