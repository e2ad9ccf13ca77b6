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
