/**
 * Whether arithmetic would evaluate what the text of a line does not tell. Bash reads the value of a variable as an
 * expression again and runs what stands between its brackets, so `read x < f; ((x))` runs what `f` says. Only a variable
 * that the line itself sets, and only to numbers, is certain.
 *
 * Usual mistake: to follow the order of the line. A function or a loop may read what is set behind it.
 */
import { EXPANDS_UNTOLD, UNKNOWN, textsOf, unwrap, words, type Command } from "../model.ts";
import type { SyntaxNode } from "./grammar.ts";

/** What a script evaluates, and everything that it gives its variables, in any order. */
export interface Evaluation {
  readonly texts: string[];
  readonly values: { readonly name: string; readonly value: string }[];
}

/** Notes the part of a node that bash evaluates as arithmetic, or as the name of a variable. */
export function noteEvaluated(node: SyntaxNode, { texts, values }: Evaluation): void {
  const part = evaluatedPart(node);
  if (part !== undefined) texts.push(part);
  const [, name] = (node.type === "expansion" && /^\$\{([A-Za-z_]\w*)(?:\[.*\])?:?=/s.exec(node.text)) || [];
  if (name !== undefined) values.push({ name, value: UNKNOWN });
}

function evaluatedPart({ type, text, children }: SyntaxNode): string | undefined {
  switch (type) {
    case "arithmetic_expansion":
      return text.slice(2);
    case "command_substitution":
      // In a here-document the grammar takes the one for the other.
      return text.startsWith("$((") && text.endsWith("))") ? text.slice(2) : undefined;
    case "redirected_statement":
      // The grammar takes `{a[x]}<b` for a word and a redirection.
      return /\]\}[<>]/.test(text) ? text : undefined;
    case "compound_statement":
      return text.startsWith("((") ? text : undefined;
    case "c_style_for_statement":
      // The first word and the body are not evaluated.
      return children
        .slice(1)
        .filter((child) => child.type !== "do_group" && child.type !== "compound_statement")
        .map((child) => child.text)
        .join(" ");
    case "subscript":
      return /\[(?![@*]\])(.*)\]$/s.exec(text)?.[1];
    case "expansion":
      // The value of a parameter (`${!1}`) is never known.
      if (/\$\{!(?![A-Za-z_])/.test(text)) return UNKNOWN;
      // The grammar loses much of what stands inside, so the text counts.
      return EVALUATES.exec(text)?.[1];
    default:
      return undefined;
  }
}

/** @param elements of a list, whose subscripts are evaluated: `a=([x]=1)` */
export function noteAssigned(
  name: string,
  value: string,
  { texts, values }: Evaluation,
  elements: readonly SyntaxNode[] = [],
): void {
  values.push({ name, value });
  for (const { text } of elements) texts.push(/^\[(.*?)\]\+?=/s.exec(text)?.[1] ?? "");
}

/** What arithmetic gives is a number; its own words are looked at where it stands. */
export function isNumber(value: SyntaxNode | undefined): boolean {
  if (value?.type !== "string") return value?.type === "arithmetic_expansion";
  return value.children.every(({ named, type }) => !named || type === "arithmetic_expansion");
}

/** `${!x}`, `${x:1:y}`, also where they stand inside another expansion. */
const EVALUATES = /\$\{(?:!|\w*[@*]?(?:\[[^\]]*\])?:(?![-=?+]))(.*)\}$/s;

/**
 * Whether anything of it could be other than the numbers that stand in the line.
 * @param isInner the script is started by another one, whose variables it may have
 */
export function evaluatesUntold(
  { texts, values }: Evaluation,
  commands: readonly Command[],
  isInner: boolean,
): boolean {
  const all = { texts: [...texts], values: [...values] };
  for (const { args } of commands) readWords(unwrap(args), all);
  const evaluated = all.texts.map((text) =>
    text.replace(NUMBERS, " ").replace(/\$(?:\{([A-Za-z_]\w*)\}|(?=[A-Za-z_]))/g, " $1"),
  );
  if (all.values.some(({ name, value }) => EXPANDED.test(name) && EXPANDS_UNTOLD.test(value))) return true;
  const assigned = evaluated.flatMap((text) =>
    [...text.matchAll(/(?<!\w)([A-Za-z_]\w*)\s*=(?!=)/g)].map(([, name]) => name),
  );
  const told = new Set(isInner ? [] : [...all.values.map(({ name }) => name), ...assigned]);
  for (const { name, value } of all.values) if (!/^[-+\d\s]*$/.test(value)) told.delete(name);
  return evaluated.some(
    (text) =>
      /[$`\0]/.test(text) ||
      (text.match(/[A-Za-z_]\w*/g) ?? []).some((name) => !told.has(name) || SET_BY_BASH.test(name)),
  );
}

/** The shell itself expands and runs them. */
const EXPANDED = /^(?:PS[0-4]|ENV|BASH_ENV|PROMPT_COMMAND)$/;
/** Numbers, and expansions that are always one. */
const NUMBERS = /\$(?:[#?$!]|\{#[A-Za-z_]\w*(?:\[[@*]\])?\})|(?<!\w)\d[\w#]*/g;
/** Variables that the shell sets on its own, some of them to what a command was given. */
const SET_BY_BASH = /^(?:_|REPLY|MAPFILE|OPTARG|PWD|OLDPWD|DIRSTACK|FUNCNAME|BASH\w*)$/;

/** Builtins that set the variables that they are given the names of. */
const SETS: ReadonlySet<string> = words("read mapfile readarray getopts printf");
/** Builtins that keep a text which they run later, and which may set anything that it names. */
const KEEPS: ReadonlySet<string> = words("trap alias bind complete mapfile readarray");
const DECLARES: ReadonlySet<string> = words("declare typeset local export readonly");

/** Nobody writes a longer one. */
const MAX_BUNDLE = 64;

/** A name may be glued to any bundle of options: which of these it is does not matter. */
function endsOf(bundle: string): readonly string[] {
  return Array.from(bundle.slice(0, MAX_BUNDLE), (_, at) => bundle.slice(at));
}

function readWords(program: ReturnType<typeof unwrap>, { texts, values }: Evaluation): void {
  if (program === undefined) return;
  const given = textsOf(program.args);
  if (program.name === "let") texts.push(...given);
  const setsUnknown = (name: string): void => void values.push({ name, value: UNKNOWN });
  // `x` is `x[0]`, so what is put there is evaluated with the name alone.
  if (SETS.has(program.name) || DECLARES.has(program.name))
    for (const [, bundle = ""] of given.join(" ").matchAll(/(\w+) ?\[/g)) endsOf(bundle).forEach(setsUnknown);
  if (SETS.has(program.name))
    for (const text of given.filter((word) => /^-?\w+$/.test(word))) {
      if (!text.startsWith("-")) setsUnknown(text);
      else if (text.length < MAX_BUNDLE) endsOf(text).forEach(setsUnknown);
      else texts.push(UNKNOWN);
    }
  if (KEEPS.has(program.name)) for (const [name] of given.join(" ").matchAll(/[A-Za-z_]\w*/g)) setsUnknown(name);
  if (!DECLARES.has(program.name)) return;
  const isCounter = given.some((text) => /^-[a-zA-Z]*i/.test(text));
  for (const text of given) {
    const [, name, value = ""] = /^([A-Za-z_]\w*)(?:\+?=(.*))?$/s.exec(text) ?? [];
    if (name === undefined) continue;
    values.push({ name, value });
    if (isCounter) texts.push(name, value);
  }
}
