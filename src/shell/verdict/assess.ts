/**
 * From a text to a judgement: reads the script, judges every simple command in the order of the line by the table of its
 * program, its redirections and assignments, and what flows between them. Comes back here for every text that a command
 * would run in turn.
 */
import { findProgram, isKnown } from "../programs/index.ts";
import { judgeAssignment, touchLoosely, type CommandCall, type Context } from "../model/call.ts";
import { ask, askOpaque, deny, HARMLESS, judged, merge, type Finding, type Judgement } from "../model/judgement.ts";
import { UNKNOWN, type Arg, type Command, type Redirect, type Script } from "../model/parts.ts";
import { judgePath, placeOf, toAbsolute, type Surface } from "../model/places.ts";
import type { Grammar } from "../syntax/grammar.ts";
import { readScript } from "../syntax/read-script.ts";
import { MAX_COMMANDS } from "../syntax/suspicious-text.ts";
import { judgeFlows, type Trail } from "./flows.ts";

export interface Assessing {
  readonly grammar: Grammar;
  readonly surface: Surface;
  readonly gitIsHardened: boolean;
}

export interface AssessedLine {
  readonly script: Script;
  readonly judgement: Judgement;
}

export function assessScript(text: string, assessing: Assessing): AssessedLine {
  const state: State = {
    ...assessing,
    where: { surfaces: [assessing.surface] },
    trail: { downloads: new Set(), made: new Set(), connected: false },
    depth: 0,
    budget: { left: MAX_NESTED },
  };
  return assess(text, state);
}

/** `sh -c "sh -c ..."`: deeper is a game. */
const MAX_DEPTH = 12;
/** Texts and commands inside others, for the whole line: what one of them repeats must not be paid for without end. */
const MAX_NESTED = 400;

interface State extends Assessing {
  /** The directories in which the next command may run; texts inside share it, which can only make it stricter. */
  readonly where: { surfaces: readonly Surface[] };
  readonly trail: Trail;
  readonly depth: number;
  readonly budget: { left: number };
}

function assess(text: string, state: State): AssessedLine {
  const { home, cwd } = state.surface;
  const script = readScript(text, { grammar: state.grammar, home, cwd });
  const many = script.commands.length > MAX_COMMANDS ? [ask(`it has more than ${MAX_COMMANDS} commands`, "R4")] : [];
  const judgements = script.commands.map((command) => assessCommand(command, state));
  return { script, judgement: merge([judged(...script.findings, ...many), ...judgements]) };
}

function assessCommand(command: Command, state: State): Judgement {
  const fromOthers = command.args.some(({ raw }) => /^[<>]\(/.test(raw));
  return merge([
    judged(...(fromOthers ? [askOpaque("what another program puts out is given to it as a file")] : [])),
    ...command.redirects.map((redirect) => judgeRedirect(redirect, state.where.surfaces)),
    ...command.assignments.map((assignment) => judged(...judgeAssignment(assignment))),
    ...command.assignments
      .filter(({ value }) => /\s/.test(value))
      .map(({ value }) => onlyDenials(assessNested(value, [], state))),
    assessProgram(command, state),
  ]);
}

/** A value is only run if a later command does so; that it would be refused is enough to refuse it. */
function onlyDenials({ findings }: Judgement): Judgement {
  return { findings: findings.filter(({ verdict }) => verdict === "deny"), paths: [] };
}

function assessProgram(command: Command, state: State): Judgement {
  const [program, ...args] = command.args;
  if (program === undefined) return HARMLESS;
  const name = program.text.replace(/^.*[/\\]/s, "").toLowerCase();
  const call: CommandCall = { name, args, command, context: contextOf(state) };
  const findings = judgeName(program);
  if (program.text.includes(UNKNOWN) && /^\0*$/.test(name)) {
    const connects = state.trail.connected ? [deny("it would let another machine choose commands")] : [];
    const downloaded = judgeFlows({ ...call, name: "eval", args: [program] }, state.trail);
    return merge([judged(...findings, ...connects), downloaded, touchLoosely(call)]);
  }
  const known = findProgram(name);
  const judgement =
    known === undefined ? merge([judged(ask(`"${name}" is not a known program`)), touchLoosely(call)]) : known(call);
  return merge([
    // `ls2` is judged as `ls`, and may be another program all the same.
    judged(...findings, ...(known === undefined || isKnown(name) ? [] : [NOT_EXACTLY])),
    judgement,
    judgeFlows({ ...call, name: name.replace(/^([a-z]+?)[\d.]+$/, "$1") }, state.trail),
    moveWith(name, args, state),
  ]);
}

const NOT_EXACTLY = ask("it is not the very name of a known program");

function judgeName(program: Arg): Finding[] {
  if (program.text.includes(UNKNOWN) || program.glob) return [askOpaque("the program is not known before it runs")];
  if (!program.literal) return [askOpaque("the name of the program is put together")];
  if (/[/\\]/.test(program.text)) return [ask("it names a program by its path")];
  return program.text === program.text.toLowerCase() ? [] : [ask("it names a program in capitals")];
}

function contextOf(state: State): Context {
  return {
    surfaces: state.where.surfaces,
    gitIsHardened: state.gitIsHardened,
    assessArgs: (args, command) => {
      if (!mayGoOn(state)) return TOO_DEEP;
      return assessProgram({ ...command, args }, deeper(state));
    },
    assessText: (text, fedBy) => assessNested(text, fedBy, state),
  };
}

function assessNested(text: string, fedBy: readonly Command[], state: State): Judgement {
  const downloaded = judgeFlows(
    {
      name: "eval",
      args: [{ text, glob: false, literal: true, raw: text, commands: fedBy }],
      command: NOTHING,
      context: contextOf(state),
    },
    state.trail,
  );
  if (text.replaceAll(UNKNOWN, "").trim() === "")
    return merge([
      downloaded,
      judged(...(text.includes(UNKNOWN) ? [askOpaque("the text it runs is not known before")] : [])),
    ]);
  if (!mayGoOn(state)) return merge([downloaded, TOO_DEEP]);
  const inner = assess(text.replaceAll(UNKNOWN, "${__unknown}"), deeper(state)).judgement;
  return merge([downloaded, inner]);
}

const NOTHING: Command = { args: [], assignments: [], redirects: [], fedBy: [], text: "", start: 0 };
/** Not an `ask`: what is not read may be what is refused. */
const TOO_DEEP: Judgement = judged(deny("it would start commands in commands, too deep to be read"));

function mayGoOn(state: State): boolean {
  return state.depth < MAX_DEPTH && state.budget.left-- > 0;
}

function deeper(state: State): State {
  return { ...state, depth: state.depth + 1 };
}

function judgeRedirect({ operator, target }: Redirect, surfaces: readonly Surface[]): Judgement {
  if (target === undefined || operator.startsWith("<<")) return HARMLESS;
  if (operator.endsWith("&") && /^(?:\d+-?|-)$/.test(target.text)) return HARMLESS;
  if (/^\/dev\/(?:tcp|udp)\//.test(target.text)) return judged(ask("it opens a connection", "R4"));
  const writes = operator.includes(">");
  const places = surfaces.map((surface) => placeOf(target.text, target.glob, surface));
  if (writes && target.literal && places.every((place) => place === "harmless-device")) return HARMLESS;
  const use = judgePath({ arg: target, action: writes ? "write" : "read" }, surfaces);
  return merge([judged(ask(writes ? "it writes a file" : "it reads a file as its input", writes ? "R2" : "R3")), use]);
}

/** After `cd x` later paths may start from there, or from here if it fails. */
function moveWith(name: string, args: readonly Arg[], { surface, where }: State): Judgement {
  if (!/^(?:cd|pushd|chdir)$/.test(name)) return HARMLESS;
  const to = args.find(({ text }) => !/^-./.test(text))?.text ?? surface.home;
  if (to.includes(UNKNOWN) || to === "-") return HARMLESS;
  const moved = where.surfaces.map((from) => ({ ...from, cwd: toAbsolute(to, from.cwd) }));
  const byPath = new Map([...where.surfaces, ...moved].map((at): [string, Surface] => [at.cwd, at]));
  if (byPath.size > MAX_DIRECTORIES) return judged(deny("it would change directories more often than can be followed"));
  where.surfaces = [...byPath.values()];
  return HARMLESS;
}

const MAX_DIRECTORIES = 32;
