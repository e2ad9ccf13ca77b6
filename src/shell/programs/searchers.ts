/**
 * Programs that search: grep, ripgrep, find. Each has options that run programs, write files, follow links out of the
 * roots or take patterns from elsewhere; those are left out of the tables.
 */
import { askForExpanded, named, usePaths, type CommandCall, type ProgramTable } from "../model/call.ts";
import {
  ask,
  deny,
  judged,
  merge,
  onlyUntold,
  type Finding,
  type Judgement,
  type Listing,
} from "../model/judgement.ts";
import { UNKNOWN, type Arg } from "../model/parts.ts";
import { askForZone } from "./file-readers.ts";
import { listingsOf, reader } from "./reader.ts";

const GREP =
  "-a -b -c -E -F -G -h -H -i -I -l -L -n -o -P -q -s -T -U -v -w -x -y -z -r -e= -m= -A= -B= -C= " +
  "--extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --ignore-case --no-ignore-case --invert-match " +
  "--word-regexp --line-regexp --count --color=? --colour=? --files-without-match --files-with-matches --max-count= " +
  "--only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number " +
  "--initial-tab --null --after-context= --before-context= --context= --text --binary-files= --exclude= --exclude-dir= " +
  "--include= --recursive -f=path --file=path --exclude-from=path";

const RIPGREP =
  "-a -b -c -F -h -H -i -I -l -n -N -o -P -q -s -S -U -v -w -x -0 -p -u -e= -m= -A= -B= -C= -g= -t= -T= -d= -M= -r= -E= -j= " +
  "-f=path --file=path --regexp= --fixed-strings --case-sensitive --ignore-case --smart-case --invert-match --word-regexp " +
  "--line-regexp --count --count-matches --color= --column --heading --no-heading --files --files-with-matches " +
  "--files-without-match --glob= --iglob= --hidden --no-ignore --no-ignore-vcs --json --line-number --no-line-number " +
  "--max-columns= --max-count= --max-depth= --max-filesize= --multiline --multiline-dotall --no-filename --with-filename " +
  "--only-matching --passthru --pcre2 --pretty --quiet --replace= --sort= --sortr= --stats --text --threads= --trim --type= " +
  "--type-not= --type-list --unrestricted --vimgrep --after-context= --before-context= --context= --no-messages --null " +
  "--encoding= --no-config --no-follow --crlf --glob-case-insensitive --one-file-system --engine=";

export const SEARCHERS: ProgramTable = {
  ...named(
    "grep egrep fgrep",
    reader({
      operands: "pattern",
      waits: true,
      digits: true,
      recursive: ["-r", "--recursive"],
      options: GREP,
      refused: {
        "-R": "follows links",
        "--dereference-recursive": "follows links",
        "-d": "may walk into folders",
      },
    }),
  ),
  rg: reader({
    operands: "pattern",
    recursive: "always",
    options: RIPGREP,
    refused: {
      "--pre": "runs a program for every file",
      "--hostname-bin": "runs a program",
      "-z": "runs decompressors",
      "--search-zip": "runs decompressors",
      "-L": "follows links",
      "--follow": "follows links",
      "--ignore-file": "reads a file of its own",
    },
  }),
  find: judgeFind,
};

/** Tests and actions of find that only look, with the number of words that each takes. */
const FIND_WORDS: ReadonlyMap<string, number> = new Map([
  ...each(
    0,
    "-P -a -and -o -or -not ! ( ) , -daystart -depth -d -empty -executable -false -ls -mount -xdev -nogroup -noleaf -nouser -print -print0 -prune -quit -readable -true -writable -warn -nowarn",
  ),
  ...each(
    1,
    "-amin -atime -cmin -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -path -perm -printf -regex -regextype -size -type -uid -used -user -wholename -xtype -newermt",
  ),
]);

function each(count: number, words: string): [string, number][] {
  return words.split(" ").map((word) => [word, count]);
}

/** Before the test of a name they put out every one. */
const FIND_PRINTS: ReadonlySet<string> = new Set(["-print", "-print0", "-printf", "-ls"]);
const FIND_RUNS: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const FIND_WRITES: ReadonlySet<string> = new Set(["-fls", "-fprint", "-fprint0", "-fprintf"]);
const FIND_COMPARES: ReadonlySet<string> = new Set(["-newer", "-anewer", "-cnewer", "-samefile"]);

function judgeFind(call: CommandCall): Judgement {
  const start = call.args.findIndex(({ text }) => /^[-(!),]/.test(text) && !/^-(?:[HLP]|O\d)$/.test(text));
  const before = start < 0 ? call.args : call.args.slice(0, start);
  const roots = before.filter(({ text }) => !text.startsWith("-"));
  const links = before.some(({ text }) => /^-[HL]$/.test(text)) ? [ask("find follows links")] : [];
  const expression = judgeExpression(start < 0 ? [] : call.args.slice(start), roots, call);
  const places = usePaths(call, roots, "metadata", true);
  const listings = listingsOf(shownBy(start < 0 ? [] : call.args.slice(start)), roots);
  return merge([{ findings: [...askForExpanded(call.args), ...links], paths: [], listings }, places, expression]);
}

/**
 * Which names an expression can put out. Every alternative of it (`-o`) must ask for a name, else all of them are; what
 * stands in brackets or is negated is not read.
 */
function shownBy(words: readonly Arg[]): Omit<Listing, "path"> {
  const texts = words.map(({ text }) => text);
  const valueOf = (name: string): string => texts[texts.lastIndexOf(name) + 1] ?? "";
  const depth = texts.includes("-maxdepth") ? Number.parseInt(valueOf("-maxdepth"), 10) : Number.NaN;
  const at = {
    shows: "names",
    hidden: true,
    depth: Number.isNaN(depth) ? undefined : depth,
    follows: texts.some((text) => /^-(?:xtype|readable|writable|executable)$/.test(text)),
  } as const;
  if (texts.some((text) => /^(?:[(),!]|-not)$/.test(text))) return at;
  const names: string[] = [];
  let isNamed = false;
  for (let index = 0; index <= texts.length; index++) {
    const text = texts[index] ?? "-o";
    if (/^-(?:o|or)$/.test(text)) {
      if (!isNamed) return at;
      isNamed = false;
    } else if (!isNamed && FIND_PRINTS.has(text)) return at;
    else if (text === "-name" || text === "-iname") {
      names.push(texts[++index] ?? "");
      isNamed = true;
    } else index += FIND_WORDS.get(text) ?? (FIND_COMPARES.has(text) ? 1 : 0);
  }
  return { ...at, names };
}

function judgeExpression(words: readonly Arg[], roots: readonly Arg[], call: CommandCall): Judgement {
  const judgements: Judgement[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]?.text ?? "";
    const count = FIND_WORDS.get(word);
    const next = words.slice(at + 1, at + 2);
    if (count !== undefined) at += count;
    if (count !== undefined && word === "-newermt")
      judgements.push(judged(...next.flatMap(({ text }) => askForZone(text))));
    if (count !== undefined) continue;
    if (FIND_COMPARES.has(word)) {
      at++;
      judgements.push(usePaths(call, next, "metadata"));
    } else if (FIND_RUNS.has(word)) {
      const end = words.findIndex(({ text }, index) => index > at && /^[;+]$/.test(text));
      judgements.push(judgeRun(words.slice(at + 1, end < 0 ? words.length : end), roots, call));
      at = end < 0 ? words.length : end;
    } else if (FIND_WRITES.has(word)) {
      judgements.push({ findings: [ask(`find ${word} writes a file`)], paths: [] }, usePaths(call, next, "write"));
      at++;
    } else if (word === "-delete") {
      judgements.push(
        { findings: [ask("find -delete removes", "R4")], paths: [] },
        usePaths(call, roots, "remove", true),
      );
    } else judgements.push({ findings: [unknownWord(word)], paths: [] });
  }
  return merge(judgements);
}

function unknownWord(word: string): Finding {
  return ask(word === "-follow" ? "find -follow follows links" : `find ${word} is not known to be harmless`);
}

/** `{}` stands for everything below the starting points, so the program is judged with them in its place. */
function judgeRun(words: readonly Arg[], roots: readonly Arg[], call: CommandCall): Judgement {
  const args = words.flatMap((word) => (word.text === "{}" ? roots : [word]));
  const nested = call.context.assessArgs(args, { ...call.command, fedBy: [] });
  const found = words.map((word) =>
    word.text.includes("{}") ? { ...word, text: word.text.replaceAll("{}", UNKNOWN), literal: false } : word,
  );
  const untold = onlyUntold(call.context.assessArgs(found, { ...call.command, fedBy: [] }));
  const [first] = words;
  const program = first?.text.slice(first.text.lastIndexOf("/") + 1) ?? "";
  const removes = /^(?:rm|unlink|shred)$/.test(program)
    ? usePaths(call, roots, "remove", true)
    : { findings: [], paths: [] };
  const isWhole = removes.findings.some(({ verdict }) => verdict === "deny");
  const findings = [
    ask("find runs a program for what it finds"),
    ...(isWhole ? [deny("it would remove a whole tree")] : []),
  ];
  return merge([{ findings, paths: [] }, nested, untold, removes]);
}
