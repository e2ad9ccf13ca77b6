/**
 * What a test looks at: `test`, `[` and `[[`, whose words say which of them are paths, and which are evaluated.
 */
import { judge, type Arg, type Judgement } from "../model.ts";
import { askForExpanded, usePaths, type CommandCall } from "./call.ts";
import { EVALUATES_NAME, askForNames } from "./names.ts";

/** Operators that look at the file behind them. */
export const OF_FILE: RegExp = /^-[abcdefghkLprsSuwxGON]$/;
/** Operators that compare the files beside them. */
const OF_FILES: RegExp = /^-(?:nt|ot|ef)$/;
/** Operators that compare numbers: `[[` evaluates what stands beside them as arithmetic, and so do some shells for the others. */
const OF_NUMBERS: RegExp = /^-(?:eq|ne|lt|le|gt|ge)$/;
const NUMBER: RegExp = /^[-+]?\d+$/;

/** `-a` joins two tests too; a word behind it that is no path is one more name that the scope is asked for. */
export function judgeTested(call: CommandCall): Judgement {
  const { args } = call;
  const isBeside = (at: number, operators: RegExp): boolean =>
    [at - 1, at + 1].some((other) => operators.test(args[other]?.text ?? ""));
  const isTested = (_: Arg, at: number): boolean => OF_FILE.test(args[at - 1]?.text ?? "") || isBeside(at, OF_FILES);
  const evaluates = args.some(({ text }, at) => isBeside(at, OF_NUMBERS) && !NUMBER.test(text));
  const names = args.filter((_, at) => /^-[vR]$/.test(args[at - 1]?.text ?? ""));
  return judge(
    askForExpanded(args),
    evaluates && EVALUATES_NAME,
    askForNames(names),
    usePaths(call, args.filter(isTested), "metadata"),
  );
}
