/**
 * Shells, interpreters, and programs whose first operand is a program of its own: sed and awk. A text that a shell is given is
 * judged like the line it stands in; code of other languages is looked through for what must be refused. Of the small languages
 * only the forms that can be recognised as printing are harmless. Nothing else here is ever allowed unasked, not even
 * `--version`: the tree may hold files that an interpreter loads on its own.
 */
import {
  UNKNOWN,
  ask,
  askOpaque,
  deny,
  judge,
  onlyDenials,
  textsOf,
  type Arg,
  type Finding,
  type Judgement,
} from "../model.ts";
import {
  WAITS,
  askForExpanded,
  hasInput,
  hasOption,
  inputTexts,
  parseOptionTable,
  programs,
  readOptions,
  sourcesOf,
  touchLoosely,
  usePaths,
  type CommandCall,
  type Context,
  type ProgramTable,
} from "./call.ts";
import { readShellArgs } from "../shell-args.ts";
import { askForUnknown } from "./reader.ts";

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

const isUntold = (texts: readonly string[]): boolean => texts.some((text) => text.includes(UNKNOWN));

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
    fed.length > 0 && args.some(({ text }) => /^-[a-zA-Z]*[ce]$/.test(text)) && context.assessText("", fed),
    touchLoosely(call),
  );
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
    [...text.matchAll(/(?:^|[:\s])(?:!|\.(?:shell|system)\s|\\!\s*|r!)\s*(.+)/g)].map(([, command = ""]) => command),
  );
  return judge(
    ask(`${call.name} can run other programs and waits for keys`),
    isUntold(texts) && askOpaque("the commands it is given are not known before"),
    ...commands.map((text) => call.context.assessText(text)),
    ...texts.map((text) => scanCode(text, call.context)),
    touchLoosely(call),
  );
}

const SED_OPTIONS = parseOptionTable(
  "-n -e= -E -r -s -u -z --quiet --silent --expression= --regexp-extended --separate --unbuffered --null-data " +
    "-i=? --in-place=?",
);

/**
 * Between slashes, read alike by every sed: an escaped slash, and square brackets that hold none. Elsewhere one of them would
 * take a slash for the end that another takes for a part.
 */
const SED_PATTERN = String.raw`/(?:[^/\\\n[]|\\[^\n]|\[(?:\^|(?!\^))(?:\]|MEMBER)MEMBER*\])*/[IM]*`.replaceAll(
  "MEMBER",
  String.raw`(?:[^\]\\/\n[]|\[:[a-z]+:\])`,
);
const SED_LINE = String.raw`(?:\d+(?:~\d+)?|\$|${SED_PATTERN})`;
const SED_PRINT = String.raw`[ \t]*(?:${SED_LINE}(?:,(?:[+~]\d+|${SED_LINE}))?[ \t]*(?:![ \t]*)?)?[p=q][ \t]*`;
/** Prints lines, or their numbers: `5p`, `3,$p`, `/a/,/b/p`, `$=`, `9q`. Anything more may hide a `w`, `r` or `e`. */
const SED_PRINTS = new RegExp(`^${SED_PRINT}(?:[;\\n]${SED_PRINT})*$`);
const SED_NOTES = new Map(["-f", "--file"].map((name) => [name, "takes its script from a file"]));

function judgeSed(call: CommandCall): Judgement {
  const read = readOptions(call.args, SED_OPTIONS);
  const given = read.options.filter(({ name }) => name === "-e" || name === "--expression");
  const isInPlace = hasOption(read, "-i --in-place") || read.unknown.includes("-i");
  const isGiven = given.length > 0;
  const texts = isGiven ? given.map(({ value }) => value?.text ?? "") : textsOf(read.operands.slice(0, 1));
  const files = isGiven ? read.operands : read.operands.slice(1);
  const onlyPrints =
    hasOption(read, "-n --quiet --silent") && texts.length > 0 && texts.every((script) => SED_PRINTS.test(script));
  const runs = (onlyPrints ? [] : texts).flatMap((text) => [
    ...text.matchAll(/(?:^|[\d$/;{}\n])[^\S\n]*e\s+([^\n]+)/g),
  ]);
  return judge(
    askForExpanded(call.args),
    ...askForUnknown(read.unknown, "sed", SED_NOTES),
    askForUntoldProgram(call),
    isInPlace && ask("sed edits files in place"),
    !onlyPrints && ask("a sed script may write, read or run something"),
    files.length === 0 && !hasInput(call) && WAITS,
    usePaths(call, files, isInPlace ? "write" : "read"),
    ...runs.map(([, text = ""]) => call.context.assessText(text)),
  );
}

function judgeAwk(call: CommandCall): Judgement {
  const files = call.args.slice(1).filter(({ text }) => /^[\w./~]/.test(text));
  return judge(
    ask("an awk program can run, read and write anything"),
    askForUntoldProgram(call),
    ...call.args.map(({ text }) => scanCode(text, call.context)),
    usePaths(call, files, "any"),
  );
}

/** The program of sed or awk itself: its first operand, or the file that `-f` names. */
function askForUntoldProgram({ args }: CommandCall): Finding | undefined {
  const texts = textsOf(args);
  const given = texts.filter((_text, at) => /^-(?:[a-zA-Z]*[ef]|-file|-expression)$/.test(texts[at - 1] ?? ""));
  const program = given.length > 0 ? given : texts.filter((text) => !text.startsWith("-")).slice(0, 1);
  const isInput = texts.some(
    (text, at) => /^(?:-f|--file)$/.test(text) && /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/.test(texts[at + 1] ?? ""),
  );
  return isInput || isUntold(program) ? askOpaque("the program it runs is not known before") : undefined;
}

/**
 * Code of another language on a command line (`python -c`, `perl -e`, `awk`), which is not parsed. It is asked about in
 * any case; this looks for what would make it a refusal: shell commands in its strings, and the shape of a reverse shell.
 *
 * Usual mistake: to take "nothing found" for "harmless". Nothing found still means ask.
 */
function scanCode(code: string, context: Context): Judgement {
  const isHidden =
    EVALUATES.test(code) ||
    FEEDS_SHELL.test(code) ||
    STARTS_UNTOLD.test(code) ||
    (DECODES.test(code) && STARTS_PROGRAM.test(code));
  return judge(
    isHidden && askOpaque("the code it runs is made or decoded when it runs"),
    scanForRefusal(code, context),
  );
}

/** Code that evaluates text, or starts programs by words that do not stand in it. */
const EVALUATES =
  /(?<![.\w$])(?:exec|execfile|compile|load|loadstring|__import__|create_function)\s*\(|\beval\b(?!\s*\{)|\b(?:instance|class|module)_eval\b|\bnew\s+Function\b|(?<![.\w])Function\s*\(|\b(?:vm\.run\w*|marshal\.loads?|pickle\.loads?|runpy\.\w+)\s*\(/;
/** A pipe of awk into a shell, or from and into a command that is not a literal. */
const FEEDS_SHELL =
  /\|&?\s*["'](?:[^\s"']*\/)?(?:ba|da|z|k)?sh\b|[\w$\])]\s*\|&?\s*getline\b|\bprintf?\b[^"';}|\n]{0,500}\|&?\s*[A-Za-z_$]/;
/** A call that starts a program and does not begin with a whole literal. */
const STARTS_UNTOLD =
  /(?:\b(?:system|popen|shell_exec|passthru|proc_open|execSync|spawn(?:Sync|lp?|vp?)?|execFile(?:Sync)?|exec[lv]p?e?|check_output|check_call|getoutput)|\bsubprocess\.(?:run|call|Popen)|\bchild_process["')\]]*\.exec)\s{0,20}\(\s{0,20}(?!\[?\s{0,20}[rbu]{0,2}(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*')\s{0,20}[,)\]])|\b(?:system|exec)\s{1,20}[$@]|\bqx\s{0,9}\W[^\n]{0,500}[$@]|%x\W[^\n]{0,500}#\{|`[^`\n]{0,500}(?:[$@]\w|#\{)[^`\n]{0,500}`|\bopen\b[^;\n]{0,200}(?:["']\s{0,9}\|[^"'\n]{0,200}[$@]\w|[$@]\w[^"'\n]{0,200}\|\s{0,9}["'])/;
const DECODES =
  /b64|base64|base32|\batob\b|fromhex|unhex|decompress|inflate|gunzip|fromCharCode|fromCodePoint|\bcodecs\b|rot_?13|\bunpack\b|\bpack\b|\.decode\b|\bchr\b|\\x[0-9a-f]{2}|\\[0-7]{3}/i;

function scanForRefusal(code: string, context: Context): Judgement {
  if (CONNECTS.test(code) && TAKES_SHELL.test(code)) return judge(deny("it would connect a shell to another machine"));
  if (FETCHES.test(code) && RUNS_TEXT.test(code)) return judge(deny("it would download code and run it"));
  if (REMOVES_TREE.test(code)) return judge(deny("it would remove a whole system folder"));
  if (!STARTS_PROGRAM.test(code)) return judge();
  return judge(...stringsOf(code).map((text) => onlyDenials(context.assessText(text))));
}

const CONNECTS =
  /\bsocket\b|\bfsockopen\b|\bTCPSocket\b|\bTcpClient\b|\bTCPClient\b|\bnet\.(?:connect|Socket|createConnection)\b|\bIO::Socket\b|\buse Socket\b|\/inet\/tcp|\/dev\/tcp|\bSocket\.tcp\b/i;
const TAKES_SHELL =
  /\bdup2\b|\bpty\b|\bsubprocess\b|\bspawn\b|\bexec\w*\b|\bproc_open\b|\bshell_exec\b|\bsystem\b|\bpopen\b|\/bin\/(?:ba|z|da)?sh\b|\bcmd(?:\.exe)?\b|\biex\b|\bsh\b/i;
const FETCHES =
  /\burlopen\b|\burllib\b|\brequests\.get\b|\bhttps?:\/\/|\bLWP::Simple\b|\bfile_get_contents\b|\bopen-uri\b|\bDownloadString\b|\bInvoke-WebRequest\b|\biwr\b|\bfetch\(/i;
const RUNS_TEXT = /\bexec\s*\(|\beval\b|\biex\b|\bInvoke-Expression\b|\bnew Function\b|\|\s*(?:ba|z|da)?sh\b/i;
const REMOVES_TREE =
  /\b(?:rmtree|rmSync|rmdirSync|rm_rf|rm_r|remove_tree|remove_entry|removeSync|rimraf(?:\.sync)?)\b[\s(]*["'](?:\/|~|\/(?:home|etc|usr|var|bin|lib|boot|root))\/?["']/;
const STARTS_PROGRAM =
  /\bsystem\b|\bexec\w*\b|\bpopen\w*\b|\bspawn\w*\b|\bsubprocess\b|\bchild_process\b|\bqx\b|`|\bshell\w*\b|\bpassthru\b|\bgetline\b|\||\bos\.|:!|^!|\bcall\b|\brun\b|%x|\bOpen3\b|\bKernel\b|\bCommand\b/i;

/** Quoted pieces, and lists of quoted pieces joined to a command: `["rm", "-rf", "/"]`. */
function stringsOf(code: string): string[] {
  const pieces = [
    ...code.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`|\bqx[{(/]([^})/]*)[})/]|%x[{(]([^})]*)[})]/gs),
  ];
  const texts = pieces.map((piece) =>
    piece
      .slice(1)
      .join("")
      .replace(/\\(["'\\])/g, "$1"),
  );
  const lists = [...code.matchAll(/[[(]\s*((?:["'][^"']*["']\s*,\s*)+["'][^"']*["'])\s*,?\s*[\])]/g)];
  const joined = lists.map(([, list = ""]) => list.replace(/["']\s*,\s*["']/g, " ").replace(/^["']|["']$/g, ""));
  const commands = [...code.matchAll(/(?:^|:)!\s*(.+)/g)].map(([, text = ""]) => text);
  return [...texts, ...joined, ...commands].filter((text) => WORTH_READING.test(text)).slice(0, MAX_STRINGS);
}

const MAX_STRINGS = 100;
/** Programs that a refusal can come from; the text of a message has none of them at its start or behind an operator. */
const WORTH_READING =
  /(?:^|[\s;|&(/])(?:rm|sudo|su|doas|pkexec|mkfs\S*|wipefs|dd|shred|mv|cp|tee|chmod|chown|find|curl|wget|nc|ncat|bash|sh|kill|pkill|killall|shutdown|reboot|halt|poweroff|init|systemctl|truncate|iptables|userdel|docker|git|rsync|eval|env|xargs)\s|>/;
