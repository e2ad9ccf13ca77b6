/**
 * What the pattern of an allow rule lets run besides what it seems to name. `*` stands for any text, so `bash *` allows every
 * command, `curl *` every address and `npm*` also `npx`. Which programs are alike is said by the tables that judge a line,
 * and by nothing else: a program added to a row there is known here.
 *
 * Usual mistake: to take "nothing found" for "narrow". Only programs that are known to carry others are named.
 */
import { findProgram, knownPrograms } from "./assess.ts";
import { BUILTINS } from "./programs/builtins.ts";
import type { Program } from "./programs/call.ts";
import { FIND } from "./programs/find.ts";
import { GIT } from "./programs/git.ts";
import { LANGUAGES } from "./programs/languages.ts";
import { MACHINE } from "./programs/machine.ts";
import { WRAPPERS } from "./programs/wrappers.ts";

interface Carrier {
  readonly what: string;
  /** A first operand that stands before the star says what is run (`bash build.sh *`); else any star is too many. */
  readonly isHeldByOperand: boolean;
}

const heldByOperand = (what: string): Carrier => ({ what, isHeldByOperand: true });
const neverHeld = (what: string): Carrier => ({ what, isHeldByOperand: false });

/** One program of each row of the tables, and what those of that row let through. */
const CARRIERS: ReadonlyMap<Program | undefined, Carrier> = new Map([
  [LANGUAGES["bash"], heldByOperand("a shell, which runs any command")],
  [LANGUAGES["cmd"], heldByOperand("a shell, which runs any command")],
  [LANGUAGES["python"], heldByOperand("an interpreter, which runs any code")],
  [LANGUAGES["vim"], neverHeld("a program that can start any other one")],
  [LANGUAGES["awk"], neverHeld("a program that can start any other one")],
  [LANGUAGES["sed"], neverHeld("a program that can start any other one")],
  [FIND["find"], neverHeld("a program that can start any other one")],
  [GIT["git"], heldByOperand("every command of git, and aliases that start any program")],
  [MACHINE["curl"], neverHeld("a downloader, which reaches any address")],
  [MACHINE["nc"], neverHeld("a program that connects to any address")],
  [MACHINE["npm"], heldByOperand("a package manager, which fetches and runs any package")],
  [WRAPPERS["npx"], heldByOperand("a package runner, which fetches and runs any package")],
  [WRAPPERS["ssh"], neverHeld("a program that runs commands on other machines")],
  [BUILTINS["eval"], neverHeld("a command that runs its words as a command")],
  [BUILTINS["source"], heldByOperand("a command that runs any file in this shell")],
]);

const ANYTHING = "any command line";
/** Verbs of package managers that take any package. */
const RUN_PACKAGE: readonly string[] = ["exec", "dlx", "x", "i", "install", "add"];
/** The code itself stands behind it; `-c` may be the last of several letters. */
const TAKES_CODE = /^-[a-zA-Z]*[ceE]$|^--?(?:eval|execute|command|print|exec)$/;

/**
 * @param pattern of a rule about command lines; `undefined`: there is none, and every line is meant
 * @returns what it lets through, in words that follow "it allows"; `undefined` where nothing was found
 */
export function findWidth(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return ANYTHING;
  for (const part of pattern.split(/&&|\|\||[;|&\n]/)) {
    const found = widthOf(part.trim().split(/\s+/).map(bare));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Quotes and escapes change nothing about which program it is. */
function bare(word: string): string {
  return word.replaceAll(/["'\\]/g, "");
}

function widthOf(words: readonly string[]): string | undefined {
  const [first = "", ...others] = words;
  // A star in the value of a variable can be a whole command before the one that is named.
  if (/^[A-Za-z_]\w*=/.test(first)) return first.includes("*") ? ANYTHING : widthOf(others);
  const star = first.indexOf("*");
  const name = first.replace(/^.*\//, "").toLowerCase();
  if (star >= 0) return widthOfBeginning(first.slice(0, star).replace(/^.*\//, "").toLowerCase());
  const program = findProgram(name);
  const carrier = CARRIERS.get(program);
  if (carrier) return isHeld(carrier, others) ? undefined : `${name}, ${carrier.what}`;
  if (program && isWrapper(program))
    return others.some((word) => word.includes("*")) ? widthBehind(name, others) : undefined;
  return undefined;
}

/** `npm*` means every program whose name begins so. */
function widthOfBeginning(beginning: string): string | undefined {
  if (beginning === "") return ANYTHING;
  for (const [name, program] of knownPrograms()) {
    if (!name.startsWith(beginning)) continue;
    const carrier = CARRIERS.get(program);
    if (carrier) return `${name}, ${carrier.what}`;
    if (isWrapper(program)) return `${name}, ${STARTS_ANY}`;
  }
  return undefined;
}

const STARTS_ANY = "which starts any other program";

function isWrapper(program: Program): boolean {
  return Object.values(WRAPPERS).includes(program);
}

/** What stands before the program that is started: options, durations and variables. */
function widthBehind(name: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => !/^(?:-[^*]*|[\d.]+[smhd]?|[A-Za-z_]\w*=[^*]*)$/.test(word));
  const behind = words.slice(at < 0 ? words.length : at);
  return behind[0]?.startsWith("*") || behind.length === 0 ? `${name}, ${STARTS_ANY}` : widthOf(behind);
}

function isHeld({ isHeldByOperand }: Carrier, words: readonly string[]): boolean {
  const star = words.findIndex((word) => word.includes("*"));
  if (!isHeldByOperand) return star < 0;
  const fixed = (star < 0 ? words : words.slice(0, star)).filter((word) => word !== "");
  if (star >= 0 && fixed.some((word) => TAKES_CODE.test(word))) return false;
  const begun = words[star]?.split("*", 1)[0] ?? "";
  const [verb, ...others] = [...fixed, begun].filter((word) => word !== "" && !word.startsWith("-"));
  if (verb === undefined) return false;
  if (star < 0 || others.length > 0) return true;
  // `npm e*` begins `npm exec`.
  return !RUN_PACKAGE.some((name) => (verb === begun ? name.startsWith(verb) : name === verb));
}
