/**
 * Shells and interpreters. A text that a shell is given is judged like the line it stands in; code of other languages is
 * looked through for what must be refused. Nothing here is ever allowed unasked, not even `--version`: the tree may hold
 * files that an interpreter loads on its own.
 */
import { asks, named, touchLoosely, usePaths, type CommandCall, type ProgramTable } from "../model/call.ts";
import { ask, askOpaque, judged, merge, type Finding, type Judgement } from "../model/judgement.ts";
import { UNKNOWN, type Arg } from "../model/parts.ts";
import { scanCode } from "./scan-code.ts";

export const INTERPRETERS: ProgramTable = {
  ...named("sh bash dash zsh ksh ksh93 mksh ash fish rbash csh tcsh yash oksh elvish xonsh nu", judgeShell),
  ...named("cmd powershell pwsh", judgeWindowsShell),
  ...named(
    "python python2 python3 pypy pypy3 ipython perl ruby irb node nodejs deno bun tsx ts-node php lua luajit tclsh wish expect " +
      "osascript rscript r julia ghci runghc guile racket sbcl clisp groovy scala kotlin java jshell swift elixir erl escript raku octave",
    judgeInterpreter,
  ),
  ...named(
    "vim vi nvim view ex ed emacs emacsclient nano pico joe mcedit gdb lldb less more most man info mail mailx mutt sqlite3 mysql psql redis-cli mongo mongosh dc bc gnuplot",
    judgeWithEscapes,
  ),
  ...named(
    "make gmake cmake ninja just task rake gradle gradlew mvn mvnw ant bazel buck sbt lein meson scons",
    judgeBuild,
  ),
  ...named(
    "cargo rustc rustup go gcc g++ cc c++ clang tsc dotnet msbuild swiftc javac",
    asks("it builds, which may run code of the project"),
  ),
  ...named(
    "eslint prettier vitest jest mocha pytest tox nox pre-commit direnv terraform tofu ansible ansible-playbook vagrant packer webpack vite rollup husky lint-staged",
    asks("it runs configuration or code of the project"),
  ),
};

/** A file of rules may come from another program: `make -f -`, `make -f <(...)`. */
function judgeBuild(call: CommandCall): Judgement {
  const rules = call.args.filter(
    ({ text }, at) =>
      /^(?:-f|--file|--makefile)$/.test(call.args[at - 1]?.text ?? "") || /^(?:-f.|--(?:make)?file=)/s.test(text),
  );
  const untold = rules.some(({ text }) => text.includes(UNKNOWN) || INPUT.test(text));
  return merge([
    judged(
      ask("it runs what the project's files say"),
      ...(untold ? [askOpaque("the rules it runs are not known before")] : []),
    ),
    touchLoosely(call),
  ]);
}

const INPUT = /^(?:-f|--(?:make)?file=)?(?:-|\/dev\/(?:stdin|fd\/\d+))$/;

/** `-c` may stand in a bundle: `bash -lc`. */
function judgeShell(call: CommandCall): Judgement {
  const fed = call.args.flatMap(({ commands }) => commands);
  const at = call.args.findIndex(({ text }) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text) || text === "--command");
  const script = call.args.slice(at + 1).find(({ text }) => !/^[-+][a-zA-Z]/.test(text));
  const floor = ask("it starts a shell");
  if (at >= 0 && script !== undefined)
    return merge([judged(floor, ...opaque(script)), call.context.assessText(script.text, fed)]);
  const file = call.args.find(
    ({ text }, index) => !/^[-+]/.test(text) && !/^[-+]o$/i.test(call.args[index - 1]?.text ?? ""),
  );
  if (file !== undefined)
    return merge([judged(floor, ...opaque(file)), usePaths(call, file.text.includes(UNKNOWN) ? [] : [file], "read")]);
  return merge([judged(floor), ...inputTexts(call).map((text) => call.context.assessText(text, []))]);
}

function opaque(script: Arg): ReturnType<typeof askOpaque>[] {
  return script.text.includes(UNKNOWN) ? [askOpaque("the text it runs is not known before")] : [];
}

/** Here-documents and here-strings, which a shell without a file runs. What is piped in is a matter of `flows.ts`. */
function inputTexts({ command }: CommandCall): string[] {
  return command.redirects.flatMap(({ body }) => (body === undefined ? [] : [body]));
}

function judgeWindowsShell(call: CommandCall): Judgement {
  const words = call.args.map(({ text }) => text);
  const at = words.findIndex((text) => /^(?:\/[ck]|-c|-command|--command|-enc\w*|-e)$/i.test(text));
  const script = words.slice(at + 1).join(" ");
  const encoded = words.some((text) => /^-e(?:nc\w*)?$/i.test(text)) ? [askOpaque("the text it runs is encoded")] : [];
  return merge([
    judged(ask("it starts a shell"), ...encoded),
    scanCode(script, call.context),
    call.context.assessText(script, []),
  ]);
}

function judgeInterpreter(call: CommandCall): Judgement {
  const fed = call.args.flatMap(({ commands }) => commands);
  const codes = [...call.args.map(({ text }) => text), ...inputTexts(call)].filter((text) => /[\s(;"'`]/.test(text));
  return merge([
    judged(ask(`${call.name} runs any code it is given`), ...untoldCode(call)),
    ...codes.map((code) => scanCode(code, call.context)),
    ...(call.args.some(({ text }) => /^-[a-zA-Z]*[ce]$/.test(text)) && fed.length > 0
      ? [call.context.assessText("", fed)]
      : []),
    touchLoosely(call),
  ]);
}

/** The code is what stands behind an option for it, else the first file; and what a here-document brings. */
function untoldCode(call: CommandCall): Finding[] {
  const given = call.args.filter(({ text }, at) => CODE.test(call.args[at - 1]?.text ?? "") || GLUED_CODE.test(text));
  const file = call.args.find(({ text }) => !text.startsWith("-"));
  const codes = given.length > 0 ? given : file === undefined ? [] : [file];
  const isUntold =
    codes.some(({ text }) => text.includes(UNKNOWN)) || inputTexts(call).some((text) => text.includes(UNKNOWN));
  return isUntold ? [askOpaque("the code it runs is not known before")] : [];
}

const CODE = /^-[a-zA-Z]*[ceErp]$|^eval$|^--(?:eval|execute|print|run)$/;
const GLUED_CODE = /^-[ceE].|^--(?:eval|execute|print|run)=/s;

/** Editors, pagers, debuggers, database clients: `!command`, `.shell command`, `\! command`. */
function judgeWithEscapes(call: CommandCall): Judgement {
  const commands = [...call.args.map(({ text }) => text), ...inputTexts(call)].flatMap((text) =>
    [...text.matchAll(/(?:^|[:\s])(?:!|\.(?:shell|system)\s|\\!\s*|r!)\s*(.+)/g)].map(([, command = ""]) => command),
  );
  return merge([
    judged(
      ask(`${call.name} can run other programs and waits for keys`),
      ...(call.args.some(({ text }) => text.includes(UNKNOWN))
        ? [askOpaque("the commands it is given are not known before")]
        : []),
    ),
    ...commands.map((text) => call.context.assessText(text, [])),
    ...call.args.map(({ text }) => scanCode(text, call.context)),
    touchLoosely(call),
  ]);
}
