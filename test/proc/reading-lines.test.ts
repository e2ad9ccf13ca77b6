/**
 * What a line that is run unasked does, seen from the kernel: every line of the corpora that the reader allows is run as
 * the launcher runs it, all of them under one strace. None of them sets a variable of its shell, starts a program that it
 * does not name or that lies elsewhere than in PATH, opens a file outside the root but for the system's own, or writes.
 *
 * Usual mistake: to trust that a line ran because nothing was found. A program that is not installed opens nothing, so what
 * ran is counted.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { childEnvironment } from "../../src/proc/plan/child-environment.ts";
import { fixedLine } from "../../src/proc/plan/child-environment.ts";
import { openShellReader } from "../../src/shell/index.ts";
import { component } from "../components/component.ts";
import { readCases } from "../shell/read-cases.ts";

const tools = component("strace", "bash");
const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Not in the corpora: near the edge of what is allowed, on this side or the other. */
const MORE: readonly string[] = [
  "printf %lln PATH; ls",
  "printf %lln made",
  "printf 1234%lln PATH && ls",
  "printf '%*hhn' 1 PATH",
  "printf '%(%F)T\\n' -1",
  "printf '%5d|%-9s|%x\\n' 1 a 255",
  "type ls",
  "command -v ls",
  "which ls",
  "ls -la",
  "ls -lF --color=always src",
  "find . -readable",
  "du -a",
  "diff src lib",
  "diff -r src lib",
  "diff a.txt lib",
  "jq '{name, version}' package.json",
  "egrep -c one a.txt",
  "date -d 'TZ=\"/etc/hostname\" now'",
  "sort -R a.txt",
  "date -d '2024-01-02 +1 day'",
];

/** What other lines left behind, and what a steered look-up would find. */
const FILES: Readonly<Record<string, string>> = {
  "a.txt": "one\ntwo\nfoo\n",
  "b.txt": "one\nthree\n",
  "a b.txt": "x\n",
  "-n": "x\n",
  "-rf": "x\n",
  "a;rm -rf b.txt": "x\n",
  ".env.example": "KEY=\n",
  ".gitignore": "node_modules\n",
  "package.json": '{"name":"x","version":"1"}\n',
  "src/main.ts": "foo\n",
  "src/lib/x.ts": "x\n",
  "lib/main.ts": "bar\n",
  "lib/a.txt": "foo\n",
};
const PLANTED = ["ls", "0/ls", "4/ls", "cat", "src/ls"];

/** Variables that a shell changes by itself whenever it runs anything. `BASH_CMDS` is looked at apart. */
const OF_ITSELF =
  /^declare -\S+ (?:_|BASHPID|BASH_(?:ARGC|ARGV|ARGV0|CMDS|COMMAND|EXECUTION_STRING|LINENO|SUBSHELL)|EPOCHREALTIME|EPOCHSECONDS|HISTCMD|LINENO|PIPESTATUS|RANDOM|SECONDS|SRANDOM)(?:=|$)/;
/** The system's own: programs, libraries, locales, zones, names of users, and what the kernel tells of itself. */
const OF_THE_SYSTEM =
  /^\/(?:usr|lib\d*|bin)\/|^\/etc\/(?:ld\.so\.\w+|localtime|timezone|passwd|group|nsswitch\.conf|magic\w*|locale\.alias|host\.conf|hosts|resolv\.conf)$|^\/dev\/(?:null|tty|u?random)$|^\/proc\/(?:self|\d+|filesystems|mounts|meminfo|stat|sys)(?:\/|$)|^\/sys\/(?:devices\/system\/cpu|fs\/cgroup)(?:\/|$)|^(?:pipe|socket|anon_inode):/;
/** A program that is a script, and what it starts in turn. */
const STARTS: Readonly<Record<string, readonly string[]>> = {
  egrep: ["grep"],
  fgrep: ["grep"],
  which: ["getopt"],
};

let base = "";
let root = "";
let lines: { readonly command: string; readonly programs: readonly string[] }[] = [];
let seen: { readonly opened: readonly string[]; readonly started: readonly string[] }[] = [];

describe.skipIf(tools.isMissing)(`a line that is allowed${tools.note}`, () => {
  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-reading-")));
    root = join(base, "root");
    for (const folder of ["root", "lines", "marks", "variables", "home"]) mkdirSync(join(base, folder));
    for (const [name, content] of Object.entries(FILES)) plant(name, content);
    for (const name of PLANTED) plant(name, "#!/bin/sh\n:\n", 0o755);
    symlinkSync("/etc/hostname", join(root, "lib", "out"));
    lines = await allowedLines();
    seen = traced();
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  test("many lines are allowed, and most of them run here", () => {
    expect(lines.length).toBeGreaterThan(140);
    expect(seen.length).toBe(lines.length);
    expect(seen.filter(({ started }) => started.length > 0).length).toBeGreaterThan(80);
  });

  test("a line that is allowed leaves every variable of its shell as it was", () => {
    const changed = lines.flatMap(({ command }, index) => {
      const [before, after] = ["before", "after"].map((when) =>
        readFileSync(join(base, "variables", `${index}.${when}`), "utf8").split("\n"),
      );
      const kept = new Set(before?.filter((line) => !OF_ITSELF.test(line)));
      const now = after?.filter((line) => !OF_ITSELF.test(line)) ?? [];
      const isSame = now.length === kept.size && now.every((line) => kept.has(line));
      return kept.size > 20 && isSame ? [] : [[command, now.filter((line) => !kept.has(line))]];
    });
    expect(changed).toEqual([]);
  });

  test("a line that is allowed starts only the programs that it names, where PATH has them", () => {
    const directories = new Set(PATH.split(":"));
    const others = lines.flatMap(({ command, programs }, index) => {
      const meant = new Set(programs.flatMap((name) => [name, ...(STARTS[name] ?? [])]));
      return (seen[index]?.started ?? [])
        .filter((path) => !directories.has(dirname(path)) || !meant.has(basename(path)))
        .map((path) => [command, path]);
    });
    expect(others).toEqual([]);
  });

  test("a line that is allowed opens files of the root and of the system alone, and none to write", () => {
    const others = lines.flatMap(({ command }, index) =>
      (seen[index]?.opened ?? []).filter((line) => !isHarmless(line)).map((line) => [command, line]),
    );
    expect(others).toEqual([]);
  });
});

function plant(name: string, content: string, mode: number = 0o644): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}

async function allowedLines(): Promise<typeof lines> {
  const shell = await openShellReader();
  const commands = [...readCases("corpus"), ...readCases("cases"), ...readCases("attack")].map(
    ({ command }) => command,
  );
  return [...new Set([...commands, ...MORE])].flatMap((command) => {
    const { verdict, parts, listings } = shell.assess(command, {
      cwd: root,
      roots: [root],
      home: "/nonexistent",
    });
    // A link lies in `lib`, so the host would ask about these.
    const asks = listings.some(({ path, shows }) => shows === "contents" && path === "lib");
    if (verdict !== "allow" || asks) return [];
    return [{ command, programs: parts.map(({ words }) => words[0] ?? "") }];
  });
}

/** One run of strace: a shell that marks where a line begins, and starts each as the launcher would. */
function traced(): typeof seen {
  for (const [index, { command }] of lines.entries()) {
    const fixed = fixedLine({ command: `declare -p >&3; ${command}\ndeclare -p >&4`, fixed: true });
    writeFileSync(join(base, "lines", `${index}`), fixed);
  }
  const driver = `for ((i = 0; i < ${lines.length}; i++)); do
  : > "${base}/marks/$i"
  bash --noprofile --norc -p -c "$(< "${base}/lines/$i")" 3> "${base}/variables/$i.before" 4> "${base}/variables/$i.after" > /dev/null 2>&1 < /dev/null
done`;
  const log = join(base, "trace");
  const options = [
    "-f",
    "-qq",
    "-y",
    "-s",
    "4096",
    "-e",
    "trace=execve,open,openat,openat2,creat",
    "-e",
    "signal=none",
  ];
  const env = childEnvironment({
    host: {},
    path: PATH,
    temporary: join(base, "home"),
    home: join(base, "home"),
    cwd: root,
    declared: {},
    inherit: [],
  });
  const run = Bun.spawnSync(["strace", ...options, "-o", log, "bash", "--noprofile", "--norc", "-p", "-c", driver], {
    cwd: root,
    env,
    stdin: "ignore",
  });
  if (run.exitCode !== 0) throw new Error(run.stderr.toString());
  return split(readFileSync(log, "utf8"));
}

/** Up to the first start of a line it is the driver that works, which opens what the line is given. */
function split(log: string): typeof seen {
  const found: { opened: string[]; started: string[] }[] = [];
  let hasShell = false;
  for (const line of joined(log)) {
    if (line.includes("openat(") && line.includes(`"${base}/marks/`)) {
      found.push({ opened: [], started: [] });
      hasShell = false;
      continue;
    }
    const last = found.at(-1);
    if (!last || !/ = \d+/.test(line)) continue;
    const program = /^\d+ +execve\("([^"]*)"/.exec(line)?.[1];
    if (program !== undefined && hasShell) last.started.push(program);
    else if (program !== undefined) hasShell = true;
    else if (hasShell) last.opened.push(line);
  }
  return found;
}

/** Calls that were interrupted by another process stand in two halves. */
function joined(log: string): string[] {
  const open = new Map<string, string>();
  return log.split("\n").flatMap((line) => {
    const pid = /^\d+/.exec(line)?.[0] ?? "";
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(line)?.[1];
    if (begun !== undefined) open.set(pid, begun);
    if (begun !== undefined) return [];
    const rest = /^\d+ +<\.\.\. \w+ resumed>(.*)$/.exec(line)?.[1];
    return [rest === undefined ? line : (open.get(pid) ?? "") + rest];
  });
}

function isHarmless(line: string): boolean {
  const path = / = \d+<(.*)>$/.exec(line)?.[1] ?? "";
  if (path === "/dev/null") return true;
  if (/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|\bcreat\(/.test(line)) return path === "/dev/tty";
  return path === root || path.startsWith(`${root}/`) || OF_THE_SYSTEM.test(path);
}
