/**
 * One call of one program, as the tables of `programs/` see it, and the way back into the classifier for what the call
 * would start in turn.
 */
import { UNKNOWN_ARGUMENT, ask, askOpaque, deny, merge, type Finding, type Judgement } from "./judgement.ts";
import { UNKNOWN, type Arg, type Assignment, type Command } from "./parts.ts";
import { judgePath, type Action, type Surface } from "./places.ts";

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

export interface CommandCall {
  /** Without its folder. */
  readonly name: string;
  /** Without the program. */
  readonly args: readonly Arg[];
  readonly command: Command;
  readonly context: Context;
}

export type Program = (call: CommandCall) => Judgement;
export type ProgramTable = Readonly<Record<string, Program>>;

/** One entry under several names. */
export function named(names: string, program: Program): ProgramTable {
  return Object.fromEntries(names.split(" ").map((name) => [name, program]));
}

/** Never without a person, whatever the arguments. Their paths may be for anything. */
export function asks(reason: string, risk: "R2" | "R3" | "R4" = "R3"): Program {
  return (call) => merge([{ findings: [ask(reason, risk)], paths: [] }, touchLoosely(call)]);
}

export function usePaths({ context }: CommandCall, args: readonly Arg[], action: Action, recursive = false): Judgement {
  return merge(args.map((arg) => judgePath({ arg, action, recursive }, context.surfaces)));
}

/** The words of an unknown program that look like paths, so that the caller's rules see them. */
export function touchLoosely(call: CommandCall): Judgement {
  const values = call.args.flatMap((arg): Arg[] => {
    const text = /^--?[\w-]+=(.*)$/s.exec(arg.text)?.[1] ?? arg.text;
    return /^[.~/]|\//.test(text) && !/^[\w+.-]+:\/\//.test(text) && !text.startsWith("-") ? [{ ...arg, text }] : [];
  });
  return usePaths(call, values, "any", true);
}

/** What an argument that is not certain means for a program that may otherwise run unasked. */
export function askForExpanded(args: readonly Arg[]): Finding[] {
  if (args.some(({ glob }) => glob))
    return [ask("a pattern stands for names that are not known, one of which may look like an option")];
  return args.every(({ literal }) => literal) ? [] : [UNKNOWN_ARGUMENT];
}

export function hasInput({ command }: CommandCall): boolean {
  return command.fedBy.length > 0 || command.redirects.some(({ operator }) => operator.startsWith("<"));
}

/**
 * Variables make a harmless program run something else: loaders, interpreters, pagers, editors, search paths. Any assignment
 * is asked about; these findings say why, and a command in the value is judged as one.
 */
export function judgeAssignment({ name, value }: Assignment): Finding[] {
  if (/^HIST(?:FILE|SIZE|FILESIZE)$/.test(name)) return [deny("it would hide traces")];
  if (RUNS.test(name) && value.includes(UNKNOWN))
    return [askOpaque(`the variable ${name} names what runs, and its value is not known before`)];
  if (STEERS.test(name)) return [ask(`the variable ${name} makes programs load or run something else`, "R4")];
  return [ask(`it sets the variable ${name}${value === "" ? " to nothing" : ""}`)];
}

/** Their value is a file that is run or loaded, or a command. */
const RUNS =
  /^(?:ENV|BASH_ENV|PROMPT_COMMAND|PS[04]|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|GIT_(?:\w*EDITOR|PAGER|SSH\w*|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|BUN_OPTIONS)$/;

const STEERS =
  /^(?:PATH|CDPATH|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|HOME|LANG|LC_\w+|TERMINFO|TZ|LESS\w*|LD_\w+|DYLD_\w+|BASH_\w+.*|GIT_\w+|BUN_\w+|NODE_\w+|NPM_\w+|npm_\w+|PYTHON\w+|PERL\w+|RUBY\w*|GEM_\w+|JAVA_\w+|JDK_\w+|_JAVA_OPTIONS|MAVEN_\w+|GRADLE_\w+|CARGO_\w+|RUST\w+|GO\w+|CC|CXX|CFLAGS|MAKEFLAGS|GREP_\w+|RIPGREP_\w+|FZF_\w+|TAR_OPTIONS|RSYNC_\w+|SSH_\w+|SUDO_\w+|DOCKER_\w+|KUBE\w+|AWS_\w+|GCONV_PATH|MALLOC_\w+|PHP\w*|LUA_\w+|R_\w+|DENO_\w+|OPENSSL_\w+|http_proxy|https_proxy|ALL_PROXY|HTTPS?_PROXY)$/;
