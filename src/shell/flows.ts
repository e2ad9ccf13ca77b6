/**
 * What flows between the commands of a line: a download into a shell, secrets into the network, a shell into a
 * connection. Each command may be harmless enough to ask about; together they are refused.
 */
import {
  UNKNOWN,
  askOpaque,
  deny,
  isDenied,
  judge,
  textsOf,
  unwrap,
  words,
  type Arg,
  type Command,
  type Judgement,
  type Redirect,
} from "./model.ts";
import { isSecret, toAbsolute } from "./places.ts";
import { sourcesOf, type CommandCall } from "./programs/call.ts";
import { scanCode } from "./programs/code/scan-code.ts";
import { writtenFiles } from "./programs/written-files.ts";
import { STDIN, readShellArgs } from "./shell-args.ts";
import { printedText } from "./syntax/expand-word.ts";
import type { WrittenTexts } from "./written-texts.ts";

/** What earlier commands of the same line left behind. */
export interface Trail {
  /** Files that hold a download, as absolute paths. */
  readonly downloads: Set<string>;
  /** Files that earlier commands wrote, as absolute paths, where the text does not tell what. */
  readonly made: Set<string>;
  /** What earlier commands certainly wrote, by absolute path. */
  readonly texts: WrittenTexts;
  /** A connection is open as a descriptor: `exec 3<>/dev/tcp/...`. */
  connected: boolean;
}

const FETCHERS = words(
  "curl wget fetch http https httpie xh aria2c axel lynx w3m links curlie ftp lftp invoke-webrequest iwr irm invoke-restmethod nc ncat netcat telnet socat openssl ssh scp sftp rsync rclone s3cmd gh aws gsutil",
);
const SENDERS = words(
  "curl wget nc ncat netcat telnet socat openssl ftp lftp tftp scp sftp rsync rclone mail mailx sendmail mutt http https httpie xh curlie aws gsutil s3cmd dig nslookup host ping ssh",
);
const CONNECTORS = words("nc ncat netcat telnet socat openssl");
const SHELLS = words(
  "sh bash dash zsh ksh ksh93 mksh ash fish rbash csh tcsh yash oksh elvish xonsh nu cmd powershell pwsh iex",
);
const INTERPRETERS = words(
  "python python2 python3 pypy ipython perl ruby irb node nodejs deno bun tsx ts-node php lua luajit osascript r rscript julia tclsh " +
    "wish expect ghci guile racket sbcl clisp groovy scala jshell swift erl raku octave",
);

export function judgeFlows(call: CommandCall, trail: Trail): Judgement {
  const { command, name, args } = call;
  const made = sourcesOf(args);
  const takesCode = takesCodeFromInput(name, args);
  const input = sourcesOf(targetsOf(command));
  const runsDownload =
    (takesCode && carriesDownload([...command.fedBy, ...input])) || (evaluatesWords(name) && carriesDownload(made));
  const isShell = SHELLS.has(name);
  const connects =
    (CONNECTORS.has(name) && command.fedBy.some((source) => SHELLS.has(nameOf(source)))) ||
    (isShell && (trail.connected || command.redirects.some(isConnection)));
  const files = filesRun(call, trail);
  const runs = (among: Trail["made"]): boolean => files.some((file) => among.has(file));
  const findings = [
    runsDownload && deny("it would download code and run it"),
    runs(trail.made) && askOpaque("it would run a file that the same line makes"),
    runs(trail.downloads) && deny("it would run what it has just downloaded"),
    connects && deny("it would connect a shell to another machine"),
    SENDERS.has(name) &&
      ([...command.fedBy, ...made].some(reveals) || sendsSecret(call)) &&
      deny("it would send secrets to another machine"),
    handsUntoldScript(args) && askOpaque("the text it hands to a shell is not known before"),
  ];
  const isCode = INTERPRETERS.has(name);
  const how = [isCode, ...call.context.surfaces.map(({ cwd }) => cwd)].join("\0");
  const runsItself = SHELLS.has(name) && trail.texts.runsItself(files);
  const written = trail.texts.judge(files, how, (text) =>
    isCode ? scanCode(text, call.context) : call.context.assessText(text),
  );
  leaveTrail(call, trail);
  return judge(
    ...findings,
    runsItself && deny("it would start itself again and again"),
    ...written,
    ...(takesCode ? judgeInput(call) : []),
  );
}

/** `docker exec x sh -c "$y"`: wherever the shell is. */
function handsUntoldScript(args: readonly Arg[]): boolean {
  const shell = args.findIndex(({ text }) => isShellName(text));
  return shell >= 0 && readShellArgs(args.slice(shell + 1)).text?.text.includes(UNKNOWN) === true;
}

function isShellName(text: string): boolean {
  return SHELLS.has(text.replace(/^.*\//s, ""));
}

function targetsOf({ redirects }: Command): Arg[] {
  return redirects.flatMap(({ target }) => target ?? []);
}

function nameOf({ args }: Command): string {
  return unwrap(args)?.name ?? "";
}

/** `fedBy` has every stage to the left, so that only words and here-strings have to be followed. */
function carriesDownload(sources: readonly Command[], seen: Set<Command> = new Set()): boolean {
  return sources.some((source) => {
    if (seen.has(source)) return false;
    seen.add(source);
    if (FETCHERS.has(nameOf(source)) || source.redirects.some(isConnection)) return true;
    return carriesDownload(sourcesOf([...source.args, ...targetsOf(source)]), seen);
  });
}

/** A shell or interpreter without a file or a text of its own runs what it reads. */
function takesCodeFromInput(name: string, args: readonly Arg[]): boolean {
  const texts = textsOf(args);
  if (name === "xargs" || name === "parallel") return texts.some(isShellName);
  if (name === "." || name === "source") return STDIN.test(texts[0] ?? "");
  if (name === "at" || name === "batch" || name === "crontab") return true;
  if (SHELLS.has(name)) return readShellArgs(args).readsInput;
  if (!INTERPRETERS.has(name)) return false;
  if (texts.some((text) => STDIN.test(text) || /^-[a-z]*s[a-z]*$/.test(text))) return true;
  if (texts.some((text) => /^-[a-zA-Z]*[cemnpr]$|^--(?:eval|print)/.test(text))) return false;
  return texts.every((text) => /^[-+]/.test(text));
}

function evaluatesWords(name: string): boolean {
  return name === "eval" || name === "." || name === "source" || SHELLS.has(name) || INTERPRETERS.has(name);
}

/** What is certainly printed into a shell is judged as a script; the rest cannot be read. */
function judgeInput({ command: { fedBy }, context }: CommandCall): Judgement[] {
  if (fedBy.length === 0) return [];
  const texts = fedBy.map(printedText);
  const isKnown = texts.every((text) => text !== undefined);
  const judgements = texts.flatMap((text) => (text === undefined ? [] : context.assessText(text)));
  return [
    judge(!isKnown && askOpaque("what is piped into an interpreter is not known before")),
    // A text on its way through `rev` or `base64 -d` is none that is run as it stands.
    ...judgements.filter((judgement) => isKnown || isDenied(judgement)),
  ];
}

function isConnection({ target }: Redirect): boolean {
  return target !== undefined && /^\/dev\/(?:tcp|udp)\//.test(target.text);
}

/** The files that a call may run, absolute: itself, and what an interpreter is given. */
function filesRun(call: CommandCall, { downloads, made, texts }: Trail): string[] {
  if (downloads.size + made.size + texts.size === 0) return [];
  const { command, name, args } = call;
  const program = command.args[0]?.text ?? "";
  const given = evaluatesWords(name)
    ? textsOf([...args, ...targetsOf(command), ...command.fedBy.flatMap((source) => source.args)])
    : [];
  const paths = [program.includes("/") ? program : [], given.filter((text) => !text.startsWith("-"))].flat();
  return absolute(paths, call);
}

function absolute(paths: readonly string[], { context: { surfaces } }: CommandCall): string[] {
  return paths.flatMap((path) => surfaces.map(({ cwd }) => toAbsolute(path, cwd)));
}

function reveals(source: Command): boolean {
  const program = unwrap(source.args);
  if (program === undefined) return false;
  const { name, args } = program;
  if (/^(?:env|printenv|history)$/.test(name)) return true;
  if (/^(?:set|export|declare|typeset)$/.test(name) && args.length <= 1) return true;
  return [...source.args, ...targetsOf(source)].some(isSensitive) || sourcesOf(source.args).some(reveals);
}

function isSensitive({ text }: Arg): boolean {
  return isSecret(text) || /^\/etc\/(?:passwd|shadow|sudoers)/.test(text);
}

/** `ssh -i ~/.ssh/id` uses a key and sends nothing of it. */
function sendsSecret({ name, args, command: { redirects } }: CommandCall): boolean {
  const input = redirects.flatMap(({ operator, target }) => (operator.startsWith("<") ? (target ?? []) : []));
  if (input.some(isSensitive)) return true;
  if (!/^(?:scp|rsync|rclone|sftp|aws|gsutil|s3cmd)$/.test(name)) return false;
  return args.some((arg, at) => isSensitive(arg) && args[at - 1]?.text !== "-i");
}

function leaveTrail(call: CommandCall, trail: Trail): void {
  const { command, name, args } = call;
  if (command.redirects.some(isConnection)) trail.connected = true;
  const carries = carriesDownload([command]);
  const written = [
    ...(FETCHERS.has(name) ? writtenFiles(call) : []),
    ...(carries ? outputsOf(command) : []),
    ...(carries && name === "tee" ? args : []),
    ...copiedFrom(trail.downloads, call),
  ];
  remember(trail.downloads, written, call);
  rememberTexts(call, trail);
  remember(trail.made, [...madeUntold(call), ...copiedFrom(trail.made, call)], call);
}

function outputsOf({ redirects }: Command): Arg[] {
  return redirects.flatMap(({ operator, target }) => (operator.includes(">") ? (target ?? []) : []));
}

function copiedFrom(files: Pick<Trail["made"], "has">, call: CommandCall): readonly Arg[] {
  return isCopy(call) && absolute(textsOf(call.args), call).some((file) => files.has(file)) ? call.args.slice(-1) : [];
}

function isCopy({ name }: CommandCall): boolean {
  return /^(?:mv|cp|ln|install)$/.test(name);
}

function remember(files: Set<string>, written: readonly Arg[], call: CommandCall): void {
  for (const file of absolute(knownTexts(written), call)) files.add(file);
}

function knownTexts(written: readonly Arg[]): string[] {
  return textsOf(written).filter((text) => !text.includes(UNKNOWN));
}

/** What is not kept is as untold as what is not on the line. */
function rememberTexts(call: CommandCall, { made, texts }: Trail): void {
  const { command, name, args } = call;
  const printed = PASSES_ON.test(name) ? command.fedBy.map(printedText).at(-1) : printedText(command);
  const isMore =
    command.redirects.some(({ operator }) => operator === ">>") || (PASSES_ON.test(name) && hasAppend(args));
  const targets = PASSES_ON.test(name) ? [...args, ...outputsOf(command)] : outputsOf(command);
  if (printed !== undefined)
    for (const file of absolute(knownTexts(targets), call)) if (!texts.write(file, printed, isMore)) made.add(file);
  if (!isCopy(call)) return;
  const sources = absolute(textsOf(args.slice(0, -1)), call);
  for (const file of absolute(knownTexts(args.slice(-1)), call)) if (!texts.copy(sources, file)) made.add(file);
}

const PASSES_ON = /^(?:tee|sponge)$/;

function hasAppend(args: readonly Arg[]): boolean {
  return args.some(({ text }) => text === "-a" || text === "--append");
}

/** What it writes, unless the text is there on the line (`echo`, a here-document). */
function madeUntold({ command, name, args }: CommandCall): Arg[] {
  if (DECODERS.has(name))
    return args.map((arg) => ({ ...arg, text: arg.text.replace(/\.(?:gz|xz|bz2|zst|asc|gpg)$/, "") }));
  if (/^(?:tee|sponge|dd|install)$/.test(name) && command.fedBy.some((source) => printedText(source) === undefined))
    return args.map((arg) => ({ ...arg, text: arg.text.replace(/^of=/, "") }));
  return command.args.length === 0 || printedText(command) !== undefined ? [] : outputsOf(command);
}

/** They write a file besides their output. */
const DECODERS = words("openssl xxd uudecode gpg gunzip unxz bunzip2 unzstd gzip xz bzip2 zstd base64 base32 basenc");
