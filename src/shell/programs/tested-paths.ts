/**
 * What a test looks at: `test`, `[` and `[[`, whose words say which of them are paths.
 */
import { judge, type Arg, type Judgement } from "../model.ts";
import { askForExpanded, usePaths, type CommandCall } from "./call.ts";
import { askForNames } from "./names.ts";

/** Operators that look at the file behind them. */
export const OF_FILE: RegExp = /^-[abcdefghkLprsSuwxGON]$/;
/** Operators that compare the files beside them. */
const OF_FILES: RegExp = /^-(?:nt|ot|ef)$/;

/** `-a` joins two tests too; a word behind it that is no path is one more name that the scope is asked for. */
export function judgeTested(call: CommandCall): Judgement {
  const { args } = call;
  const isTested = (_: Arg, at: number): boolean =>
    OF_FILE.test(args[at - 1]?.text ?? "") || [at - 1, at + 1].some((other) => OF_FILES.test(args[other]?.text ?? ""));
  const names = args.filter((_, at) => /^-[vR]$/.test(args[at - 1]?.text ?? ""));
  return judge(askForExpanded(args), askForNames(names), usePaths(call, args.filter(isTested), "metadata"));
}
