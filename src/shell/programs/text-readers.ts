/**
 * Programs that read files and print them, whole, in part, counted, sorted or summed. GNU and BSD agree on the options
 * that are listed; an option that only one of them has is left out, because the other may write with it (`base64 -o`).
 */
import { hasInput, named, type ProgramTable } from "../model/call.ts";
import { reader } from "./reader.ts";

const LIST_OF_NAMES = "takes its operands from a file";
const files = { operands: "files", waits: true } as const;

export const TEXT_READERS: ProgramTable = {
  cat: reader({
    ...files,
    options:
      "-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting",
  }),
  tac: reader({ ...files, options: "-b -s= --before --separator=" }),
  nl: reader({
    ...files,
    options: "-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering= --number-width=",
  }),
  head: reader({
    ...files,
    digits: true,
    options: "-c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose",
  }),
  tail: reader({
    ...files,
    digits: true,
    options: "-c= -n= -q -v -z -r --bytes= --lines= --quiet --silent --verbose",
    refused: { "-f": "never ends", "-F": "never ends", "--follow": "never ends" },
  }),
  wc: reader({
    ...files,
    options: "-c -l -L -m -w --bytes --chars --lines --words --max-line-length",
    refused: { "--files0-from": LIST_OF_NAMES },
  }),
  cut: reader({
    ...files,
    options:
      "-b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=",
  }),
  paste: reader({ ...files, options: "-d= -s -z --delimiters= --serial" }),
  join: reader({ ...files, least: 2, most: 2, options: "-a= -e= -i -j= -o= -t= -v= -1= -2=" }),
  comm: reader({ ...files, least: 2, most: 2, options: "-1 -2 -3 -12 -13 -23 -i" }),
  tr: reader({
    operands: "text",
    least: 1,
    most: 2,
    options: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1",
    check: (_read, call) => (hasInput(call) ? [] : WAITS),
  }),
  rev: reader(files),
  fold: reader({ ...files, options: "-b -s -w= --bytes --spaces --width=" }),
  fmt: reader({ ...files, options: "-c -s -t -u -w= --width=" }),
  expand: reader({ ...files, options: "-i -t= --initial --tabs=" }),
  unexpand: reader({ ...files, options: "-a -t= --all --first-only --tabs=" }),
  column: reader({ ...files, options: "-t -s= -x -c=" }),
  uniq: reader({
    ...files,
    most: 1,
    options:
      "-c -d -D -u -i -z -f= -s= -w= --count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars=",
  }),
  sort: reader({
    ...files,
    options:
      "-b -d -f -g -h -i -M -n -r -R -V -c -C -m -s -u -z -k= -t= --ignore-leading-blanks --dictionary-order --ignore-case " +
      "--general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --reverse --version-sort " +
      "--check --merge --stable --unique --zero-terminated --key= --field-separator=",
    refused: {
      "-o": "writes a file",
      "--output": "writes a file",
      "-T": "writes temporary files elsewhere",
      "--compress-program": "runs a program",
      "--files0-from": LIST_OF_NAMES,
    },
  }),
  cmp: reader({
    ...files,
    least: 2,
    most: 2,
    options: "-b -l -s -n= -i= --print-bytes --verbose --quiet --silent",
  }),
  diff: reader({
    ...files,
    least: 2,
    most: 2,
    recursive: ["-r", "--recursive"],
    // Two directories are compared file by file without any option, links in them followed; a file is sought in the other.
    lists: ({ options }) => ({
      shows: "contents",
      depth: options.some(({ name }) => name === "-r" || name === "--recursive") ? undefined : 1,
      hidden: true,
    }),
    options:
      "-a -b -B -d -e -E -i -N -q -r -s -t -T -u -w -y -c -U= -C= -W= -x= --unified=? --context=? --brief --recursive " +
      "--side-by-side --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --text --new-file " +
      "--report-identical-files --minimal --exclude= --color=? --suppress-common-lines",
    refused: { "-l": "runs pr", "--paginate": "runs pr" },
  }),
  od: reader({
    ...files,
    options: "-a -b -c -d -f -h -i -l -o -s -v -x -A= -j= -N= -t= -w=? --address-radix= --format=",
  }),
  hexdump: reader({ ...files, options: "-b -c -C -d -o -v -x -n= -s=" }),
  hd: reader({ ...files, options: "-v -n= -s=" }),
  base64: reader({ ...files, most: 1, options: "-d --decode --wrap=" }),
  base32: reader({ ...files, most: 1, options: "-d --decode --wrap=" }),
  ...named(
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum",
    reader({
      ...files,
      options: "-b -t -z --binary --text --tag --zero",
      refused: {
        "-c": "prints lines of the list it checks",
        "--check": "prints lines of the list it checks",
      },
    }),
  ),
  ...named("cksum sum", reader(files)),
};

const WAITS = [{ verdict: "ask", reason: "it waits for input that nobody gives", risk: "R3" }] as const;
