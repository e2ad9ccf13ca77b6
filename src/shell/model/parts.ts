/**
 * What a command line is made of, once read: simple commands with their words, redirections and assignments, flat, each
 * knowing what is piped into it. Words stand here as bash would pass them, as far as that is known before running.
 */
import type { Finding } from "./judgement.ts";

/** Stands in a text for something that only running can tell. No command line has it: NUL is refused first. */
export const UNKNOWN = "\0";

/** Stands for words that a program takes from its input or from a directory. */
export const UNKNOWN_WORD: Arg = {
  text: UNKNOWN,
  glob: false,
  literal: false,
  raw: UNKNOWN,
  commands: [],
};

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

export interface Assignment {
  readonly name: string;
  readonly value: string;
}

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

export interface Unwrapped {
  /** Without its folder, in lower case. */
  readonly name: string;
  readonly args: readonly Arg[];
}

/**
 * The program behind others that only start it, for questions about what flows between commands: `env echo x` prints
 * what `echo x` prints. A guess by the look of the words, good for becoming stricter; verdicts on the wrapped command
 * itself are `programs/wrappers.ts`.
 */
export function unwrap(args: readonly Arg[]): Unwrapped | undefined {
  let [first, ...rest] = args;
  for (let round = 0; first !== undefined && round < MAX_ROUNDS; round++) {
    const name = first.text.replace(/^.*\//s, "").toLowerCase();
    const inner = WRAPS.has(name) ? rest.findIndex(({ text }) => !BEFORE_PROGRAM.test(text)) : -1;
    if (inner < 0) return { name, args: rest };
    [first, ...rest] = rest.slice(inner);
  }
  return undefined;
}

const MAX_ROUNDS = 12;

/** Options, assignments, durations and numbers, a directory. */
const BEFORE_PROGRAM = /^(?:-.*|\w+=.*|[\d.]+[smhd]?|\.|\/)$/s;

const WRAPS: ReadonlySet<string> = new Set(
  (
    "env nice timeout gtimeout nohup command builtin exec sudo doas time stdbuf setsid ionice chrt taskset busybox toybox " +
    "xargs parallel proxychains torsocks unbuffer strace ltrace chroot fakeroot caffeinate coproc noglob nocorrect"
  ).split(" "),
);
