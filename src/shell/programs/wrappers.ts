/**
 * Programs that start the program they are given. They are seen through: the inner command is judged as if it stood
 * alone, and the wrapper itself is asked about, so that it never lowers a verdict.
 */
import { named, usePaths, type CommandCall, type Program, type ProgramTable, judgeAssignment } from "../model/call.ts";
import { ask, deny, judged, merge, onlyUntold, UNKNOWN_ARGUMENT, type Judgement } from "../model/judgement.ts";
import { UNKNOWN, UNKNOWN_WORD, type Arg } from "../model/parts.ts";
import { parseOptionTable, readOptions, type ReadArgs, namesPath } from "./reader.ts";

interface WrapperShape {
  /** Options with values matter: without them the value would be taken for the program. */
  readonly options?: string;
  /** How many operands stand before the program: the duration of `timeout`, the lock of `flock`. */
  readonly skip?: number;
  readonly reason?: string;
  /** What the wrapper itself is refused for. */
  readonly denied?: string;
  /** The operands are one text for a shell: `watch 'a | b'`. */
  readonly joins?: boolean;
  /** Words of its input are put into the command: `xargs`. */
  readonly feeds?: true;
  /** Options whose value is a text for a shell: `-c`. */
  readonly scripts?: readonly string[];
}

function wrapper(shape: WrapperShape = {}): Program {
  const table = parseOptionTable(shape.options ?? "");
  const floor = shape.denied === undefined ? ask(shape.reason ?? "it starts another program") : deny(shape.denied);
  return (call) => {
    const read = readOptions(call.args, table, { stopAtOperand: true });
    const { assessText } = call.context;
    const texts = read.options.flatMap(({ name, value }) =>
      shape.scripts?.includes(name) === true && value !== undefined ? [value.text] : [],
    );
    const behind = read.operands.slice(shape.skip ?? 0);
    // `flock lock -c 'text'`: the option stands behind the operand.
    if (shape.scripts?.includes(behind[0]?.text ?? "") === true && behind[1] !== undefined) texts.push(behind[1].text);
    const inner = afterAssignments(behind);
    // An option that is not known may take the next word, so the program may stand one further on.
    const starts = read.unknown.length > 0 ? [inner, inner.slice(1)] : [inner];
    const joined = shape.joins === true ? [inner.map(({ text }) => text).join(" ")] : [];
    return merge([
      judged(floor),
      ...(shape.feeds === true ? [judgeFed(call, read, inner)] : []),
      ...read.operands.slice(0, 8).flatMap((arg) => judgeOperand(arg)),
      ...texts.map((text) => assessText(text, [])),
      ...joined.map((text) => assessText(text, [])),
      ...starts.filter((args) => args.length > 0).map((args) => call.context.assessArgs(args, call.command)),
    ]);
  };
}

/**
 * With words that are not known in the places where the input goes: behind the command, or where its mark stands. What is
 * run on them is known unless they are run themselves (`xargs sh -c`, `xargs -I{} {}`, `xargs env`).
 */
function judgeFed(call: CommandCall, { options }: ReadArgs, command: readonly Arg[]): Judgement {
  const isParallel = call.name === "parallel";
  const list = isParallel ? command.findIndex(({ text }) => /^:::+\+?$/.test(text)) : -1;
  const inner = list < 0 ? command : command.slice(0, list);
  if (inner.length === 0 && !isParallel) return judged();
  if (inner.length === 0 && list >= 0 && !command[list]?.text.startsWith("::::"))
    return merge(command.slice(list + 1).map(({ text }) => call.context.assessText(text, [])));
  const mark = options.findLast(({ name }) => /^(?:-I|-J|-i|--replace)$/.test(name));
  const sign = mark === undefined ? undefined : (mark.value?.text ?? "{}");
  const isMarked = (text: string): boolean =>
    isParallel ? text.lastIndexOf("}") > text.indexOf("{") && text.includes("{") : text.includes(sign ?? UNKNOWN);
  const marked = inner.map((arg) => (isMarked(arg.text) ? { ...UNKNOWN_WORD, commands: arg.commands } : arg));
  const isBehind = isParallel ? !inner.some(({ text }) => isMarked(text)) : sign === undefined;
  const fed = isBehind ? [...marked, UNKNOWN_WORD] : marked;
  return onlyUntold(call.context.assessArgs(fed, { ...call.command, fedBy: [] }));
}

/** `env A=b program`. */
function afterAssignments(args: readonly Arg[]): readonly Arg[] {
  const first = args.findIndex(({ text }) => !ASSIGNS.test(text));
  return first < 0 ? [] : args.slice(first);
}

const ASSIGNS = /^([A-Za-z_][\w%]*)=(.*)$/s;

function judgeOperand(arg: Arg): Judgement[] {
  const [, name, value] = ASSIGNS.exec(arg.text) ?? [];
  return name === undefined || value === undefined ? [] : [judged(...judgeAssignment({ name, value }))];
}

const PRIVILEGE = "it asks for the rights of another user";
const SUDO =
  "-u= -g= -h= -p= -C= -r= -t= -T= -U= -D= -R= -A -b -E -e -H -i -K -k -l -n -P -S -s -V -v --user= --group= --preserve-env=? --login --shell --stdin --non-interactive";

export const WRAPPERS: ProgramTable = {
  env: judgeEnv,
  command: (call) => {
    const query = call.args[0]?.text ?? "";
    const isQuery = /^-[vV]+$/.test(query) && call.args.slice(1).every(({ literal }) => literal);
    const paths = usePaths(call, call.args.slice(1).filter(namesPath), "metadata");
    return isQuery ? paths : wrapper({ options: "-p" })(call);
  },
  builtin: wrapper(),
  exec: wrapper({ options: "-a= -c -l", reason: "it replaces the shell" }),
  ...named(
    "nohup ltrace unbuffer fakeroot rlwrap setarch linux32 linux64 i386 x86_64 dbus-run-session xvfb-run catchsegv noglob nocorrect - and or not winpty caffeinate coproc torsocks torify proxychains tsocks eatmydata",
    wrapper(),
  ),
  nice: wrapper({ options: "-n= --adjustment= -0 -1 -2 -3 -4 -5 -6 -7 -8 -9" }),
  timeout: wrapper({
    options: "-k= -s= -v --kill-after= --signal= --foreground --preserve-status --verbose",
    skip: 1,
  }),
  gtimeout: wrapper({
    options: "-k= -s= -v --kill-after= --signal= --foreground --preserve-status",
    skip: 1,
  }),
  setsid: wrapper({
    options: "-c -f -w --ctty --fork --wait",
    reason: "it leaves the process group that would be ended",
  }),
  stdbuf: wrapper({ options: "-i= -o= -e= --input= --output= --error=" }),
  ionice: wrapper({ options: "-c= -n= -p= -P= -u= -t --class= --classdata=" }),
  chrt: wrapper({ options: "-b -f -i -o -r -a -m -v -R -p= -T= -P= -D=", skip: 1 }),
  taskset: wrapper({ options: "-a -c= -p=", skip: 1 }),
  numactl: wrapper({ options: "-N= -m= -C= -i= --cpunodebind= --membind= --interleave=" }),
  time: wrapper({ options: "-p -a -v -q -o= -f= --output= --format= --append --portability --verbose" }),
  ...named("busybox toybox", wrapper({ reason: "it is many programs in one" })),
  ...named(
    "xargs gxargs",
    wrapper({
      options:
        "-0 -r -t -p -x -n= -I= -i -P= -L= -l -s= -d= -E= -e -a= -J= -R= --null --no-run-if-empty --max-args= --max-procs= --replace=? --delimiter= --arg-file= --verbose",
      reason: "it starts a program with words from its input",
      feeds: true,
    }),
  ),
  parallel: wrapper({
    options: "-j= -n= -N= -k -X -m -I= -a= --jobs= --dry-run --bar --will-cite --halt=",
    joins: true,
    feeds: true,
  }),
  ...named(
    "strace truss dtruss",
    wrapper({
      options: "-f -F -c -C -d -h -i -k -q -r -t -T -v -V -x -y -e= -o= -p= -s= -S= -u= -a= -E= -O= -P=",
    }),
  ),
  valgrind: wrapper(),
  perf: wrapper({ skip: 1, options: "-e= -o= -p= -a -g" }),
  script: wrapper({
    options: "-a -e -f -q -c= -t -O= -I= -B= -T= --command= --quiet --append",
    scripts: ["-c", "--command"],
    skip: 1,
    reason: "it starts a shell and writes a file",
  }),
  flock: wrapper({
    options: "-s -x -e -u -n -o -F -v -w= -E= -c= --command= --shared --exclusive --nonblock --wait=",
    scripts: ["-c", "--command"],
    skip: 1,
  }),
  watch: wrapper({
    options: "-b -c -d -e -g -p -t -x -n= --interval=",
    joins: true,
    reason: "it never ends",
  }),
  hyperfine: wrapper({ options: "-w= -r= -m= -M= -p= -c= -n= -L= -N -i", joins: true }),
  entr: wrapper({ options: "-a -c -d -n -p -r -s -z" }),
  ...named(
    "chroot proot",
    wrapper({
      skip: 1,
      options: "-r= -b= -w= --userspec= --groups=",
      reason: "it changes the root directory",
    }),
  ),
  unshare: wrapper({
    options: "-i -m -n -p -u -U -f -r -C -T -c --mount --fork --pid --user --map-root-user",
    reason: "it leaves the namespaces of this host",
  }),
  nsenter: wrapper({
    options: "-a -t= -m -u -i -n -p -U -C -T -r -w -F --target= --all --mount --net --pid",
    denied: "it would enter another process's namespaces",
  }),
  ...named(
    "systemd-run at batch",
    wrapper({
      options: "-p= -u= -M= -H= -E= -d -t -q -G -P -S --user --scope --pty --unit= --property= --setenv=",
      reason: "it leaves the process tree of this host",
    }),
  ),
  ...named("bwrap firejail cgexec prlimit runcon sg setpriv capsh", wrapper()),
  tmux: wrapper({
    skip: 1,
    options: "-L= -S= -f=",
    joins: true,
    reason: "it leaves the process tree of this host",
  }),
  screen: wrapper({
    options: "-d -m -D -r -R -S= -L -dm -dmS= -t= -c= -s= -n=",
    joins: true,
    reason: "it leaves the process tree of this host",
  }),
  ...named("sudo gsudo", wrapper({ options: SUDO, denied: PRIVILEGE })),
  ...named("doas pkexec run0 sudoedit machinectl", wrapper({ options: "-u= -C= -n -s -L --user=", denied: PRIVILEGE })),
  ...named(
    "su runuser",
    wrapper({
      options: "-c= -s= -g= -G= -l -m -p --command= --shell= --login",
      scripts: ["-c", "--command"],
      skip: 1,
      denied: PRIVILEGE,
    }),
  ),
  runas: wrapper({ denied: PRIVILEGE }),
  ...named(
    "npx bunx pnpx uvx pipx",
    wrapper({
      options: "-y -p= -c= --yes --package= --call=",
      scripts: ["-c", "--call"],
      reason: "it may fetch and run a package",
    }),
  ),
  ssh: wrapper({
    options:
      "-1 -2 -4 -6 -A -a -C -f -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -b= -c= -D= -e= -F= -i= -L= -l= -m= -O= -o= -p= -Q= -R= -S= -W= -w= -J=",
    skip: 1,
    joins: true,
    reason: "it runs a command on another machine",
  }),
};

function judgeEnv(call: CommandCall): Judgement {
  const table = parseOptionTable(
    "-i -0 -v -u= -C= -S= -P= --ignore-environment --null --unset= --chdir= --split-string= --debug",
  );
  const read = readOptions(call.args, table, { stopAtOperand: true });
  if (
    afterAssignments(read.operands).length === 0 &&
    !read.options.some(({ name }) => /^(?:-S|--split-string)$/.test(name))
  )
    return judged(ask("it prints the environment, which may hold secrets", "R4"));
  const hidden = call.args.some(({ literal }) => !literal) ? [UNKNOWN_ARGUMENT] : [];
  const inner = wrapper({
    options: "-i -0 -v -u= -C= -S= -P= --ignore-environment --null --unset= --chdir= --split-string= --debug",
    scripts: ["-S", "--split-string"],
  })(call);
  return merge([judged(...hidden), inner]);
}
