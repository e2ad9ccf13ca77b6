/**
 * Programs that start the program they are given. They are seen through: the inner command is judged as if it stood
 * alone, and the wrapper itself is asked about, so that it never lowers a verdict.
 *
 * The rows have the form of `reader.ts`. Options with values matter: without them the value would be taken for the program.
 * Traits: `skip=` operands stand before the program (the duration of `timeout`, the lock of `flock`); `joins`, the operands are
 * one text for a shell (`watch 'a | b'`); `feeds`, words of its input are put into the command (`xargs`); `scripts=` options
 * have a text for a shell, `settings=` options one behind a name (`ProxyCommand=nc x`); `reads`, its input is a text for a shell;
 * `shell=` its operands are the words of that shell; `label`, a name may stand before a group (`coproc N { a; }`). Notes: why it is asked about, or what the wrapper itself is refused for.
 */
import {
  UNKNOWN_ARGUMENT,
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
import { judgeAssignment } from "../variables.ts";
import {
  hasOption,
  inputTexts,
  joinTables,
  named,
  parseOptionTable,
  readOptions,
  useOptions,
  usePaths,
  type CommandCall,
  type Program,
  type ProgramTable,
} from "./call.ts";
import { judgeFed } from "./fed.ts";
import { namesPath, readRows, type ProgramRow } from "./reader.ts";

const ENV_OPTIONS = "-i -0 -v -u= -C= -S= -P= --ignore-environment --null --unset= --chdir= --split-string= --debug";

const ROWS = readRows(`
env: scripts=-S,--split-string ${ENV_OPTIONS}
command: -p
builtin valgrind:
exec: -cl -a=
  asks: it replaces the shell
nohup ltrace unbuffer fakeroot rlwrap setarch linux32 linux64 i386 x86_64 dbus-run-session xvfb-run catchsegv noglob:
nocorrect - and or not winpty caffeinate torsocks torify proxychains tsocks eatmydata:
coproc: label
{ if then elif else while until do !:
  asks: it begins with a word of bash that is not read as one
bwrap firejail cgexec prlimit runcon sg setpriv:
capsh: shell=bash
nice: -0123456789 -n= --adjustment=
timeout: skip=1 -v -k= -s= --kill-after= --signal= --foreground --preserve-status --verbose
gtimeout: skip=1 -v -k= -s= --kill-after= --signal= --foreground --preserve-status
setsid: -cfw --ctty --fork --wait
  asks: it leaves the process group that would be ended
stdbuf: -i= -o= -e= --input= --output= --error=
ionice: -t -c= -n= -p= -P= -u= --class= --classdata=
chrt: skip=1 -bfioramvR -p= -T= -P= -D=
taskset: skip=1 -a -c= -p=
numactl: -N= -m= -C= -i= --cpunodebind= --membind= --interleave=
time: -pavq -o= -f= --output= --format= --append --portability --verbose
busybox toybox:
  asks: it is many programs in one
xargs gxargs: feeds -0rtpxile -n= -I= -P= -L= -s= -d= -E= -a=path -J= -R= --null --no-run-if-empty --max-args= --max-procs=
  --replace=? --delimiter= --arg-file=path --verbose
  asks: it starts a program with words from its input
parallel: joins feeds -kXm -j= -n= -N= -I= -a=path --jobs= --dry-run --bar --will-cite --halt=
strace truss dtruss: -fFcCdhikqrtTvVxy -e= -o= -p= -s= -S= -u= -a= -E= -O= -P=
perf: skip=1 -ag -e= -o= -p=
script: skip=1 scripts=-c,--command -aefqt -c= -O= -I= -B= -T= --command= --quiet --append
  asks: it starts a shell and writes a file
flock: skip=1 scripts=-c,--command -sxeunoFv -w= -E= -c= --command= --shared --exclusive --nonblock --wait=
watch: joins -bcdegptx -n= --interval=
  asks: it never ends
hyperfine: joins -Ni -w= -r= -m= -M= -p= -c= -n= -L=
entr: -acdnprsz
chroot proot: skip=1 -r= -b= -w= --userspec= --groups=
  asks: it changes the root directory
unshare: -imnpuUfrCTc --mount --fork --pid --user --map-root-user
  asks: it leaves the namespaces of this host
nsenter: -amuinpUCTrwF -t= --target= --all --mount --net --pid
  denies: it would enter another process's namespaces
systemd-run: -dtqGPS -p= -u= -M= -H= -E= --user --scope --pty --unit= --property= --setenv=
  asks: it leaves the process tree of this host
at batch: reads -mMv -q= -t=
  asks: it leaves the process tree of this host
tmux: skip=1 joins -L= -S= -f=
  asks: it leaves the process tree of this host
screen: joins -dmDrRL -S= -dm -dmS= -t= -c= -s= -n=
  asks: it leaves the process tree of this host
sudo sudo-rs gsudo dzdo pfexec calife: -AbEeHiKklnPSsVv -u= -g= -h= -p= -C= -r= -t= -T= -U= -D= -R= --user= --group= --preserve-env=? --login
  --shell --stdin --non-interactive
  denies: it asks for the rights of another user
doas pkexec run0 sudoedit machinectl gksu gksudo kdesu kdesudo lxqt-sudo: -nsL -u= -C= --user=
  denies: it asks for the rights of another user
su runuser: skip=1 scripts=-c,--command -lmp -c= -s= -g= -G= --command= --shell= --login
  denies: it asks for the rights of another user
runas psexec:
  denies: it asks for the rights of another user
gosu su-exec setuidgid s6-setuidgid: skip=1
  denies: it asks for the rights of another user
npx bunx pnpx uvx pipx: scripts=-c,--call -y -p= -c= --yes --package= --call=
  asks: it may fetch and run a package
ssh: skip=1 joins settings=-o -1246AaCfgKkMNnqsTtVvXxYy -b= -c= -D= -e= -F= -i= -L= -l= -m= -O= -o= -p= -Q= -R= -S= -W= -w= -J=
  asks: it runs a command on another machine
`);

/** What is told apart before the program behind is looked for. */
const SPECIAL: Readonly<Record<string, (call: CommandCall, seeThrough: Program) => Judgement>> = {
  env: judgeEnv,
  command: judgeCommand,
};

export const WRAPPERS: ProgramTable = joinTables(
  ROWS.map((row) => {
    const seeThrough = wrapper(row);
    const special = SPECIAL[row.names];
    return named(row.names, (call) => special?.(call, seeThrough) ?? seeThrough(call));
  }),
);

function wrapper({ traits, options, notes }: ProgramRow): Program {
  const table = parseOptionTable(options);
  const denied = notes.get("denies");
  const floor = denied === undefined ? ask(notes.get("asks") ?? "it starts another program") : deny(denied);
  const scripts = traits.get("scripts")?.split(",") ?? [];
  const settings = traits.get("settings");
  const shell = traits.get("shell");
  return (call) => {
    const read = readOptions(call.args, table, { stopAtOperand: true });
    const { assessArgs, assessText } = call.context;
    const texts = read.options.flatMap(({ name, value }) => {
      const text = value?.text ?? "";
      if (name === settings) return /^\s*\w*Command[\s=]+(.*)$/is.exec(text)?.[1] ?? [];
      return scripts.includes(name) ? text : [];
    });
    const behind = read.operands.slice(Number(traits.get("skip") ?? 0));
    // `flock lock -c 'text'`: the option stands behind the operand.
    if (scripts.includes(behind[0]?.text ?? "") && behind[1] !== undefined) texts.push(behind[1].text);
    const inner = afterAssignments(behind);
    if (traits.has("joins")) texts.push(textsOf(inner).join(" "));
    // Behind options that are not known here, as of `tmux new -s x`, a word of several is the text.
    const isBehindOptions = traits.has("joins") && inner[0]?.text.startsWith("-") === true;
    const guesses = isBehindOptions ? textsOf(inner).filter((text) => /\s/.test(text)) : [];
    if (traits.has("reads")) texts.push(...inputTexts(call));
    // An option that is not known may take the next word, so the program may stand one further on.
    const isLabelled = traits.has("label") && GROUP.test(inner[1]?.text ?? "");
    const starts = read.unknown.length > 0 || isLabelled ? [inner, inner.slice(1)] : [inner];
    if (shell !== undefined)
      starts.push([{ text: shell, glob: false, literal: true, raw: shell, commands: [] }, ...behind]);
    return judge(
      floor,
      read.options.some(({ name }) => MOVES.has(name) && call.name === "env") && MOVED,
      useOptions(call, read),
      traits.has("feeds") && judgeFed(call, read, inner),
      ...read.operands.slice(0, 8).map(({ text }) => {
        const [, name, value] = ASSIGNS.exec(text) ?? [];
        return name !== undefined && value !== undefined && judgeAssignment({ name, value });
      }),
      ...texts.map((text) => assessText(text)),
      ...guesses.map((text) => onlyDenials(assessText(text))),
      ...starts.filter((args) => args.length > 0).map((args) => assessArgs(args, call.command)),
    );
  };
}

const GROUP = /^(?:[{(]|if|while|until|for|case|select)$/;

const MOVES: ReadonlySet<string> = new Set(["-C", "--chdir"]);
/** The paths of the program were judged from here. */
const MOVED: Finding = askOpaque("its program starts in another directory");

/** `env A=b program`. */
function afterAssignments(args: readonly Arg[]): readonly Arg[] {
  const first = args.findIndex(({ text }) => !ASSIGNS.test(text));
  return first < 0 ? [] : args.slice(first);
}

const ASSIGNS = /^([A-Za-z_][\w%]*)=(.*)$/s;

function judgeCommand(call: CommandCall, seeThrough: Program): Judgement {
  const [query, ...others] = call.args;
  const isQuery = /^-[vV]+$/.test(query?.text ?? "") && others.every(({ literal }) => literal);
  return isQuery ? usePaths(call, others.filter(namesPath), "metadata") : seeThrough(call);
}

function judgeEnv(call: CommandCall, seeThrough: Program): Judgement {
  const read = readOptions(call.args, parseOptionTable(ENV_OPTIONS), { stopAtOperand: true });
  if (afterAssignments(read.operands).length === 0 && !hasOption(read, "-S --split-string"))
    return judge(ask("it prints the environment, which may hold secrets", "R4"));
  return judge(call.args.some(({ literal }) => !literal) && UNKNOWN_ARGUMENT, seeThrough(call));
}
