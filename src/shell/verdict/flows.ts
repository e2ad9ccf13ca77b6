/**
 * What flows between the commands of a line: a download into a shell, secrets into the network, a shell into a
 * connection. Each command may be harmless enough to ask about; together they are refused.
 */
import type { CommandCall } from "../model/call.ts";
import { askOpaque, deny, isDenied, judged, merge, type Finding, type Judgement } from "../model/judgement.ts";
import { UNKNOWN, type Arg, type Command, unwrap } from "../model/parts.ts";
import { isSecret, toAbsolute } from "../model/places.ts";
import { writtenFiles } from "../programs/network.ts";
import { printedText } from "../syntax/expand-word.ts";

/** What earlier commands of the same line left behind. */
export interface Trail {
  /** Files that hold a download, as absolute paths. */
  readonly downloads: Set<string>;
  /** Files that earlier commands wrote, as absolute paths, where the text does not tell what. */
  readonly made: Set<string>;
  /** A connection is open as a descriptor: `exec 3<>/dev/tcp/...`. */
  connected: boolean;
}

const words = (line: string): ReadonlySet<string> => new Set(line.split(" "));

const FETCHERS = words(
  "curl wget fetch http https httpie aria2c axel lynx w3m links curlie ftp lftp invoke-webrequest iwr irm invoke-restmethod nc ncat netcat telnet socat openssl ssh scp gh aws gsutil",
);
const SENDERS = words(
  "curl wget nc ncat netcat telnet socat openssl ftp lftp tftp scp sftp rsync rclone mail mailx sendmail mutt http https httpie aws gsutil s3cmd dig nslookup host ping ssh",
);
const CONNECTORS = words("nc ncat netcat telnet socat openssl");
const SHELLS = words("sh bash dash zsh ksh ksh93 mksh ash fish rbash csh tcsh yash cmd powershell pwsh iex");
const INTERPRETERS = words(
  "python python2 python3 perl ruby node nodejs deno bun tsx php lua osascript rscript julia tclsh",
);
const REVEALERS = words("env printenv history");

export function judgeFlows(call: CommandCall, trail: Trail): Judgement {
  const { command, name, args } = call;
  const sources = [...command.fedBy, ...args.flatMap((arg) => arg.commands)];
  const findings: Finding[] = [];
  const takesCode = takesCodeFromInput(name, args);
  const input = command.redirects.flatMap(({ target }) => target?.commands ?? []);
  if (takesCode && carriesDownload([...command.fedBy, ...input]))
    findings.push(deny("it would download code and run it"));
  if (evaluatesWords(name) && carriesDownload(args.flatMap((arg) => arg.commands)))
    findings.push(deny("it would download code and run it"));
  if (runsOneOf(call, trail.made)) findings.push(askOpaque("it would run a file that the same line makes"));
  if (runsOneOf(call, trail.downloads)) findings.push(deny("it would run what it has just downloaded"));
  if (CONNECTORS.has(name) && command.fedBy.some((source) => SHELLS.has(nameOf(source))))
    findings.push(deny("it would connect a shell to another machine"));
  if (SHELLS.has(name) && (trail.connected || command.redirects.some(isConnection)))
    findings.push(deny("it would connect a shell to another machine"));
  if (SENDERS.has(name) && (sources.some(reveals) || sendsSecret(call)))
    findings.push(deny("it would send secrets to another machine"));
  if (handsUntoldScript(args)) findings.push(askOpaque("the text it hands to a shell is not known before"));
  leaveTrail(call, trail);
  return merge([judged(...findings), ...(takesCode ? judgeInput(call) : [])]);
}

/** `docker exec x sh -c "$y"`: wherever the shell is. */
function handsUntoldScript(args: readonly Arg[]): boolean {
  const shell = args.findIndex(({ text }) => SHELLS.has(text.replace(/^.*\//s, "")));
  const option = args.findIndex(({ text }, at) => shell >= 0 && at > shell && /^-[a-z]*c$/.test(text));
  return option > 0 && args[option + 1]?.text.includes(UNKNOWN) === true;
}

function nameOf({ args }: Command): string {
  return unwrap(args)?.name ?? "";
}

/** `fedBy` has every stage to the left, so that only words and here-strings have to be followed. */
function carriesDownload(sources: readonly Command[], seen: Set<Command> = new Set()): boolean {
  return sources.some((source) => {
    if (seen.has(source)) return false;
    seen.add(source);
    if (FETCHERS.has(nameOf(source))) return true;
    const targets = source.redirects.flatMap(({ target }) => target ?? []);
    return [...source.args, ...targets].some(({ commands }) => carriesDownload(commands, seen));
  });
}

/** A shell or interpreter without a file or a text of its own runs what it reads. */
function takesCodeFromInput(name: string, args: readonly Arg[]): boolean {
  const texts = args.map(({ text }) => text);
  if (name === "xargs" || name === "parallel") return texts.some((text) => SHELLS.has(text.replace(/^.*\//s, "")));
  if (name === "." || name === "source") return STDIN.test(texts[0] ?? "");
  if (name === "at" || name === "batch" || name === "crontab") return true;
  if (!SHELLS.has(name) && !INTERPRETERS.has(name)) return false;
  if (texts.some((text) => text === "-" || STDIN.test(text) || /^-[a-z]*s[a-z]*$/.test(text))) return true;
  // `-e` is code for perl and node; for a shell it only says when to stop.
  const hasOwn = SHELLS.has(name) ? /^-[a-zA-Z]*c[a-zA-Z]*$|^--command/ : /^-[a-zA-Z]*[cemnpr]$|^--(?:eval|print)/;
  if (texts.some((text) => hasOwn.test(text))) return false;
  return texts.every((text, at) => /^[-+]/.test(text) || /^[-+]o$/i.test(texts[at - 1] ?? ""));
}

const STDIN = /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/0)$/;

function evaluatesWords(name: string): boolean {
  return name === "eval" || name === "." || name === "source" || SHELLS.has(name) || INTERPRETERS.has(name);
}

/** What is certainly printed into a shell is judged as a script; the rest cannot be read. */
function judgeInput(call: CommandCall): Judgement[] {
  const { fedBy } = call.command;
  if (fedBy.length === 0) return [];
  const texts = fedBy.map(printedText);
  const judgements = texts.flatMap((text) => (text === undefined ? [] : [call.context.assessText(text, [])]));
  const isKnown = texts.every((text) => text !== undefined);
  return [
    judged(...(isKnown ? [] : [askOpaque("what is piped into an interpreter is not known before")])),
    // A text on its way through `rev` or `base64 -d` is none that is run as it stands.
    ...judgements.filter((judgement) => isKnown || isDenied(judgement)),
  ];
}

function isConnection({ target }: Command["redirects"][number]): boolean {
  return target !== undefined && /^\/dev\/(?:tcp|udp)\//.test(target.text);
}

function runsOneOf({ command, name, args, context }: CommandCall, files: ReadonlySet<string>): boolean {
  if (files.size === 0) return false;
  const at = (text: string): boolean => context.surfaces.some(({ cwd }) => files.has(toAbsolute(text, cwd)));
  const program = command.args[0]?.text ?? "";
  if (program.includes("/") && at(program)) return true;
  if (!evaluatesWords(name)) return false;
  const named = [...args, ...command.redirects.flatMap(({ target }) => (target === undefined ? [] : [target]))];
  return (
    named.some(({ text }) => !text.startsWith("-") && at(text)) ||
    command.fedBy.some((source) => source.args.some(({ text }) => at(text)))
  );
}

function reveals(source: Command): boolean {
  const program = unwrap(source.args);
  if (program === undefined) return false;
  const { name, args } = program;
  if (REVEALERS.has(name) || (/^(?:set|export|declare|typeset)$/.test(name) && args.length <= 1)) return true;
  const files = [...source.args, ...source.redirects.flatMap(({ target }) => target ?? [])];
  return files.some(isSensitive) || source.args.some(({ commands }) => commands.some(reveals));
}

function isSensitive({ text }: Arg): boolean {
  return isSecret(text) || /^\/etc\/(?:passwd|shadow|sudoers)/.test(text);
}

/** `ssh -i ~/.ssh/id` uses a key and sends nothing of it. */
function sendsSecret({ name, args, command }: CommandCall): boolean {
  if (
    command.redirects.some(
      ({ operator, target }) => operator.startsWith("<") && target !== undefined && isSensitive(target),
    )
  )
    return true;
  if (!/^(?:scp|rsync|rclone|sftp|aws|gsutil|s3cmd)$/.test(name)) return false;
  return args.some((arg, at) => isSensitive(arg) && args[at - 1]?.text !== "-i");
}

function leaveTrail(call: CommandCall, trail: Trail): void {
  const { command, name, args } = call;
  if (command.redirects.some(isConnection)) trail.connected = true;
  const written: Arg[] = FETCHERS.has(name) ? [...writtenFiles(call)] : [];
  const carries = carriesDownload([command]);
  if (carries)
    written.push(
      ...command.redirects.flatMap(({ operator, target }) =>
        operator.includes(">") && target !== undefined ? [target] : [],
      ),
    );
  if (name === "tee" && carries) written.push(...args);
  written.push(...copiedFrom(trail.downloads, call));
  remember(trail.downloads, written, call);
  remember(trail.made, [...madeUntold(call), ...copiedFrom(trail.made, call)], call);
}

function copiedFrom(files: ReadonlySet<string>, { name, args, context }: CommandCall): readonly Arg[] {
  const copies =
    /^(?:mv|cp|ln|install)$/.test(name) &&
    args.some(({ text }) => context.surfaces.some(({ cwd }) => files.has(toAbsolute(text, cwd))));
  return copies ? args.slice(-1) : [];
}

function remember(files: Set<string>, written: readonly Arg[], { context }: CommandCall): void {
  for (const { text } of written)
    if (!text.includes(UNKNOWN)) for (const { cwd } of context.surfaces) files.add(toAbsolute(text, cwd));
}

/** What it writes, unless the text is there on the line (`echo`, a here-document). */
function madeUntold({ command, name, args }: CommandCall): Arg[] {
  if (DECODERS.has(name))
    return args.map((arg) => ({ ...arg, text: arg.text.replace(/\.(?:gz|xz|bz2|zst|asc|gpg)$/, "") }));
  const outputs = command.redirects.filter(({ operator }) => operator.includes(">"));
  if (/^(?:tee|sponge|dd|install)$/.test(name) && command.fedBy.some((source) => printedText(source) === undefined))
    return args.map((arg) => ({ ...arg, text: arg.text.replace(/^of=/, "") }));
  const isTold = command.args.length === 0 || printedText(command) !== undefined;
  return isTold ? [] : outputs.flatMap(({ target }) => (target === undefined ? [] : [target]));
}

/** They write a file besides their output. */
const DECODERS = words("openssl xxd uudecode gpg gunzip unxz bunzip2 unzstd gzip xz bzip2 zstd base64 base32 basenc");
