/**
 * One call of one program, as the tables of `programs/` see it, and the way back into the classifier for what the call
 * would start in turn.
 */
import { ask, merge, UNKNOWN_ARGUMENT, type Finding, type Judgement } from "./judgement.ts";
import { judgePath, type Action } from "./judge-path.ts";
import type { Arg, Command } from "./parts.ts";
import type { Surface } from "./places.ts";

export interface Context {
  /** One for every directory in which the call may run: after `cd x || true` there are two. */
  readonly surfaces: readonly Surface[];
  /** git runs with its hooks, pager, file monitor and external diff switched off by the caller's environment. */
  readonly gitIsHardened: boolean;
  /** Judges another command that this one starts: its program is the first argument. */
  readonly assessArgs: (args: readonly Arg[], command: Command) => Judgement;
  /** Judges a text that is run as a shell script. */
  readonly assessText: (text: string, fedBy: readonly Command[]) => Judgement;
}

export interface Call {
  /** Without its folder. */
  readonly name: string;
  /** Without the program. */
  readonly args: readonly Arg[];
  readonly command: Command;
  readonly context: Context;
}

export type Program = (call: Call) => Judgement;
export type ProgramTable = Readonly<Record<string, Program>>;

/** The same entry under several names. */
export function named(names: string, program: Program): ProgramTable {
  return Object.fromEntries(names.split(" ").map((name) => [name, program]));
}

/** Never without a person, whatever the arguments. Their paths may be for anything. */
export function asks(reason: string, risk: "R2" | "R3" | "R4" = "R3"): Program {
  return (call) => merge([{ findings: [ask(reason, risk)], paths: [] }, touchLoosely(call)]);
}

export function usePaths(
  { context }: Call,
  args: readonly Arg[],
  action: Action,
  recursive = false,
): Judgement {
  return merge(args.map((arg) => judgePath({ arg, action, recursive }, context.surfaces)));
}

/** The words of an unknown program that look like paths, so that the caller's rules see them. */
export function touchLoosely(call: Call): Judgement {
  const values = call.args.flatMap((arg): Arg[] => {
    const text = /^--?[\w-]+=(.*)$/s.exec(arg.text)?.[1] ?? arg.text;
    return /^[.~/]|\//.test(text) && !/^[\w+.-]+:\/\//.test(text) && !text.startsWith("-")
      ? [{ ...arg, text }]
      : [];
  });
  return usePaths(call, values, "any", true);
}

/** What an argument that is not certain means for a program that may otherwise run unasked. */
export function askForExpanded(args: readonly Arg[]): Finding[] {
  if (args.some(({ glob }) => glob))
    return [ask("a pattern stands for names that are not known, one of which may look like an option")];
  return args.every(({ literal }) => literal) ? [] : [UNKNOWN_ARGUMENT];
}

export function hasInput({ command }: Call): boolean {
  return command.fedBy.length > 0 || command.redirects.some(({ operator }) => operator.startsWith("<"));
}
