/**
 * Words that a command takes from what another one puts out, by way of its input (`xargs`) or of its own words (`rm $(...)`).
 * What they are is known only when it runs. What is known before is judged: that they are run themselves, what a program
 * certainly prints, and where a program looks whose output is the names of what it found.
 */
import {
  UNKNOWN,
  judge,
  onlyDenials,
  onlyUntold,
  textsOf,
  unwrap,
  type Arg,
  type Command,
  type Judgement,
} from "../model.ts";
import { printedText } from "../syntax/expand-word.ts";
import { inputTexts, readLoosely, type CommandCall, type ReadArgs } from "./call.ts";
import { startsOf } from "./find.ts";

/**
 * With words that are not known in the places where the input goes: behind the command, or where its mark stands. What is
 * run on them is known unless they are run themselves (`xargs sh -c`, `xargs -I{} {}`, `xargs env`).
 *
 * @param command the program that `xargs` or `parallel` starts, with its words
 */
export function judgeFed(call: CommandCall, { options }: ReadArgs, command: readonly Arg[]): Judgement {
  const isParallel = call.name === "parallel";
  const list = isParallel ? command.findIndex(({ text }) => /^:::+\+?$/.test(text)) : -1;
  const inner = list < 0 ? command : command.slice(0, list);
  if (inner.length === 0 && !isParallel) return judge();
  if (inner.length === 0 && list >= 0 && !command[list]?.text.startsWith("::::"))
    return judge(...textsOf(command.slice(list + 1)).map((text) => call.context.assessText(text)));
  const mark = options.findLast(({ name }) => /^(?:-I|-J|-i|--replace)$/.test(name));
  const sign = mark === undefined ? undefined : (mark.value?.text ?? "{}");
  const isMarked = ({ text }: Arg): boolean => (isParallel ? PARALLEL_MARK.test(text) : text.includes(sign ?? UNKNOWN));
  const isBehind = isParallel ? !inner.some(isMarked) : sign === undefined;
  const run = (args: readonly Arg[]): Judgement => call.context.assessArgs(args, { ...call.command, fedBy: [] });
  const marked = inner.map((arg) => (isMarked(arg) ? { ...UNKNOWN_WORD, commands: arg.commands } : arg));
  const stands = standIns(call.command.fedBy, inputTexts(call), isBehind ? /[\s\0]+/ : /[\n\0]+/);
  const putIn = ({ text }: Arg, word: string): string =>
    text.replaceAll(isParallel ? new RegExp(PARALLEL_MARK, "g") : (sign ?? UNKNOWN), () => word);
  const known = isBehind
    ? [[...inner, ...stands]].filter(() => stands.length > 0)
    : stands.slice(0, MAX_EACH).map(({ text }) => inner.map((arg) => ({ ...arg, text: putIn(arg, text) })));
  return judge(
    onlyUntold(run(isBehind ? [...marked, UNKNOWN_WORD] : marked)),
    ...known.map((args) => onlyDenials(run(args))),
  );
}

/** `{}`, `{.}`, `{1}`. */
const PARALLEL_MARK = /\{[^{}]*\}/;
/** Each of them is a command of its own; a list that is longer is not written by hand. */
const MAX_EACH = 32;

/** Stands for words that a program takes from its input. */
const UNKNOWN_WORD: Arg = { text: UNKNOWN, glob: false, literal: false, raw: UNKNOWN, commands: [] };

/**
 * The words of a call, with where it was looked in the place of what was found: `rm -rf $(find / -name x)` removes what lies
 * below the root directory. `undefined` where no word is made of that.
 */
export function withStandIns(args: readonly Arg[]): Arg[] | undefined {
  const words = args.map((arg) => (arg.text === UNKNOWN ? arg.commands.flatMap(lookedAt) : []));
  const isKnown = words.some((found) => found.length > 0);
  return isKnown ? args.flatMap((arg, at) => (words[at]?.length ? words[at] : [arg])) : undefined;
}

/** @param by what stands between two words */
function standIns(sources: readonly Command[], texts: readonly string[], by: RegExp): Arg[] {
  const printed = sources.flatMap((source) => printedText(source) ?? []);
  const words = [...printed, ...texts].flatMap((text) => text.split(by).filter(Boolean));
  const plain = words.map((text) => ({ ...HERE, text: text.replaceAll(/["'\\]/g, ""), raw: text }));
  return [...plain, ...sources.flatMap(lookedAt)];
}

/** Where a program looks that puts out names of files. */
function lookedAt({ args }: Command): readonly Arg[] {
  const program = unwrap(args);
  const places = program && LOOKS.get(program.name)?.(program.args);
  return places?.filter(({ text }) => !text.includes(UNKNOWN)) ?? [];
}

const operandsOf = (args: readonly Arg[]): readonly Arg[] => readLoosely(args).operands;
const orHere = (places: readonly Arg[]): readonly Arg[] => (places.length > 0 ? places : [HERE]);

/** The first operand of a program that searches says what for. */
const LOOKS: ReadonlyMap<string, (args: readonly Arg[]) => readonly Arg[]> = new Map([
  ["find", (args) => orHere(startsOf(args))],
  ["ls", (args) => orHere(operandsOf(args))],
  ["tree", (args) => orHere(operandsOf(args))],
  ["du", (args) => orHere(operandsOf(args))],
  ["fd", (args) => orHere(operandsOf(args).slice(1))],
  ["fdfind", (args) => orHere(operandsOf(args).slice(1))],
  ["grep", (args) => operandsOf(args).slice(1)],
  ["rg", (args) => operandsOf(args).slice(1)],
]);

const HERE: Arg = { text: ".", glob: false, literal: true, raw: ".", commands: [] };
