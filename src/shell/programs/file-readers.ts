/**
 * Programs that tell about files and folders without their contents, those that only handle names, and those that tell about
 * the machine, the user and the time, and nothing of other processes or of the environment. Some of the last set the clock or
 * the host name when they are given an operand.
 */
import { askForExpanded, named, type CommandCall, type ProgramTable, usePaths } from "../model/call.ts";
import { ask, merge, type Finding, type Judgement } from "../model/judgement.ts";
import { type ReadOption, reader } from "./reader.ts";

const metadata = { operands: "files", action: "metadata" } as const;

export const FILE_READERS: ProgramTable = {
  ls: reader({
    ...metadata,
    lists: ({ options }) =>
      has(options, "-d --directory")
        ? undefined
        : {
            shows: "names",
            depth: has(options, "-R --recursive") ? undefined : 1,
            hidden: has(options, "-a -A -f --all --almost-all"),
            follows: has(options, "-F -p --color --classify --file-type --indicator-style"),
          },
    recursive: ["-R", "--recursive"],
    options:
      "-a -A -b -B -c -C -d -f -F -g -G -h -i -k -l -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 " +
      "--all --almost-all --author --escape --color=? --directory --classify=? --full-time --group-directories-first " +
      "--no-group --human-readable --si --hide= --indicator-style= --inode --ignore= --kibibytes --literal --quote-name " +
      "--quoting-style= --reverse --recursive --size --sort= --time= --time-style= --width= --zero --file-type --format=",
    refused: { "-L": "follows links", "-H": "follows links", "--dereference": "follows links" },
  }),
  stat: reader({
    ...metadata,
    least: 1,
    options: "-c= -t --format= --printf= --terse",
    refused: { "-f": "tells about the file system", "-L": "follows links" },
  }),
  du: reader({
    ...metadata,
    recursive: "always",
    lists: ({ options }) =>
      has(options, "-s --summarize")
        ? undefined
        : {
            shows: "names",
            depth: depthOf(options, "-d --max-depth"),
            hidden: true,
            onlyDirectories: !has(options, "-a --all"),
          },
    options:
      "-0 -a -b -c -d= -h -k -m -s -S -x -t= --all --apparent-size --bytes --total --max-depth= --human-readable --si " +
      "--summarize --separate-dirs --one-file-system --threshold= --exclude= --time=?",
    refused: {
      "--files0-from": "takes its operands from a file",
      "-L": "follows links",
      "-X": "reads patterns from a file",
    },
  }),
  file: reader({
    operands: "files",
    least: 1,
    options:
      "-b -i -I -k -n -N -r -0 -h --brief --mime --mime-type --mime-encoding --no-dereference --keep-going --extension",
    refused: {
      "-C": "writes magic.mgc",
      "-m": "takes another magic file",
      "-z": "runs decompressors",
      "-Z": "runs decompressors",
      "-f": "takes its operands from a file",
    },
  }),
  readlink: reader({ ...metadata, least: 1, options: "-f -e -m -n -q -s -v -z --canonicalize --no-newline" }),
  realpath: reader({ ...metadata, least: 1, options: "-e -m -q -s -z -L -P" }),
  tree: reader({
    ...metadata,
    recursive: "always",
    lists: ({ options }) => ({
      shows: "names",
      depth: depthOf(options, "-L"),
      hidden: has(options, "-a"),
      onlyDirectories: has(options, "-d"),
    }),
    options:
      "-a -d -f -i -s -h -p -u -g -D -F -q -N -Q -r -t -c -U -v -n -C -x -J -X -L= -P= -I= --noreport --dirsfirst --filelimit= " +
      "--prune --du --si --gitignore --matchdirs --ignore-case --charset=",
    refused: { "-l": "follows links", "-o": "writes a file", "-R": "writes files" },
  }),
  basename: reader({ operands: "text", least: 1, options: "-a -s= -z --multiple --suffix= --zero" }),
  dirname: reader({ operands: "text", least: 1, options: "-z --zero" }),
  pwd: reader({ operands: "none", options: "-L -P --logical --physical" }),
  test: judgeTest,
};

function has(options: readonly ReadOption[], names: string): boolean {
  return options.some(({ name }) => names.split(" ").includes(name));
}

/** The last one counts; what is no number is no bound. */
function depthOf(options: readonly ReadOption[], names: string): number | undefined {
  const value = options.findLast(({ name }) => names.split(" ").includes(name))?.value?.text ?? "";
  return /^\d{1,4}$/.test(value) ? Number(value) : undefined;
}

/** `test`: of its operators only those that look at a file or compare text. `-v` and `-R` evaluate a subscript. */
function judgeTest(call: CommandCall): Judgement {
  const words = call.args.map(({ text }) => text);
  const findings = askForExpanded(call.args);
  const rest = words[0] === "!" ? words.slice(1) : words;
  const args = words[0] === "!" ? call.args.slice(1) : call.args;
  const [first = "", operator = ""] = rest;
  const file = args[1];
  if (rest.length === 2 && FILE_TEST.test(first) && file !== undefined)
    return merge([{ findings, paths: [] }, usePaths(call, [file], "metadata")]);
  const isText = rest.length === 2 ? /^-[nz]$/.test(first) : rest.length === 3 && /^(?:=|==|!=)$/.test(operator);
  return { findings: isText ? findings : [...findings, UNREAD_TEST], paths: [] };
}

const FILE_TEST = /^-[abcdefghkLprsSuwxGON]$/;
const UNREAD_TEST: Finding = ask("a test may evaluate its words");

export const SYSTEM_READERS: ProgramTable = {
  uname: reader({
    operands: "none",
    options: "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --machine",
  }),
  id: reader({
    operands: "text",
    most: 1,
    options: "-u -g -G -n -r -z --user --group --groups --name --real",
  }),
  ...named("whoami logname arch", reader({ operands: "none" })),
  groups: reader({ operands: "text", most: 1 }),
  nproc: reader({ operands: "none", options: "--all" }),
  tty: reader({ operands: "none", options: "-s" }),
  hostname: reader({ operands: "none", options: "-s" }),
  date: reader({
    operands: "text",
    most: 1,
    options: "-u -R -I=? -d= --utc --universal --rfc-email --iso-8601=? --rfc-3339= --date=",
    refused: { "-s": "sets the clock", "--set": "sets the clock", "-f": "prints lines of a file" },
    check: ({ operands, options }) => [
      ...(operands.every(({ text }) => text.startsWith("+")) ? [] : [ask("an operand of date sets the clock")]),
      ...options.flatMap(({ name, value }) => (/^(?:-d|--date)$/.test(name) ? askForZone(value?.text) : [])),
    ],
  }),
};

/** GNU dates may begin with `TZ="..."`, which opens the file that it names, wherever it lies. */
export function askForZone(date: string | undefined): Finding[] {
  return date === undefined || !/["\\]|TZ/i.test(date) ? [] : [ask("a date may name a file of a time zone")];
}
