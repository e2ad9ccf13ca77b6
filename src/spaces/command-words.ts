/**
 * The words of a tool's `command`. No shell reads it: quotes keep blanks together, `{{x}}` is the value of a parameter as one whole
 * argument, and what would need a shell is refused, so that nobody believes that it does something.
 */

/** One word: a fixed text, or a parameter with what stands before it, as in `--branch={{branch}}`. */
export type Word = { readonly text: string } | { readonly parameter: string; readonly flag: string };

/** @throws Error that says why not, for a person */
export function readCommand(command: string): readonly Word[] {
  const words = splitWords(command).map(readWord);
  if (words.length === 0) throw new Error("its command is empty");
  const used = words.flatMap((word) => ("parameter" in word ? word.parameter : []));
  const twice = used.find((name, index) => used.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`its command has {{${twice}}} twice`);
  if (words[0] && "parameter" in words[0]) throw new Error("its program may not be a parameter");
  return words;
}

const TEMPLATE = /\{\{\s*([A-Za-z_]\w{0,63})\s*\}\}/;
/** A blank, a quoted text, a parameter, a plain character. */
const PART = /\s+|'([^']*)'|"([^"]*)"|(\{\{[^{}]*\}\})|([^\s'"])/y;
/** What a shell would act upon. */
const OF_SHELL = /[|&;<>()$`\\*?[\]~#!\n]/;

function splitWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  PART.lastIndex = 0;
  while (PART.lastIndex < command.length) {
    const at = PART.lastIndex;
    const found = PART.exec(command);
    if (!found) throw new Error(`its command has a quote without an end at ${at + 1}`);
    const [all, single, double, template, plain] = found;
    if (plain !== undefined && OF_SHELL.test(plain)) throw new Error(needsShell(plain));
    if (double !== undefined && /[$`\\]/.test(double)) throw new Error(needsShell(double));
    const text = single ?? double ?? template ?? plain;
    if (text !== undefined) word = (word ?? "") + text;
    else if (all.includes("\n") && command.slice(PART.lastIndex).trim() !== "") throw new Error(needsShell("\n"));
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function needsShell(what: string): string {
  return `its command has ${JSON.stringify(what.slice(0, 20))}, which needs a shell, and none reads it: put that into a script of the space`;
}

function readWord(text: string): Word {
  const found = TEMPLATE.exec(text);
  if (!found) {
    if (text.includes("{{"))
      throw new Error(`its command has ${JSON.stringify(text.slice(0, 60))}, which names no parameter`);
    // Read as a parameter by what starts the program.
    if (/^\{\w+\}$/.test(text)) throw new Error(`its command has ${text}: a parameter has two braces, {{x}}`);
    return { text };
  }
  const [template, parameter = ""] = found;
  const flag = text.slice(0, found.index);
  const isWhole = found.index + template.length === text.length && (flag === "" || /^--?[\w-]+=$/.test(flag));
  if (isWhole) return { parameter, flag };
  throw new Error(
    `its command has ${JSON.stringify(text.slice(0, 60))}: {{${parameter}}} is a whole word, or stands behind --name=`,
  );
}
