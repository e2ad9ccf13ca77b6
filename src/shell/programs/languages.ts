/**
 * Shells, interpreters, and programs that run commands for their user. A text that a shell is given is judged like the line it
 * stands in; code of other languages is looked through for what must be refused. Nothing here but some scripts of sed is ever
 * allowed unasked, not even `--version`: the tree may hold files that an interpreter loads on its own.
 */
import { UNKNOWN, ask, askOpaque, judge, textsOf, words, type Arg, type Judgement } from "../model.ts";
import { readShellArgs } from "../shell-args.ts";
import {
  inputTexts,
  programs,
  sourcesOf,
  touchLoosely,
  usePaths,
  type CommandCall,
  type ProgramTable,
} from "./call.ts";
import { scanCode } from "./code/scan-code.ts";
import { isUntold, judgeAwk, judgeSed } from "./code/sed-and-awk.ts";

export const LANGUAGES: ProgramTable = programs(
  `
shell: sh bash dash zsh ksh ksh93 mksh ash fish rbash csh tcsh yash oksh elvish xonsh nu
windows shell: cmd powershell pwsh
interpreter: python python2 python3 pypy pypy3 ipython perl ruby irb node nodejs deno bun tsx ts-node php lua luajit
  tclsh
  wish expect osascript rscript r julia ghci runghc guile racket sbcl clisp groovy scala kotlin java jshell swift elixir erl
  escript raku octave
escapes: vim vi nvim view ex ed emacs emacsclient nano pico joe mcedit gdb lldb less more most man info mail mailx mutt
  sqlite3 mysql psql redis-cli mongo mongosh dc bc gnuplot
build: make gmake cmake ninja just task rake gradle gradlew mvn mvnw ant bazel buck sbt lein meson scons
sed: sed
awk: awk gawk mawk nawk
it builds, which may run code of the project: cargo rustc rustup go gcc g++ cc c++ clang tsc dotnet msbuild swiftc javac
it runs configuration or code of the project: eslint prettier vitest jest mocha pytest tox nox pre-commit direnv
  terraform
  tofu ansible ansible-playbook vagrant packer webpack vite rollup husky lint-staged
`,
  {
    shell: judgeShell,
    "windows shell": judgeWindowsShell,
    interpreter: judgeInterpreter,
    escapes: judgeWithEscapes,
    build: judgeBuild,
    sed: judgeSed,
    awk: judgeAwk,
  },
);

/** A file of rules may come from another program: `make -f -`, `make -f <(...)`. */
function judgeBuild(call: CommandCall): Judgement {
  const texts = textsOf(call.args);
  const rules = texts.filter(
    (text, at) => /^(?:-f|--file|--makefile)$/.test(texts[at - 1] ?? "") || /^(?:-f.|--(?:make)?file=)/s.test(text),
  );
  return judge(
    ask("it runs what the project's files say"),
    (isUntold(rules) || rules.some((text) => INPUT.test(text))) && askOpaque("the rules it runs are not known before"),
    touchLoosely(call),
  );
}

const INPUT = /^(?:-f|--(?:make)?file=)?(?:-|\/dev\/(?:stdin|fd\/\d+))$/;

function judgeShell(call: CommandCall): Judgement {
  const { args, context } = call;
  const { text, file, readsInput } = readShellArgs(args);
  const untold = (text ?? file)?.text.includes(UNKNOWN) === true;
  return judge(
    ask("it starts a shell"),
    untold && askOpaque("the text it runs is not known before"),
    text !== undefined && context.assessText(text.text, sourcesOf(args)),
    file !== undefined && !untold && usePaths(call, [file], "read"),
    ...(readsInput ? inputTexts(call).map((body) => context.assessText(body)) : []),
  );
}

function judgeWindowsShell({ args, context }: CommandCall): Judgement {
  const texts = textsOf(args);
  const at = texts.findIndex((text) => /^(?:\/[ck]|-c|-command|--command|-enc\w*|-e)$/i.test(text));
  const script = texts.slice(at + 1).join(" ");
  return judge(
    ask("it starts a shell"),
    texts.some((text) => /^-e(?:nc\w*)?$/i.test(text)) && askOpaque("the text it runs is encoded"),
    scanCode(script, context),
    context.assessText(script),
  );
}

function judgeInterpreter(call: CommandCall): Judgement {
  const { args, context } = call;
  const fed = sourcesOf(args);
  const codes = [...textsOf(args), ...inputTexts(call)].filter((text) => /[\s(;"'`]/.test(text));
  return judge(
    ask(`${call.name} runs any code it is given`),
    isUntold([...codeOf(args), ...inputTexts(call)]) && askOpaque("the code it runs is not known before"),
    ...codes.map((code) => scanCode(code, context)),
    EDITS.has(call.name) && args.some(({ text }) => IN_PLACE.test(text)) && usePaths(call, filesOf(args), "write"),
    fed.length > 0 && args.some(({ text }) => /^-[a-zA-Z]*[ce]$/.test(text)) && context.assessText("", fed),
    touchLoosely(call),
  );
}

/** Their `-i` replaces the files that they are given: `perl -pi.bak -e`. */
const EDITS = words("perl ruby");
const IN_PLACE = /^-[acfhlnpsStuvwW0-7]*i/;

function filesOf(args: readonly Arg[]): Arg[] {
  return args.filter(({ text }, at) => !text.startsWith("-") && !/^-[a-zA-Z0]*[eE]$/.test(args[at - 1]?.text ?? ""));
}

/** What stands behind an option for it, else the first file. */
function codeOf(args: readonly Arg[]): string[] {
  const texts = textsOf(args);
  const given = texts.filter((text, at) => CODE.test(texts[at - 1] ?? "") || GLUED_CODE.test(text));
  return given.length > 0 ? given : texts.filter((text) => !text.startsWith("-")).slice(0, 1);
}

const CODE = /^-[a-zA-Z]*[ceErp]$|^eval$|^--(?:eval|execute|print|run)$/;
const GLUED_CODE = /^-[ceE].|^--(?:eval|execute|print|run)=/s;

/** Editors, pagers, debuggers, database clients: `!command`, `.shell command`, `\! command`. */
function judgeWithEscapes(call: CommandCall): Judgement {
  const texts = textsOf(call.args);
  const commands = [...texts, ...inputTexts(call)].flatMap((text) =>
    [...text.matchAll(/(?:^\+?|[:\s])(?:!|\.(?:shell|system)\s|\\!\s*|r!)\s*(.+)/g)].map(([, command = ""]) => command),
  );
  return judge(
    ask(`${call.name} can run other programs and waits for keys`),
    isUntold(texts) && askOpaque("the commands it is given are not known before"),
    ...commands.map((text) => call.context.assessText(text)),
    ...texts.map((text) => scanCode(text, call.context)),
    touchLoosely(call),
  );
}
