/**
 * What the caller gets besides the verdict: the commands as they were read, the paths with what is done to them, the
 * risk, whether it can be read at all; and what changes with the surroundings.
 */
import { describe, expect, test } from "bun:test";
import { openShellReader, type ShellAssessment, type ShellSurroundings } from "../../src/shell/index.ts";
import { FAMILIES } from "../../src/shell/assess.ts";
import { programs } from "../../src/shell/programs/call.ts";
import { SURROUNDINGS } from "./read-cases.ts";

const shell = await openShellReader();
const assess = (command: string, more: Partial<ShellSurroundings> = {}): ShellAssessment =>
  shell.assess(command, { ...SURROUNDINGS, ...more });

const wordsOf = (command: string): (readonly string[])[] => assess(command).parts.map(({ words }) => words);
const pathsOf = (command: string, more: Partial<ShellSurroundings> = {}): string[] =>
  assess(command, more).paths.map(
    ({ path, intent, recursive, inside }) => `${intent}${recursive ? " all" : ""} ${path}${inside ? "" : " (outside)"}`,
  );

describe("the commands as they were read", () => {
  test.each<[string, string[][]]>([
    ["ls -la 'a b' | head", [["ls", "-la", "a b"], ["head"]]],
    ["r''m \\-rf $'\\x2f'", [["rm", "-rf", "/"]]],
    ["a=x; echo $a ${a} \"$a\" '$a'", [[], ["echo", "x", "x", "x", "$a"]]],
    ["cat a.{txt,md} {1..3}", [["cat", "a.txt", "a.md", "1", "2", "3"]]],
    ["ls ~ ~/x '~'", [["ls", "/srv/homes/someone", "/srv/homes/someone/x", "~"]]],
    ["echo $x$(ls)", [["echo", "<?><?>"], ["ls"]]],
    ["rm$IFS-rf${IFS}/", [["rm", "-rf", "/"]]],
    ["> out -la ls", [["-la", "ls"]]],
    ["ls \u001b[2K", [["ls", "\\x1b[2K"]]],
    ["if a; then b; fi; c() { d; }", [["a"], ["b"], ["d"]]],
  ])("assess() reads the words of %j", (command, words) => {
    expect(wordsOf(command)).toEqual(words);
  });

  test("assess() tells redirections and assignments of a part", () => {
    expect(assess("A=b ls > out 2>&1").parts).toEqual([
      { words: ["ls"], redirects: ["> out", ">& 1"], assignments: ["A=b"] },
    ]);
  });
});

describe("the paths", () => {
  test.each<[string, string[]]>([
    ["cat -n a.txt ../b", ["read a.txt", "read ../b (outside)"]],
    ["grep -r foo src lib", ["read all src", "read all lib"]],
    ["grep -f pats -e x a.txt", ["read pats", "read a.txt"]],
    ["ls -la", []],
    ["find src lib -name x", ["metadata all src", "metadata all lib"]],
    ["find src -newer a.txt -delete", ["metadata all src", "metadata a.txt", "remove all src"]],
    ["rm -rf -- -x build", ["remove all -x", "remove all build"]],
    ["mv a b c", ["remove all a", "remove all b", "write all c"]],
    ["cp -t dir a b", ["read all a", "read all b", "write all dir"]],
    ["sort a.txt > out.txt", ["write out.txt", "read a.txt"]],
    ["cat < in.txt", ["read in.txt"]],
    ["dd if=a of=b", ["write b", "read a"]],
    ["sed -i s/a/b/ x", ["write x"]],
    ["env nice cat a.txt", ["read a.txt"]],
    ["sh -c 'cat a.txt'", ["read a.txt"]],
    ["foo --out=./x y/z https://a/b", ["any all ./x", "any all y/z"]],
    ["cat $x/b", ["read ?/b (outside)"]],
  ])("assess() names the paths of %j", (command, paths) => {
    expect(pathsOf(command)).toEqual(paths);
  });

  test("a path is inside by the roots, wherever the command runs", () => {
    const roots = { cwd: "/srv/one/sub", roots: ["/srv/one", "/srv/two"] };
    expect(pathsOf("cat ../a /srv/two/b ../../two/c /srv/onerous", roots)).toEqual([
      "read ../a",
      "read /srv/two/b",
      "read ../../two/c (outside)",
      "read /srv/onerous (outside)",
    ]);
    expect(assess("cat ../a /srv/two/b", roots).verdict).toBe("allow");
    expect(assess("cat /srv/onerous", roots).verdict).toBe("ask");
  });
});

describe("the surroundings", () => {
  test("a letter and a colon are a drive only where directories lie on drives", () => {
    const at = { cwd: "C:/project", roots: ["C:/project"] };
    expect(pathsOf("ls a:b c:/x D:", at)).toEqual([
      "metadata a:b (outside)",
      "metadata c:/x (outside)",
      "metadata D: (outside)",
    ]);
    expect(pathsOf("ls a:b c:/x D:")).toEqual(["metadata a:b", "metadata c:/x (outside)", "metadata D: (outside)"]);
    expect(pathsOf("ls a:b/../../x")).toEqual(["metadata a:b/../../x (outside)"]);
  });
  test("a root inside a system folder can be changed after asking, the folder around it cannot", () => {
    const at = { cwd: "/etc/app", roots: ["/etc/app"] };
    expect(assess("rm -rf old", at).verdict).toBe("ask");
    expect(assess("rm -rf ../other", at).verdict).toBe("deny");
  });
  test("what the host keeps is refused by name and by path", () => {
    const guarded = ["state-of-host", "/srv/project/.host"];
    for (const path of ["state-of-host", "a/state-of-host/b", "/srv/project/.host/x", ".host"])
      expect([path, assess(`rm -r ${path}`, { guarded }).verdict]).toEqual([path, "deny"]);
    expect(assess("rm -r .hosts .ringfence", { guarded }).verdict).toBe("ask");
  });
  test("git is asked about, until it is given a configuration that runs nothing", () => {
    for (const command of ["git log --oneline", "git branch", "git diff", "git status", "git show"]) {
      expect([command, assess(command).verdict]).toEqual([command, "ask"]);
      expect([command, assess(command, { gitIsHardened: true }).verdict]).toEqual([command, "allow"]);
    }
    for (const command of ["git log --output=x", "git branch new", "git diff --ext-diff", "git log --no-index /etc"])
      expect([command, assess(command, { gitIsHardened: true }).verdict]).toEqual([command, "ask"]);
  });
});

test("what cannot be read is marked, so that no mode runs it unasked", () => {
  const opaque = [
    "eval ls",
    "$x",
    "ls )",
    "cat $f",
    "a=ls; $a",
    "echo bHM= | base64 -d | sh",
    "ls\0",
    ". ./x",
    'bash -c "$x"',
    "sort $x",
    "find . $x",
    "printf $x",
    "[ -f $x ]",
    "[[ $x -nt a ]]",
    "env $x",
    "for x in a; do $x; done",
    // What is expanded may run something, and what a variable holds is evaluated.
    'echo "${x:-`cat .env`}"',
    'echo "${x%$(rm -rf ~)}"',
    "for i in ${x:-`rm -rf ~`}; do ls; done",
    "case ${x:-`rm -rf ~`} in a) ls;; esac",
    "cat <<< ${x:-`rm -rf ~`}",
    "read x < f; [[ $x -eq 1 ]]",
    "x=1; read 'x[0]' < f; ((x))",
    "x=1; read x[0] < f; ((x))",
    "x=1; printf -v 'x[0]' '\\x62[\\x24(id)]'; ((x))",
    "x=1; printf '-vx[0]' a; ((x))",
    // What an inner script only seems to set may come from the outer one.
    "export i=$(cat f); bash -c 'if false; then i=1; fi; ((i))'",
    "read i < f; export i; bash -c 'f() { ((i=0)); }; ((i))'",
    'x=1; declare "x[0]=$(cat f)"; ((x))',
    "[[ 'a[$(rm -rf ~)]' -eq 1 ]]",
    "echo $((x)) ${x@P}",
    "read x < f; ((x))",
    "read x < f; a[x]=1",
    "read x < f; y=${HOME:x}",
    "read x < f; y=${!x}",
    "read x < f; for ((i=x;i<1;i++)); do ls; done",
    "n=0; read -an < f; ((n))",
    "n=0; f() { n=$1; }; f 'a[$(rm -rf ~)]'; ((n))",
    "x='a['; x+='$(rm -rf ~)]'; let x",
    "declare -i x; read x < f",
    "declare -n r=n",
    "export x='a[$(rm -rf ~)]'",
    "unset 'a[$(rm -rf ~)]'",
    "read x < f; unset a[x]",
    "read x < f; ls {a[x]}< b",
    "printf -v 'a[x]' b",
    "wait -n -p 'a[$(rm -rf ~)]'",
    "declare -a 'a=($(rm -rf ~))'",
    "compgen -W '$(rm -rf ~)'",
    "PS4='$(rm -rf ~)'; set -x; ls",
    "read PS4 < f; set -x; ls",
    "for PS4 in '`rm -rf ~`'; do set -x; ls; done",
    "BASH_ENV=./x bash -c ls",
    // The grammar makes no node of what stands there.
    "cat <<EOF\n  $(rm -rf ~)\nEOF",
    "cat <<-EOF\n\t${x:-`rm -rf ~`}\nEOF",
    "case a in [`>x`]) ls;; esac",
    "cat <<EOF\n$ $(rm -rf ~)\nEOF",
    "(\ncat <<E'F'\nx\nEF\n$(rm -rf ~)\n)",
    "bash -c $'x=\"$\\\\\\n(rm -rf ~)\"'",
    "x=${a:-${HOME:b[$(rm -rf ~)]}}",
    "set -- 'a[$(rm -rf ~)]'; x=${!1}",
    "echo $HOME",
    "[[ x -eq 1 ]]",
    "[[ 1 -lt 'a[$(id)]' ]]",
    "[ -f a ] && [[ 'a[$(id)]' -gt 0 ]]",
    "echo * $HOME",
    "PROMPT_COMMAND='rm x' bash -i",
    // No signs of a test: patterns for the name of a program.
    "[a]",
    "[l]s",
  ];
  expect(opaque.filter((command) => !assess(command).opaque)).toEqual([]);
  const readable = [
    "ls",
    "rm a.txt",
    "sh -c ls",
    "npm test",
    "rm -rf /",
    "if true; then ls; fi",
    "for i in 1 2 3; do ls; done",
    "[ -f a.txt ] && cat a.txt",
    "if [[ -d src && ! -e a.txt ]]; then ls; fi",
    "while [ 1 -lt 2 ]; do ls; done",
    "echo a*",
    "for ((i=0;i<3;i++)); do ls; done",
    "n=0; while read -r line; do n=$((n+1)); done < f",
    "unset 'a[0]' b[1]",
    "read -p 'Go on [y/n]? ' x",
    "PS4='+ ${LINENO} ' bash -x a.sh",
    "cat <<'E' > a\n  `x` $(y)\nE",
    "git commit -m 'fix `a` and $(b)'",
  ];

  expect(readable.filter((command) => assess(command).opaque)).toEqual([]);
});

test("a command in a substitution is judged, however it is nested", () => {
  for (const command of [
    'x=$"`rm -rf ~`"',
    "x=`echo \\`rm -rf ~\\``",
    "cat <<E\n`echo \\`rm -rf ~\\``\nE",
    "cat <<E\n\\` `rm -rf ~`\nE",
  ])
    expect([command, assess(command).verdict]).toEqual([command, "deny"]);
  expect(pathsOf("x=$(> a) y=$(< b)")).toEqual(["write a", "read b"]);
  expect(assess("trap -- 'rm -rf ~' EXIT").verdict).toBe("deny");
  expect(assess("mapfile -tC'rm -rf ~ #' -c1 x < f").verdict).toBe("deny");
});

test("a test names the files that it looks at", () => {
  expect(pathsOf("[ -f a -a b -nt ../c ]")).toEqual(["metadata a", "metadata b", "metadata ../c (outside)"]);
  expect(pathsOf("[[ ! -e .env || ( x/y -ef z ) ]]")).toEqual(["metadata .env", "metadata x/y", "metadata z"]);
  expect(pathsOf("test -d src -o -L $x")).toEqual(["metadata src", "metadata ? (outside)"]);
  expect(pathsOf('[ "$a" = b ]')).toEqual([]);
});

test("a variable is said to be one, and a loop or a condition is no program", () => {
  expect(assess("echo $HOME").reasons).toEqual(["an argument is not known before it runs", "it uses a variable"]);
  expect(assess("for i in 1 2; do true; done; if true; then ls; fi").reasons).toEqual([
    "it has a loop",
    "it has a condition",
  ]);
});

test("what the grammar misreads is never allowed, and the other reading counts", () => {
  for (const command of ["cat \\ x", "echo \\ 2", "echo + \\ "]) {
    const { verdict, reasons } = assess(command);
    expect([command, verdict, reasons.at(-1)]).toEqual([command, "ask", "it can be read in more than one way"]);
  }
  expect(assess("echo || 1@; rm -rf /").verdict).toBe("deny");
});

test("the risk follows the policy's words", () => {
  const risks: Record<string, string> = {
    pwd: "R0",
    ls: "R0",
    "cat a": "R1",
    "rm a": "R4",
    "npm i": "R4",
    "sh x": "R3",
    "rm -r /": "R5",
  };
  for (const [command, risk] of Object.entries(risks))
    expect([command, assess(command).risk]).toEqual([command, risk as never]);
});

test("a limit that is met refuses, because what is behind it is not read", () => {
  const long: Record<string, string> = {
    characters: `echo ${"a".repeat(70_000)}`,
    commands: "true;".repeat(1200),
    stages: `${"cat | ".repeat(1200)}cat`,
    nesting: `${"env ".repeat(40)}ls`,
    growth: `a=xx;${"a=$a$a;".repeat(40)}`,
    braces: `echo ${"{a,b}".repeat(20)}`,
    directories: Array.from({ length: 12 }, (_, index) => `cd d${index};`).join(" "),
  };
  for (const [name, command] of Object.entries(long)) expect([name, assess(command).verdict]).toEqual([name, "deny"]);
});

test("no program stands in two families", () => {
  const names = FAMILIES.flatMap((family) => Object.keys(family));
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(names.filter((name) => name !== name.toLowerCase())).toEqual([]);
});

test("programs() refuses a program that stands in two rows", () => {
  expect(Object.keys(programs("it waits: a b\nit writes: c"))).toEqual(["a", "b", "c"]);
  expect(() => programs("it waits: a b\nit writes: c b")).toThrow('the program "b"');
});

test("what a written file runs is named for the rules, also where the file ran before as a part of other code", () => {
  const line = `echo 'git push' > x; python3 -c 'import os; os.system("sh x")'; sh x`;
  expect(assess(line).runs).toContain("git push");
});
