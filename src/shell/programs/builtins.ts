/**
 * Builtins of bash. Those that print are harmless; those that evaluate their words, change what later commands mean or
 * show the environment are asked about. Some evaluate text that was quoted (`printf -v 'a[$(x)]'`), so quotes protect
 * nothing there.
 */
import { UNKNOWN, ask, askOpaque, deny, judge, onlyDenials, textsOf, type Judgement } from "../model.ts";
import { KEEPS_HISTORY, judgeAssignment } from "../variables.ts";
import {
  askForExpanded,
  asks,
  named,
  sourcesOf,
  touchLoosely,
  usePaths,
  type CommandCall,
  type Program,
  type ProgramTable,
} from "./call.ts";
import { EVALUATES_NAME, askForNames } from "./names.ts";
import { judgeTested } from "./tested-paths.ts";
import { readers } from "./reader.ts";

const printsWords: Program = (call) => judge(askForExpanded(call.args));

const READERS = `
type: names metadata -afpPt
which: names metadata least=1 -as
seq: text least=1 most=3 digits -w -s= -f=
`;

export const BUILTINS: ProgramTable = {
  ...named("true false : echo", printsWords),
  printf: judgePrintf,
  ...readers(READERS, {
    seq: {
      check: ({ operands }) =>
        !operands.every(({ text }) => text.length < 8 && PLAIN_NUMBER.test(text)) && ask("it prints without end"),
    },
  }),
  expr: ({ args }) =>
    judge(
      askForExpanded(args),
      (args.length === 0 || args.some(({ text }) => text.startsWith("--"))) && ask("expr has nothing to count"),
    ),
  ...named(". source", (call) => {
    const files = call.args.slice(0, 1).filter(({ text }) => !text.includes(UNKNOWN));
    return judge(askOpaque("it runs a file in this shell"), usePaths(call, files, "read"));
  }),
  eval: ({ args, context }) =>
    judge(
      askOpaque("it reads its words as a command again"),
      context.assessText(textsOf(args).join(" "), sourcesOf(args)),
    ),
  trap: (call) => {
    const words = textsOf(call.args).filter((text) => text !== "--");
    return runsWords(call, "trap keeps a command for later", words.slice(0, 1));
  },
  alias: (call) => {
    const values = textsOf(call.args).map((text) => text.replace(/^[^=]*=/, ""));
    return runsWords(call, "an alias can take the name of a known program", values);
  },
  ...named("complete compgen mapfile readarray bind", (call) => {
    const texts = textsOf(call.args);
    const at = texts.findIndex((text) => CALLBACK.test(text));
    const text = CALLBACK.exec(texts[at] ?? "")?.[1] || texts[at + 1];
    return judge(
      runsWords(call, "it may evaluate a callback", at < 0 || text === undefined ? [] : [text]),
      // The words of `-W` are expanded once more.
      call.name.startsWith("comp") && texts.some((word) => /[$`]|[<>]\(/.test(word)) && EVALUATES_NAME,
      askForNames(call.args),
    );
  }),
  ...named("cd pushd popd chdir", (call) =>
    judge(
      ask("it changes the directory that later paths start from"),
      usePaths(call, call.args.slice(0, 1), "metadata"),
    ),
  ),
  ...named(
    "set unset shopt enable hash export readonly declare typeset local setopt unsetopt umask ulimit unalias",
    judgeDeclaration,
  ),
  ...named("read getopts let", (call) => judge(ask("it evaluates its words"), askForNames(call.args))),
  ...named("[ [[", (call) => judge(ask("it has a test in brackets, which may evaluate its words"), judgeTested(call))),
  wait: ({ args }) =>
    judge(ask("it steers the shell"), args.some(({ text }) => /^-\w*p/.test(text)) && askForNames(args)),
  printenv: asks("it prints the environment, which may hold secrets", "R4"),
  history: (call) =>
    call.args.some(({ text }) => /^-[a-z]*[cdw]/.test(text))
      ? judge(deny("it would hide traces"))
      : asks("it prints earlier commands", "R4")(call),
  fc: asks("it prints or runs earlier commands", "R4"),
  ...named(
    "bg fg jobs disown suspend logout exit return break continue shift times dirs caller",
    asks("it steers the shell"),
  ),
};

/** Options whose value is run; it may be glued to them. */
const CALLBACK = /^-[a-z]*[CFx](.*)$/s;

/** No `inf`, no exponent: `seq 1 inf` never ends. */
const PLAIN_NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/;

function judgePrintf({ args }: CommandCall): Judgement {
  const [first = "", ...more] = textsOf(args);
  if (first.startsWith("-") && first !== "--")
    return judge(askForExpanded(args), askForNames(args), ask("printf -v evaluates the name it is given"));
  const [format = "", ...values] = first === "--" ? more : [first, ...more];
  // In a value it does nothing by itself: whoever puts it there means it as a format.
  const sets = values.some((text) => /%[^a-zA-Z%]*[a-zA-Z]*n/.test(text));
  return judge(
    askForExpanded(args),
    sets && ask("printf %n sets a variable"),
    !PLAIN_FORMAT.test(format) && ask("a conversion of printf is not known to only print"),
    evaluatesValues(format, values) && ask("some shells evaluate what printf is to write as a number"),
  );
}

/** A format is used again and again until all values are written. */
function evaluatesValues(format: string, values: readonly string[]): boolean {
  const conversions = format.match(CONVERSION)?.filter((conversion) => conversion !== "%%") ?? [];
  return values.some((value, at) => {
    const conversion = conversions[at % conversions.length];
    return conversion !== undefined && !/[csbq]$/.test(conversion) && !NUMBER.test(value);
  });
}

/** `-1.5`, `0x1f`, `1e3`, and `'A` for the number of a character. */
const NUMBER = /^(?:[-+]?(?:[\d.]*|0[xX][\da-fA-F]+|\d[\d.]*[eE][-+]?\d+)|['"][A-Za-z])$/;
const CONVERSION = /%(?:%|\([^()]*\)T|[^a-zA-Z%]*[a-zA-Z])/g;

/**
 * Text, and the conversions that only print. Bash takes any number of `h j l L t z` before a conversion, and `%n` with or
 * without them stores a number in the variable that it is given, which may be PATH; so none of it is here.
 *
 * Every text is read in one way only: with two, thirty conversions would be a thousand million.
 */
const PLAIN_FORMAT =
  /^(?:[^%]|%%|%[-+ #0']{0,5}(?:[1-9]\d{0,3})?(?:\.\d{0,4})?[diouxXeEfFgGaAcsbq]|%\((?:[^%()]|%[-_0^#]?[A-Za-z%])*\)T)*$/s;

function runsWords({ context }: CommandCall, reason: string, texts: readonly string[]): Judgement {
  return judge(ask(reason), ...texts.map((text) => context.assessText(text)));
}

/** What a poisoned variable does is judged by `judgeAssignment`; here only that the shell is changed. */
function judgeDeclaration(call: CommandCall): Judgement {
  const texts = textsOf(call.args);
  const hides =
    texts.some((text) => KEEPS_HISTORY.test(text.replace(/\+?=.*/s, ""))) ||
    (call.name === "set" && texts.some((text, at) => text === "history" && /^\+\w*o$/.test(texts[at - 1] ?? "")));
  if (hides) return judge(deny("it would hide traces"));
  const assigned = texts.flatMap((text) => {
    const [, name, value] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(text) ?? [];
    return name === undefined || value === undefined ? [] : { name, value };
  });
  const values = assigned.map(({ value }) => value).filter((value) => /\s/.test(value));
  return judge(
    ask("it changes what later commands see", "R4"),
    ...assigned.map(judgeAssignment).filter(({ opaque }) => opaque),
    // As of an assignment that stands alone.
    ...values.map((value) => onlyDenials(call.context.assessText(value))),
    /^(?:unset|export|readonly|declare|typeset|local)$/.test(call.name) && askForNames(call.args),
    // What is then said of one variable holds for another, whose name may be an expression.
    /^(?:declare|typeset|local)$/.test(call.name) && texts.some((text) => /^-\w*n/.test(text)) && EVALUATES_NAME,
    touchLoosely(call),
  );
}
