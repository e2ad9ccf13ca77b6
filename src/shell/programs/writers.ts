/**
 * Programs that change files. None of them is ever allowed unasked here: the file tools do the same with a proposal and
 * an undo. What matters is which paths they change, because some changes are refused whoever asks.
 */
import { ask, deny, judge, words, type Arg, type Finding, type Judgement } from "../model.ts";
import type { Action } from "../places.ts";
import {
  hasLong,
  hasOption,
  named,
  parseOptionTable,
  readLoosely,
  readOptions,
  useOptions,
  usePaths,
  type CommandCall,
  type LooseArgs,
  type Program,
  type ProgramTable,
} from "./call.ts";

export const WRITERS: ProgramTable = {
  ...named("rm srm del erase trash rimraf", judgeRemove),
  ...named("rmdir unlink rd", operandsAre("remove", "it removes", "R4")),
  ...named(
    "shred wipe",
    operandsAre("remove", "it destroys what it writes over", "R4", "-n= -s= --iterations= --size="),
  ),
  truncate: operandsAre("alter", "it cuts files", "R4", "-s= -r=path --size= --reference=path -c -o"),
  ...named(
    "touch mkdir tee mkfifo mknod fallocate sponge split csplit md",
    operandsAre(
      "write",
      "it writes",
      "R2",
      "-m= -d= -t= -r=path -l= -b= -n= -o= --mode= --date= --reference=path -a -p -v -i",
    ),
  ),
  ...named(
    "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd compress uncompress dos2unix unix2dos rename",
    operandsAre("write", "it replaces files", "R2"),
  ),
  ...named("cp install rsync scp ditto robocopy xcopy copy", copies("read")),
  ...named("mv move ren", copies("remove")),
  ln: judgeLink,
  dd: judgeDd,
  ...named("chmod chown chgrp setfacl chattr chflags icacls takeown chcon", judgeMode),
  patch: judgePatch,
  xxd: judgeDump,
  ...named("tar bsdtar cpio unzip zip 7z 7za 7zr rar unrar ar", judgeArchive),
};

function judgePatch(call: CommandCall): Judgement {
  const read = readOptions(call.args, PATCH_OPTIONS);
  const [file, patch] = read.operands;
  return judge(
    ask("it writes what the patch names", "R4"),
    useOptions(call, read),
    file !== undefined && usePaths(call, [file], "write"),
    patch !== undefined && usePaths(call, [patch], "read"),
  );
}

const PATCH_OPTIONS = parseOptionTable(
  "-p= -F= -B= -D= -V= -Y= -z= -g= --strip= --fuzz= --suffix= -i=path --input=path -d=write --directory=write -o=write --output=write " +
    "-r=write --reject-file=write -bcefEflnNRstTuvZ",
);

/** The second file is written. */
function judgeDump(call: CommandCall): Judgement {
  const args = call.args.filter(({ text }) => !/^-(?:ps|plain|postscript)$/.test(text));
  const [file, ...written] = readOptions(args, DUMP_OPTIONS).operands;
  return judge(
    ask("it may write a file", "R2"),
    file !== undefined && usePaths(call, [file], "read"),
    usePaths(call, written, "write"),
  );
}

const DUMP_OPTIONS = parseOptionTable("-c= -g= -l= -n= -o= -s= -R= -cols= -len= -seek= -abCdeEipPruv");

/** @param options those that take a value; the others do not matter here */
function operandsAre(action: Action, reason: string, risk: "R2" | "R4", options = ""): Program {
  const table = parseOptionTable(options);
  return (call) => judge(ask(reason, risk), usePaths(call, readOptions(call.args, table).operands, action));
}

function isRecursive(loose: LooseArgs): boolean {
  return loose.options.some((text) => /^-(?!-).*[rR]/s.test(text)) || hasLong(loose, "--recursive");
}

function judgeRemove(call: CommandCall): Judgement {
  const loose = readLoosely(call.args);
  const operands = loose.operands.filter(({ text }) => !/^\/[a-zA-Z]$/.test(text));
  return judge(
    ask("it removes", "R4"),
    hasLong(loose, "--no-preserve-root") && deny("it gives up the guard of the root directory"),
    usePaths(call, operands, "remove", isRecursive(loose)),
  );
}

/** @param from what happens to the sources */
function copies(from: "read" | "remove"): Program {
  return (call) => {
    const loose = readLoosely(call.args);
    const into = targetFolder(call.args);
    const operands = loose.operands.filter((arg) => arg !== into && !isRemote(arg));
    const target = into ?? operands.at(-1);
    const sources = operands.filter((arg) => arg !== target);
    const empties = sources.some(({ text }) => /^\/dev\/(?:null|zero)$/.test(text));
    const deletes = loose.options.some((text) => text.startsWith("--del"));
    return judge(
      ask(from === "remove" ? "it moves" : "it copies", "R2"),
      SETS_MODE.has(call.name) && judgeId(call),
      loose.operands.some(isRemote) && ask("it copies to or from another machine", "R4"),
      usePaths(call, sources, from, true),
      target !== undefined && usePaths(call, [target], deletes ? "alter" : empties ? "empty" : "write", true),
    );
  };
}

const SETS_MODE = words("install rsync");

function isRemote({ text }: Arg): boolean {
  return /^[\w.@-]{2,}:/.test(text);
}

/** `-t DIR`, `--target-directory=DIR`. */
function targetFolder(args: readonly Arg[]): Arg | undefined {
  for (const [at, arg] of args.entries()) {
    if (/^-[a-zA-Z]*t$/.test(arg.text) || arg.text === "--target-directory") return args[at + 1];
    const text = /^(?:--target-directory=)(.*)$/s.exec(arg.text)?.[1];
    if (text !== undefined) return { ...arg, text };
  }
  return undefined;
}

function judgeLink(call: CommandCall): Judgement {
  const { operands } = readLoosely(call.args);
  return judge(
    ask("it plants a link, which later commands follow", "R4"),
    usePaths(call, operands.slice(1).slice(-1), "write"),
    usePaths(call, operands.slice(0, 1), "any"),
  );
}

function judgeDd(call: CommandCall): Judgement {
  const valuesOf = (key: string): Arg[] =>
    call.args.filter(({ text }) => text.startsWith(key)).map((arg) => ({ ...arg, text: arg.text.slice(key.length) }));
  return judge(
    ask("it writes blocks", "R4"),
    usePaths(call, valuesOf("of="), "write"),
    usePaths(call, valuesOf("if="), "read"),
  );
}

function judgeMode(call: CommandCall): Judgement {
  const { name, args } = call;
  const loose = readLoosely(args);
  const isMode = name === "chmod";
  // A mode that takes something away starts with a dash: `chmod -w x`.
  const isDashed = isMode && args.some(({ text }) => /^-[rwxXst]+$/.test(text));
  const hasNoMode = isDashed || hasLong(loose, "--reference") || name === "chattr" || name === "setfacl";
  return judge(
    ask("it changes who may use a file", "R4"),
    isMode && judgeId(call),
    usePaths(call, hasNoMode ? loose.operands : loose.operands.slice(1), "alter", isRecursive(loose)),
  );
}

function judgeId({ args }: CommandCall): Finding | false {
  const gives = args.some(({ text }) => GIVES_ID.test(text.replace(MODE_OPTION, "")));
  return gives && deny("it would let a program run as another user");
}

/** `-m4755`, `-Dm4755`, `--mode=u+s`, `--chmod=u+s`. */
const MODE_OPTION = /^(?:-[bcCdDpsTvZ]*m|--(?:mo?d?e?|chmod)=)/;
/** `u+s`, `+s`, `g=rxs`, `4755`, `06755`, `2755`; the sticky bit (`1777`) is no danger. */
const GIVES_ID = /^(?:[ugoa]*[+=][rwxXt]*s[rwxXst]*(?:,.*)?|.*,[ugoa]*[+=][rwxXt]*s.*|0*[2-7][0-7]{3})$/;

const TAR_OPTIONS = parseOptionTable(
  "-t -f= -v -z -j -J --list --file= --gzip --bzip2 --xz --verbose -x -c -r -u -C= --extract --get --create --directory= -p -a -k -h -P -O",
);

function judgeArchive(call: CommandCall): Judgement {
  const [first, ...rest] = call.args;
  // The old form: `tar xzf a.tar`.
  const isOld = first !== undefined && /^[a-zA-Z]+$/.test(first.text) && call.name.endsWith("tar");
  const read = readOptions(isOld ? [{ ...first, text: `-${first.text}` }, ...rest] : call.args, TAR_OPTIONS);
  const valuesOf = (names: RegExp): Arg[] =>
    read.options.flatMap(({ name, value }) => (names.test(name) ? (value ?? []) : []));
  const archives = valuesOf(/^(?:-f|--file)$/).filter(({ text }) => text !== "-");
  const writes = !hasOption(read, "-t --list");
  const into = UNPACKS_INTO.get(call.name);
  return judge(
    ask(read.unknown.length > 0 ? "an option of it may run a program" : "it packs or unpacks", "R4"),
    usePaths(call, valuesOf(/^(?:-C|--directory)$/), writes ? "write" : "metadata", true),
    into !== undefined && usePaths(call, valuesBehind(into, call.args), "write", true),
    usePaths(call, archives, writes ? "write" : "read"),
    usePaths(call, read.operands, "any", true),
  );
}

/** The option for the folder to unpack into, where it is not `-C`. */
const UNPACKS_INTO: ReadonlyMap<string, string> = new Map([
  ["unzip", "d"],
  ["cpio", "D"],
  ["7z", "o"],
  ["7za", "o"],
  ["7zr", "o"],
]);

/** `-d x`, `-dx`, `-qd x`. */
function valuesBehind(letter: string, args: readonly Arg[]): Arg[] {
  return args.flatMap((arg, at) => {
    if (new RegExp(`^-[a-zA-Z]*${letter}$`).test(arg.text)) return args[at + 1] ?? [];
    return arg.text.startsWith(`-${letter}`) ? { ...arg, text: arg.text.slice(2) } : [];
  });
}
