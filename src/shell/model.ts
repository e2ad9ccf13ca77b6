/**
 * The words that all of this folder speaks. A command line is read into simple commands, flat, each knowing what is piped
 * into it, with its words as bash would pass them as far as that is known before running. What is found out about a part of
 * the line is a judgement. No finding means: it only reads, inside the roots. Findings are only ever added, never taken back,
 * so the strictest part decides and a wrapper cannot lower it.
 */

/** Stands in a text for something that only running can tell. No command line has it: NUL is refused first. */
export const UNKNOWN = "\0";

/** One argument as the program would get it. */
export interface Arg {
  /** Quotes and escapes resolved; `UNKNOWN` where the value is not known. */
  readonly text: string;
  /** An unquoted `*`, `?` or `[`: the text is a pattern for names. */
  readonly glob: boolean;
  /** Nothing was expanded: the text is certain. */
  readonly literal: boolean;
  /** As it was written, quotes included: `'5p'`. */
  readonly raw: string;
  /** The commands whose output or pipe the word is made of, also by way of a variable. */
  readonly commands: readonly Command[];
}

export interface Redirect {
  /** `>`, `>>`, `<`, `<<`, `<<<`, `>&` ... */
  readonly operator: string;
  readonly target: Arg | undefined;
  /** The text of a here-document or here-string; the latter has its word as the target too. */
  readonly body: string | undefined;
}

export type Assignment = Readonly<Record<"name" | "value", string>>;

export interface Command {
  /** The program first. Empty for a bare redirection or assignment. */
  readonly args: readonly Arg[];
  readonly assignments: readonly Assignment[];
  readonly redirects: readonly Redirect[];
  /** The commands to the left of it in its pipelines. */
  readonly fedBy: readonly Command[];
  readonly text: string;
  /** Where it stands in the text; commands are sorted by it. */
  readonly start: number;
}

export interface Script {
  /** All of them, those in substitutions, functions and groups too. */
  readonly commands: readonly Command[];
  /** What the structure alone says: groups, loops, functions, parts that cannot be read. */
  readonly findings: readonly Finding[];
}

/** How much harm the command could do, in the words of the host: from R0, it looks at names, to R5, it is never allowed. */
export type RiskOfCommand = "R0" | "R1" | "R2" | "R3" | "R4" | "R5";

export type LineVerdict = "allow" | "ask" | "deny";

export interface Finding {
  readonly verdict: "ask" | "deny";
  /** For the person who is asked: a short sentence without a full stop. */
  readonly reason: string;
  readonly risk: RiskOfCommand;
  /** What would run cannot be told from the text: not even a mode that applies everything may run it unasked. */
  readonly opaque?: true;
}

/** `any`: the program is not known, so the path may be for anything. */
export type PathIntent = "metadata" | "read" | "write" | "remove" | "any";

/** A path that a command line names, with what would be done to it. */
export interface TouchedPath {
  /** As the program gets it, relative to the working directory; not normalised, because the kernel resolves it too. */
  readonly path: string;
  readonly intent: PathIntent;
  /** Everything below it too: a denied file inside counts. */
  readonly recursive: boolean;
  /** By its text. Links are for the caller's scope to resolve. */
  readonly inside: boolean;
  /** The shell puts names in the place of its `*`, `?` and `[`. */
  readonly glob: boolean;
}

/** What lies in a directory comes to light, should the path be one. */
export interface Listing {
  /** As in `TouchedPath`. */
  readonly path: string;
  /** Where contents come to light, links that lie there are followed too. */
  readonly shows: "names" | "contents";
  /** Levels below it; 1 is what lies directly in it. Absent: all. */
  readonly depth?: number | undefined;
  /** Also names that begin with a dot. */
  readonly hidden: boolean;
  readonly onlyDirectories?: boolean | undefined;
  /** The line tells what links lead to: whether the target exists, and what it is. */
  readonly follows?: boolean | undefined;
  /** Patterns of find for a last name; files of other names are not shown. Absent: all are. */
  readonly names?: readonly string[] | undefined;
}

/** A call of git that reads, with a configuration that runs nothing. What it would show is for the caller to look at. */
export interface GitReading {
  /** Where it may run, absolute by the text. */
  readonly directories: readonly string[];
  readonly verb: string;
  readonly options: readonly string[];
  /** What stands before `--`: revisions, or paths. */
  readonly operands: readonly string[];
  readonly paths: readonly string[];
  /** Whether names of files come to light, or what is in them. */
  readonly tellsFiles: boolean;
}

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly paths: readonly TouchedPath[];
  readonly listings: readonly Listing[];
  readonly git: readonly GitReading[];
  /** Every program that runs with its words, one blank between them, for rules that name it (`run-lines.ts`). */
  readonly runs: readonly string[];
  /** The words of programs that search in texts: what they look for is among them. */
  readonly searches: readonly string[];
}

/** Puts findings and judgements together, in their order; `false` and `undefined` add nothing. */
export function judge(...parts: readonly (Finding | Partial<Judgement> | false | undefined)[]): Judgement {
  const all = parts.filter((part) => part !== undefined && part !== false);
  return {
    findings: all.flatMap((part) => ("verdict" in part ? [part] : (part.findings ?? []))),
    paths: all.flatMap((part) => ("verdict" in part ? [] : (part.paths ?? []))),
    listings: all.flatMap((part) => ("verdict" in part ? [] : (part.listings ?? []))),
    git: all.flatMap((part) => ("verdict" in part ? [] : (part.git ?? []))),
    runs: all.flatMap((part) => ("verdict" in part ? [] : (part.runs ?? []))),
    searches: all.flatMap((part) => ("verdict" in part ? [] : (part.searches ?? []))),
  };
}

/** R3 runs something or changes something ordinary; R4 takes away, reaches out or steers other programs. */
export function ask(reason: string, risk: "R2" | "R3" | "R4" = "R3"): Finding {
  return { verdict: "ask", reason, risk };
}

export function askOpaque(reason: string): Finding {
  return { verdict: "ask", reason, risk: "R4", opaque: true };
}

export function deny(reason: string): Finding {
  return { verdict: "deny", reason, risk: "R5" };
}

/** In a value that is expanded before it is run: anything that could run something, so no plain variable. */
export const EXPANDS_UNTOLD: RegExp = /[\0`]|\$(?:[([]|\{(?!\w+\}))/;

/** A value may be anything, but what is done with it is known. */
export const UNKNOWN_PATH: Finding = askOpaque("a path is not known before it runs");
export const UNKNOWN_ARGUMENT: Finding = askOpaque("an argument is not known before it runs");

/**
 * The findings that say that words from elsewhere, for which stand-ins were judged, decide what is run and not only
 * on what.
 */
export function onlyUntold({ findings }: Judgement): Judgement {
  return judge(...findings.filter((one) => one.opaque === true && one !== UNKNOWN_PATH && one !== UNKNOWN_ARGUMENT));
}

/** What was found in a text that may never be run is certain enough to refuse, not to name paths. */
export function onlyDenials({ findings }: Judgement): Judgement {
  return judge(...findings.filter(({ verdict }) => verdict === "deny"));
}

export function isDenied({ findings }: Judgement): boolean {
  return findings.some(({ verdict }) => verdict === "deny");
}

export function words(line: string): ReadonlySet<string> {
  return new Set(line.split(" "));
}

export function textsOf(args: readonly Arg[]): string[] {
  return args.map(({ text }) => text);
}

/** The name of a program as it is looked up: without its folder, in lower case. */
export function programName(text: string): string {
  return text.replace(/^.*\//s, "").toLowerCase();
}

/**
 * The program behind others that only start it, for questions about what flows between commands: `env echo x` prints
 * what `echo x` prints. A guess by the look of the words, good for becoming stricter; verdicts on the wrapped command
 * itself are `programs/wrappers.ts`.
 */
export function unwrap(args: readonly Arg[]): { name: string; args: readonly Arg[] } | undefined {
  let [first, ...rest] = args;
  for (let round = 0; first !== undefined && round < MAX_ROUNDS; round++) {
    const name = programName(first.text);
    const inner = WRAPS.has(name) ? rest.findIndex(({ text }) => !BEFORE_PROGRAM.test(text)) : -1;
    if (inner < 0) return { name, args: rest };
    [first, ...rest] = rest.slice(inner);
  }
  return undefined;
}

const MAX_ROUNDS = 12;

/** Options, assignments, durations and numbers, a directory. */
const BEFORE_PROGRAM = /^(?:-.*|\w+=.*|[\d.]+[smhd]?|\.|\/)$/s;

const WRAPS = words(
  "env nice timeout gtimeout nohup command builtin exec sudo doas time stdbuf setsid ionice chrt taskset busybox toybox " +
    "xargs parallel proxychains torsocks unbuffer strace ltrace chroot fakeroot caffeinate coproc noglob nocorrect",
);
