/**
 * Programs that read: files whole, in part, counted, sorted or summed; names and facts of files without their contents; and
 * what tells about the machine, the user and the time, and nothing of other processes or of the environment. GNU and BSD agree
 * on the options that are listed; an option that only one of them has is left out, because the other may write with it
 * (`base64 -o`). Options that run programs, write files, follow links out of the roots or take patterns from elsewhere are
 * left out too. The form of the rows is in `reader.ts`.
 */
import { ask, judge, textsOf, type Finding, type Judgement } from "../model.ts";
import { WAITS, hasInput, hasOption, type CommandCall, type ProgramTable, type ReadArgs } from "./call.ts";
import { isHarmlessJq } from "./jq.ts";
import { readers } from "./reader.ts";
import { OF_FILE, judgeTested } from "./tested-paths.ts";

/** Some of those that tell about the system set the clock or the host name when they are given an operand. */
const ROWS = `
cat: files waits -AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs
  --show-nonprinting
tac: files waits -b -s= --before --separator=
nl: files waits -p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --number-width=
head: files waits digits -qvz -c= -n= --bytes= --lines= --quiet --silent --verbose
tail: files waits digits -qvzr -c= -n= --bytes= --lines= --quiet --silent --verbose
  -f -F --follow: never ends
wc: files waits -clLmw --bytes --chars --lines --words --max-line-length --total=
  --files0-from: takes its operands from a file
cut: files waits -nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited
  --output-delimiter=
paste: files waits -sz -d= --delimiters= --serial
join: files waits least=2 most=2 -i -a= -e= -j= -o= -t= -v= -1= -2=
comm: files waits least=2 most=2 -123i
tr: text least=1 most=2 -cCdst --complement --delete --squeeze-repeats --truncate-set1
rev: files waits
fold: files waits -bs -w= --bytes --spaces --width=
fmt: files waits -cstu -w= --width=
expand: files waits -i -t= --initial --tabs=
unexpand: files waits -a -t= --all --first-only --tabs=
column: files waits -tx -s= -c=
uniq: files waits most=1 -cdDuiz -f= -s= -w= --count --repeated --unique --ignore-case --skip-fields= --skip-chars=
  --check-chars= --group=?
sort: files waits -bdfghiMnrRVcCmsuz -k= -t= --ignore-leading-blanks --dictionary-order --ignore-case
  --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --reverse --version-sort
  --check --merge --stable --unique --zero-terminated --key= --field-separator= --parallel= --sort= --debug -o=write --output=write
  -T: writes temporary files elsewhere
  --compress-program: runs a program
  --files0-from: takes its operands from a file
cmp: files waits least=2 most=2 -bls -n= -i= --print-bytes --verbose --quiet --silent
diff: files waits least=2 most=2 walks=-r,--recursive -abBdeEiNqrstTuwycpnZ0123456789 -U= -C= -W= -x= -I= -F= -L=
  --unified=? --context=? --brief --label= --width= --strip-trailing-cr --ignore-trailing-space --show-c-function
  --ignore-matching-lines= --show-function-line= --no-dereference
  --recursive --side-by-side --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --text
  --new-file --report-identical-files --minimal --exclude= --color=? --suppress-common-lines
  -l --paginate: runs pr
od: files waits -abcdfhilosvx -A= -j= -N= -t= -w=? --address-radix= --format=
hexdump: files waits -bcCdovx -n= -s=
hd: files waits -v -n= -s=
base64 base32: files waits most=1 -d --decode --wrap=
md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum: files waits -btz --binary --text --tag --zero
  -c --check: prints lines of the list it checks
shasum: files waits -btp0U -a= --algorithm= --binary --text
  -c --check: prints lines of the list it checks
cksum sum: files waits
shuf: files waits alone=-e,-i,--echo,--input-range -ez -i= -n= --echo --input-range= --head-count= --zero-terminated
  -o=write --output=write
  -r --repeat: never ends
numfmt: text -z -d= --delimiter= --field= --format= --from= --from-unit= --grouping --header=? --invalid= --padding=
  --round= --suffix= --to= --to-unit= --zero-terminated
factor: text -h --exponents
grep egrep fgrep: pattern=-e,-f,--regexp,--file waits digits walks=-r,--recursive -abcEFGhHiIlLnoPqsTUvwxyzr -e= -m= -A= -B= -C=
  --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --ignore-case --no-ignore-case --invert-match
  --word-regexp --line-regexp --count --color=? --colour=? --files-without-match --files-with-matches --max-count=
  --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number
  --initial-tab --null --after-context= --before-context= --context= --text --binary-files= --exclude= --exclude-dir=
  --include= --recursive -f=path --file=path --exclude-from=path
  -R --dereference-recursive: follows links
  -d: may walk into folders
rg: pattern=-e,-f,--regexp,--file,--files,--type-list always -. -abcFhHiIlnNoPqsSUvwx0pu -e= -m= -A= -B= -C= -g= -t= -T= -d= -M= -r= -E= -j= -f=path --file=path
  --regexp= --fixed-strings --case-sensitive --ignore-case --smart-case --invert-match --word-regexp --line-regexp
  --count --count-matches --color= --column --heading --no-heading --files --files-with-matches --files-without-match
  --glob= --iglob= --hidden --no-ignore --no-ignore-vcs --json --line-number --no-line-number --max-columns=
  --max-count= --max-depth= --max-filesize= --multiline --multiline-dotall --no-filename --with-filename --only-matching
  --passthru --pcre2 --pretty --quiet --replace= --sort= --sortr= --stats --text --threads= --trim --type= --type-not=
  --type-list --unrestricted --vimgrep --after-context= --before-context= --context= --no-messages --null --encoding=
  --no-config --no-follow --no-ignore-parent --no-ignore-dot --no-ignore-global --no-ignore-exclude --debug --colors=
  --context-separator= --crlf --glob-case-insensitive --one-file-system --engine=
  --pre: runs a program for every file
  --hostname-bin: runs a program
  -z --search-zip: runs decompressors
  -L --follow: follows links
  --ignore-file: reads a file of its own
jq: pattern waits alone=-n,--null-input least=1 -crjasSCMenR --compact-output --raw-output --join-output --ascii-output
  --slurp --sort-keys --color-output --monochrome-output --exit-status --null-input --raw-input --seq --stream --tab
  --indent=
  -L: takes modules from a folder
  -f: takes its program from a file
ls: files metadata walks=-R,--recursive -aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1 --all --almost-all --author --escape
  --color=? --directory --classify=? --full-time --group-directories-first --no-group --human-readable --si --hide=
  --indicator-style= --inode --ignore= --kibibytes --literal --quote-name --quoting-style= --reverse --recursive --size
  --sort= --time= --time-style= --width= --zero --file-type --format= --hyperlink=? --block-size=
  -L -H --dereference: follows links
stat: files metadata least=1 -t -c= --format= --printf= --terse
  -f: tells about the file system
  -L: follows links
du: files metadata always -0abchkmsSx -d= -t= -B= --block-size= --all --apparent-size --bytes --total --max-depth= --human-readable --si
  --summarize --separate-dirs --one-file-system --threshold= --exclude= --time=?
  --files0-from: takes its operands from a file
  -L: follows links
  -X: reads patterns from a file
file: files least=1 -biIknNr0h --brief --mime --mime-type --mime-encoding --no-dereference --keep-going --extension
  -C: writes magic.mgc
  -m: takes another magic file
  -z -Z: runs decompressors
  -f: takes its operands from a file
readlink: files metadata least=1 -femnqsvz --canonicalize --no-newline
realpath: files metadata least=1 -emqszLP
tree: files metadata always -adfishpugDFqNQrtcUvnCxJX -L= -P= -I= --noreport --dirsfirst --filelimit= --prune --du --si
  --gitignore --matchdirs --ignore-case --charset= -o=write
  -l: follows links
  -R: writes files
basename: text least=1 -az -s= --multiple --suffix= --zero
dirname: text least=1 -z --zero
pwd: none -LP --logical --physical
uname: none -asnrvmpio --all --kernel-name --nodename --machine
id: text most=1 -ugGnrz --user --group --groups --name --real
whoami logname arch: none
groups: text most=1
nproc: none --all
tty hostname: none -s
date: text most=1 -uR -I=? -d= -r=path --reference=path --utc --universal --rfc-email --iso-8601=? --rfc-3339= --date=
  -s --set: sets the clock
  -f: prints lines of a file
`;

export const READERS: ProgramTable = {
  ...readers(ROWS, {
    tr: { check: (_read, call) => !hasInput(call) && WAITS },
    numfmt: { check: asksForOperands },
    factor: { check: asksForOperands },
    diff: {
      // Two directories are compared file by file without any option, links in them followed; a file is sought in the other.
      lists: (read) => ({ shows: "contents", depth: hasOption(read, "-r --recursive") ? undefined : 1, hidden: true }),
    },
    jq: {
      check: ({ operands: [program] }) =>
        !isHarmlessJq(program?.text ?? "") && ask("a jq program may read the environment or modules, or never end"),
    },
    ls: {
      lists: (read) =>
        !hasOption(read, "-d --directory") && {
          shows: "names",
          depth: hasOption(read, "-R --recursive") ? undefined : 1,
          hidden: hasOption(read, "-a -A -f --all --almost-all"),
          follows: hasOption(read, "-F -p --color --classify --file-type --indicator-style"),
        },
    },
    du: {
      lists: (read) =>
        !hasOption(read, "-s --summarize") && {
          shows: "names",
          depth: depthOf(read, "-d --max-depth"),
          hidden: true,
          onlyDirectories: !hasOption(read, "-a --all"),
        },
    },
    tree: {
      lists: (read) => ({
        shows: "names",
        depth: depthOf(read, "-L"),
        hidden: hasOption(read, "-a"),
        onlyDirectories: hasOption(read, "-d"),
      }),
    },
    date: {
      check: ({ operands, options }) =>
        judge(
          !operands.every(({ text }) => text.startsWith("+")) && ask("an operand of date sets the clock"),
          ...options.map(({ name, value }) => /^(?:-d|--date)$/.test(name) && askForZone(value?.text)),
        ),
    },
  }),
  test: judgeTest,
};

/** For a program that works on its operands, and on its input where there are none. */
function asksForOperands({ operands }: ReadArgs, call: CommandCall): Finding | false {
  return operands.length === 0 && !hasInput(call) && WAITS;
}

/** The last one counts; what is no number is no bound. */
function depthOf({ options }: ReadArgs, names: string): number | undefined {
  const value = options.findLast(({ name }) => names.split(" ").includes(name))?.value?.text ?? "";
  return /^\d{1,4}$/.test(value) ? Number(value) : undefined;
}

/** `test`: of its operators only those that look at a file or compare text or plain numbers. `-v` and `-R` evaluate a subscript. */
function judgeTest(call: CommandCall): Judgement {
  const args = call.args[0]?.text === "!" ? call.args.slice(1) : call.args;
  const [first = "", operator = ""] = textsOf(args);
  const tested = judgeTested(call);
  if (args.length === 2 && OF_FILE.test(first)) return tested;
  const isText = args.length === 2 ? /^-[nz]$/.test(first) : args.length === 3 && /^(?:=|==|!=)$/.test(operator);
  const isOfNumbers = args.length === 3 && /^-?\d+ -(?:eq|ne|lt|le|gt|ge) -?\d+$/.test(textsOf(args).join(" "));
  return judge(tested, !isText && !isOfNumbers && ask("a test may evaluate its words"));
}

/** GNU dates may begin with `TZ="..."`, which opens the file that it names, wherever it lies. */
export function askForZone(date = ""): Finding | false {
  return /["\\]|TZ/i.test(date) && ask("a date may name a file of a time zone");
}
