/**
 * The words of a shell that is started: the text that `-c` announces, the file that it runs otherwise, and whether it runs what
 * it reads.
 *
 * Usual mistake: to take every word without a dash for the file. `bash -euo pipefail` has none.
 */
import type { Arg } from "./model.ts";

export interface ShellArgs {
  /** Behind `-c`, wherever that stands. */
  readonly text: Arg | undefined;
  /** The first word that is no option and no value of one; not its input. */
  readonly file: Arg | undefined;
  /** Has neither, or is told to read its input: `-s`, `/dev/stdin`. */
  readonly readsInput: boolean;
}

export function readShellArgs(args: readonly Arg[]): ShellArgs {
  const option = args.findIndex(({ text }) => TAKES_TEXT.test(text));
  const first = firstOperand(args);
  const isTold = args.some(({ text }) => STDIN.test(text) || /^-[a-z]*s[a-z]*$/.test(text));
  if (option >= 0) return { text: textOf(args.slice(option)), file: undefined, readsInput: isTold };
  const file = first !== undefined && STDIN.test(first.text) ? undefined : first;
  return { text: undefined, file, readsInput: isTold || file === undefined };
}

/** The letter may stand in a bundle: `bash -lc`. */
const TAKES_TEXT = /^-[a-zA-Z]*c[a-zA-Z]*$|^--command(?:=|$)/;

/** Names of what a program gets as its input. */
export const STDIN: RegExp = /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/0)$/;

function textOf(args: readonly Arg[]): Arg | undefined {
  const [option] = args;
  const glued = option && /^--command=(.*)$/s.exec(option.text)?.[1];
  return option && glued !== undefined ? { ...option, text: glued } : firstOperand(args);
}

function firstOperand(args: readonly Arg[]): Arg | undefined {
  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.text ?? "";
    if (text === "--" || text === "-") return args[at + 1];
    if (!/^[-+]/.test(text)) return args[at];
    at += valuesOf(text);
  }
  return undefined;
}

/** Every `o` of a bundle takes a word behind it, the name of a setting. */
function valuesOf(option: string): number {
  if (option.startsWith("--")) return /^--(?:rcfile|init-file)$/.test(option) ? 1 : 0;
  return option.replace(/[^oO]/g, "").length;
}
