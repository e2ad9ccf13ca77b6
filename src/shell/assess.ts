/**
 * From a text to a judgement: reads the script, judges every simple command in the order of the line by the table of its
 * program, its redirections and assignments, and what flows between them. Comes back here for every text that a command
 * would run in turn.
 */
import { judgeFlows, type Trail } from "./flows.ts";
import {
  UNKNOWN,
  ask,
  askOpaque,
  deny,
  judge,
  onlyDenials,
  type Arg,
  type Command,
  type Judgement,
  type Redirect,
  type Script,
} from "./model.ts";
import { judgePath, placeOf, toAbsolute, type Surface } from "./places.ts";
import { BUILTINS } from "./programs/builtins.ts";
import { touchLoosely, type CommandCall, type Context, type Program, type ProgramTable } from "./programs/call.ts";
import { judgeOptionCommands } from "./programs/code/option-commands.ts";
import { runLines, searchedWords } from "./run-lines.ts";
import { withStandIns } from "./programs/fed.ts";
import { FIND } from "./programs/find.ts";
import { GIT } from "./programs/git.ts";
import { LANGUAGES } from "./programs/languages.ts";
import { MACHINE } from "./programs/machine.ts";
import { READERS } from "./programs/readers.ts";
import { WRAPPERS } from "./programs/wrappers.ts";
import { WRITERS } from "./programs/writers.ts";
import { judgeAssignment } from "./variables.ts";
import type { Grammar } from "./syntax/grammar.ts";
import { readScript } from "./syntax/read-script.ts";
import { WrittenTexts } from "./written-texts.ts";

/** All programs that are known; a name stands in one of the tables only. */
export const FAMILIES: readonly ProgramTable[] = [BUILTINS, FIND, GIT, LANGUAGES, MACHINE, READERS, WRAPPERS, WRITERS];

const PROGRAMS = new Map(FAMILIES.flatMap((family) => Object.entries(family)));

const LOCAL = new Set([BUILTINS, FIND, READERS, WRITERS].flatMap((family) => Object.keys(family)));
/** They may copy to another machine, which their operands do not always tell. */
const COPIES_AFAR: ReadonlySet<string> = new Set(["scp", "rsync"]);

/** Whether a program of this name reaches no other machine by itself. */
export function staysHere(name: string): boolean {
  return LOCAL.has(name) && !COPIES_AFAR.has(name);
}

interface State {
  readonly grammar: Grammar;
  readonly surface: Surface;
  readonly gitIsHardened: boolean;
  /** The directories in which the next command may run; texts inside share it, which can only make it stricter. */
  readonly where: { surfaces: readonly Surface[] };
  readonly trail: Trail;
  readonly depth: number;
  readonly budget: { left: number };
}

export function assessScript(
  text: string,
  given: Pick<State, "grammar" | "surface" | "gitIsHardened">,
): { script: Script; judgement: Judgement } {
  const trail = { downloads: new Set<string>(), made: new Set<string>(), texts: new WrittenTexts(), connected: false };
  return assess(text, {
    ...given,
    where: { surfaces: [given.surface] },
    trail,
    depth: 0,
    budget: { left: MAX_NESTED },
  });
}

/** A person is asked about a longer list as a whole: what stands at its end is easily missed. */
const MAX_COMMANDS = 40;
/** `sh -c "sh -c ..."`: deeper is a game. */
const MAX_DEPTH = 12;
/** Texts and commands inside others, for the whole line: what one of them repeats must not be paid for without end. */
const MAX_NESTED = 400;

function assess(text: string, state: State): { script: Script; judgement: Judgement } {
  const { home, cwd } = state.surface;
  const script = readScript(text, state.grammar, { home, cwd, isInner: state.depth > 0 });
  const many = script.commands.length > MAX_COMMANDS && ask(`it has more than ${MAX_COMMANDS} commands`, "R4");
  const judgements = script.commands.map((command) => assessCommand(command, state));
  return { script, judgement: judge(...script.findings, many, ...judgements) };
}

function assessCommand(command: Command, state: State): Judgement {
  const fromOthers = command.args.some(({ raw }) => /^[<>]\(/.test(raw));
  // A value is only run if a later command does so; that it would be refused is enough to refuse it.
  const values = command.assignments.filter(({ value }) => /\s/.test(value));
  return judge(
    fromOthers && askOpaque("what another program puts out is given to it as a file"),
    ...command.redirects.map((redirect) => judgeRedirect(redirect, state.where.surfaces)),
    ...command.assignments.map(judgeAssignment),
    ...values.map(({ value }) => onlyDenials(assessNested(value, [], state))),
    assessProgram(command, state),
  );
}

function assessProgram(command: Command, state: State): Judgement {
  const [program, ...args] = command.args;
  if (program === undefined) return judge();
  const name = program.text.replace(/^.*[/\\]/s, "").toLowerCase();
  const call: CommandCall = { name, args, command, context: contextOf(state) };
  if (program.text.includes(UNKNOWN) && /^\0*$/.test(name))
    return judge(
      judgeName(program, command),
      state.trail.connected && deny("it would let another machine choose commands"),
      judgeFlows({ ...call, name: "eval", args: [program] }, state.trail),
      touchLoosely(call),
    );
  const known = findProgram(name);
  const standIns = withStandIns(args);
  return judge(
    { runs: runLines(name, args), searches: searchedWords(name, args) },
    judgeName(program, command),
    // `ls2` is judged as `ls`, and may be another program all the same.
    known !== undefined && !PROGRAMS.has(name) && ask("it is not the very name of a known program"),
    known === undefined && ask(`"${name}" is not a known program`),
    known?.(call) ?? touchLoosely(call),
    judgeOptionCommands(call),
    standIns && known && onlyDenials(known({ ...call, args: standIns })),
    judgeFlows({ ...call, name: name.replace(/^([a-z]+?)[\d.]+$/, "$1") }, state.trail),
    moveWith(name, args, state),
  );
}

/** Every program of the tables by its name. */
export function knownPrograms(): Iterable<[name: string, program: Program]> {
  return PROGRAMS;
}

/** By its name in lower case, because a file system may not tell case apart; an ending or a version may be taken off. */
export function findProgram(name: string): Program | undefined {
  const plain = name.replace(/\.(?:exe|com|cmd|bat)$/, "");
  const bare = plain.replace(/^(mkfs|fsck)\..*$/, "$1").replace(/^([a-z]+?)-?\d[\d.]*$/, "$1");
  return PROGRAMS.get(plain) ?? PROGRAMS.get(bare);
}

function judgeName(program: Arg, { text }: Command) {
  // A test opens with a sign that is a word of its own; `[a]` is a pattern for a name.
  if (/^\[\[?$/.test(program.text) && /^\[\[?\s/.test(text)) return undefined;
  if (program.text.includes(UNKNOWN) || program.glob) return askOpaque("the program is not known before it runs");
  if (!program.literal) return askOpaque("the name of the program is put together");
  if (/[/\\]/.test(program.text)) return ask("it names a program by its path");
  return program.text !== program.text.toLowerCase() && ask("it names a program in capitals");
}

function contextOf(state: State): Context {
  return {
    surfaces: state.where.surfaces,
    gitIsHardened: state.gitIsHardened,
    assessArgs: (args, command) =>
      mayGoOn(state) ? assessProgram({ ...command, args }, deeper(state)) : judge(TOO_DEEP),
    assessText: (text, fedBy = []) => assessNested(text, fedBy, state),
  };
}

function assessNested(text: string, fedBy: readonly Command[], state: State): Judgement {
  const word: Arg = { text, glob: false, literal: true, raw: text, commands: fedBy };
  const command: Command = { args: [], assignments: [], redirects: [], fedBy: [], text: "", start: 0 };
  const downloaded = judgeFlows({ name: "eval", args: [word], command, context: contextOf(state) }, state.trail);
  if (text.replaceAll(UNKNOWN, "").trim() === "")
    return judge(downloaded, text.includes(UNKNOWN) && askOpaque("the text it runs is not known before"));
  if (!mayGoOn(state)) return judge(downloaded, TOO_DEEP);
  return judge(downloaded, assess(text.replaceAll(UNKNOWN, "${__unknown}"), deeper(state)).judgement);
}

/** Not an `ask`: what is not read may be what is refused. */
const TOO_DEEP = deny("it would start commands in commands, too deep to be read");

function mayGoOn(state: State): boolean {
  return state.depth < MAX_DEPTH && state.budget.left-- > 0;
}

function deeper(state: State): State {
  return { ...state, depth: state.depth + 1 };
}

function judgeRedirect({ operator, target }: Redirect, surfaces: readonly Surface[]): Judgement {
  if (target === undefined || operator.startsWith("<<")) return judge();
  if (operator.endsWith("&") && /^(?:\d+-?|-)$/.test(target.text)) return judge();
  if (/^\/dev\/(?:tcp|udp)\//.test(target.text)) return judge(ask("it opens a connection", "R4"));
  const writes = operator.includes(">");
  const places = surfaces.map((surface) => placeOf(target.text, target.glob, surface));
  if (writes && target.literal && places.every((place) => place === "harmless-device")) return judge();
  return judge(
    writes ? ask("it writes a file", "R2") : ask("it reads a file as its input"),
    judgePath(target, !writes ? "read" : operator.includes(">>") ? "write" : "empty", false, surfaces),
  );
}

/** After `cd x` later paths may start from there, or from here if it fails. */
function moveWith(name: string, args: readonly Arg[], { surface, where }: State): Judgement {
  if (!/^(?:cd|pushd|chdir)$/.test(name)) return judge();
  const to = args.find(({ text }) => !/^-./.test(text))?.text ?? surface.home;
  if (to.includes(UNKNOWN) || to === "-") return judge();
  const moved = where.surfaces.map((from) => ({ ...from, cwd: toAbsolute(to, from.cwd) }));
  const byPath = new Map([...where.surfaces, ...moved].map((at) => [at.cwd, at]));
  if (byPath.size > MAX_DIRECTORIES) return judge(deny("it would change directories more often than can be followed"));
  where.surfaces = [...byPath.values()];
  return judge();
}

const MAX_DIRECTORIES = 32;
