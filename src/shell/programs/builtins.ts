/**
 * Builtins of bash. Those that print are harmless; those that evaluate their words, change what later commands mean or
 * show the environment are asked about. Some evaluate text that was quoted (`printf -v 'a[$(x)]'`), so quotes protect nothing there.
 */
import {
  asks,
  askForExpanded,
  named,
  touchLoosely,
  usePaths,
  type CommandCall,
  type Program,
  type ProgramTable,
  judgeAssignment,
} from "../model/call.ts";
import { ask, askOpaque, deny, judged, merge, type Judgement } from "../model/judgement.ts";
import { UNKNOWN } from "../model/parts.ts";
import { reader } from "./reader.ts";

const reads = (reason: string): Program => asks(reason, "R4");

export const BUILTINS: ProgramTable = {
  ...named("true false :", (call) => judged(...askForExpanded(call.args))),
  echo: (call) => judged(...askForExpanded(call.args)),
  printf: judgePrintf,
  type: reader({ operands: "names", action: "metadata", options: "-a -f -p -P -t" }),
  which: reader({ operands: "names", action: "metadata", least: 1, options: "-a -s" }),
  expr: judgeExpr,
  seq: reader({
    operands: "text",
    least: 1,
    most: 3,
    options: "-s= -w -f=",
    digits: true,
    check: ({ operands }) =>
      operands.every(({ text }) => text.length < 8 && PLAIN_NUMBER.test(text)) ? [] : [ask("it prints without end")],
  }),
  ...named(". source", judgeSource),
  eval: judgeEval,
  trap: (call) => runsWords(call, "trap keeps a command for later", call.args.slice(0, 1)),
  alias: (call) =>
    runsWords(
      call,
      "an alias can take the name of a known program",
      call.args.map((arg) => ({ ...arg, text: arg.text.replace(/^[^=]*=/, "") })),
    ),
  ...named("complete compgen mapfile readarray bind", judgeCallback),
  ...named("cd pushd popd chdir", (call) =>
    merge([
      judged(ask("it changes the directory that later paths start from")),
      usePaths(call, call.args.slice(0, 1), "metadata"),
    ]),
  ),
  ...named(
    "set unset shopt enable hash export readonly declare typeset local setopt unsetopt umask ulimit unalias",
    judgeDeclaration,
  ),
  ...named("read getopts let", asks("it evaluates its words")),
  "[": asks("a test in brackets may evaluate its words"),
  "[[": asks("a test in brackets may evaluate its words"),
  printenv: reads("it prints the environment, which may hold secrets"),
  history: (call) =>
    call.args.some(({ text }) => /^-[a-z]*[cdw]/.test(text))
      ? judged(deny("it would hide traces"))
      : reads("it prints earlier commands")(call),
  fc: reads("it prints or runs earlier commands"),
  ...named(
    "bg fg jobs disown suspend logout exit return break continue shift wait times dirs caller",
    asks("it steers the shell"),
  ),
};

/** No `inf`, no exponent: `seq 1 inf` never ends. */
const PLAIN_NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/;

function judgePrintf(call: CommandCall): Judgement {
  const findings = askForExpanded(call.args);
  const first = call.args[0]?.text ?? "";
  if (first.startsWith("-") && first !== "--")
    return judged(...findings, ask("printf -v evaluates the name it is given"));
  const [format = "", ...values] = call.args.slice(first === "--" ? 1 : 0).map(({ text }) => text);
  // In a value it does nothing by itself: whoever puts it there means it as a format.
  const sets = values.some((text) => /%[^a-zA-Z%]*[a-zA-Z]*n/.test(text));
  return judged(
    ...findings,
    ...(sets ? [ask("printf %n sets a variable")] : []),
    ...(PLAIN_FORMAT.test(format) ? [] : [ask("a conversion of printf is not known to only print")]),
  );
}

/**
 * Text, and the conversions that only print. Bash takes any number of `h j l L t z` before a conversion, and `%n` with or
 * without them stores a number in the variable that it is given, which may be PATH; so none of it is here.
 *
 * Every text is read in one way only: with two, thirty conversions would be a thousand million.
 */
const PLAIN_FORMAT =
  /^(?:[^%]|%%|%[-+ #0']{0,5}(?:[1-9]\d{0,3})?(?:\.\d{0,4})?[diouxXeEfFgGaAcsbq]|%\((?:[^%()]|%[-_0^#]?[A-Za-z%])*\)T)*$/s;

function judgeExpr(call: CommandCall): Judgement {
  const isPlain = call.args.length > 0 && !call.args.some(({ text }) => text.startsWith("--"));
  return judged(...askForExpanded(call.args), ...(isPlain ? [] : [ask("expr has nothing to count")]));
}

function judgeSource(call: CommandCall): Judgement {
  const paths = usePaths(
    call,
    call.args.slice(0, 1).filter(({ text }) => !text.includes(UNKNOWN)),
    "read",
  );
  return merge([judged(askOpaque("it runs a file in this shell")), paths]);
}

function judgeEval(call: CommandCall): Judgement {
  const text = call.args.map((arg) => arg.text).join(" ");
  const fed = call.args.flatMap(({ commands }) => commands);
  return merge([judged(askOpaque("it reads its words as a command again")), call.context.assessText(text, fed)]);
}

function runsWords(call: CommandCall, reason: string, args: CommandCall["args"]): Judgement {
  return merge([judged(ask(reason)), ...args.map(({ text }) => call.context.assessText(text, []))]);
}

function judgeCallback(call: CommandCall): Judgement {
  const at = call.args.findIndex(({ text }) => /^-[a-z]*[CFx]$/.test(text));
  return runsWords(call, "it may evaluate a callback", at < 0 ? [] : call.args.slice(at + 1, at + 2));
}

/** What a poisoned variable does is judged by `judgeAssignment`; here only that the shell is changed. */
function judgeDeclaration(call: CommandCall): Judgement {
  const hides = call.args.some(({ text }) => /^HIST(?:FILE|SIZE|CONTROL)\b/.test(text));
  if (hides) return judged(deny("it would hide traces"));
  const untold = call.args.flatMap(({ text }) => {
    const [, name, value] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(text) ?? [];
    return name === undefined || value === undefined ? [] : judgeAssignment({ name, value });
  });
  return merge([
    judged(ask("it changes what later commands see", "R4"), ...untold.filter(({ opaque }) => opaque)),
    touchLoosely(call),
  ]);
}
