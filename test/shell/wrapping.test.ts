/**
 * The properties that a table of cases cannot hold: whatever stands around a command, and however its words are quoted,
 * the verdict never gets milder; and nothing that is fed in, however broken, is allowed or breaks the reader.
 */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { openShellReader, type LineVerdict } from "../../src/shell/index.ts";
import { rankOf, readCases, SURROUNDINGS } from "./read-cases.ts";

const shell = await openShellReader();
const verdictOf = (command: string): LineVerdict => shell.assess(command, SURROUNDINGS).verdict;
const all = [...readCases("corpus"), ...readCases("cases")].map(({ command }) => command);
const isBroken = (command: string): boolean =>
  /not bash|not complete/.test(shell.assess(command, SURROUNDINGS).reasons.join());
/** One simple command with a plain program name, so that something can be put before it. Of the asked ones a part is enough. */
const simple = all.filter(
  (command, at) =>
    /^[a-z][\w-]*(?: |$)/.test(command) &&
    !/[\n\r\0#`]|^(?:if|for|while|until|case|select|function|time|coproc|f|bomb|ls)\b/.test(command) &&
    !isBroken(command) &&
    (verdictOf(command) !== "ask" || at % 3 === 0),
);
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const PREFIXES = [
  "env",
  "env -i",
  "env A=b",
  "nice",
  "nice -n 5",
  "timeout 5",
  "timeout -k 1 5s",
  "nohup",
  "setsid",
  "command",
  "command -p",
  "builtin",
  "exec",
  "busybox",
  "toybox",
  "stdbuf -oL",
  "ionice -c 3",
  "xargs",
  "xargs -n 1",
  "sudo",
  "doas",
  "time",
  "strace -f",
  "chroot .",
  "A=b",
  "2>/dev/null",
  "! ",
  "nice timeout 5 env",
  "env --unknown",
];

const SURROUNDS: readonly ((command: string) => string)[] = [
  (command) => `(\n${command}\n)`,
  (command) => `{\n${command}\n}`,
  (command) => `true; ${command}`,
  (command) => `true && ${command}`,
  (command) => `true | ${command}`,
  (command) => `${command}\ntrue`,
  (command) => `if true; then\n${command}\nfi`,
  (command) => `while true; do\n${command}\ndone`,
  (command) => `for i in 1; do\n${command}\ndone`,
  (command) => `g() {\n${command}\n}; g`,
  (command) => `echo $(\n${command}\n)`,
  (command) => `echo "$(\n${command}\n)"`,
  (command) => `cat <(\n${command}\n)`,
  (command) => `cat <<EOF\n$(\n${command}\n)\nEOF`,
  (command) => `${command} &`,
  (command) => `sh -c ${quote(command)}`,
  (command) => `bash -lc ${quote(command)}`,
  (command) => `eval ${quote(command)}`,
  (command) => `trap ${quote(command)} EXIT`,
  (command) => `bash <<'EOF'\n${command}\nEOF`,
  (command) => `bash <<< ${quote(command)}`,
  (command) => `sh -c ${quote(`sh -c ${quote(command)}`)}`,
  (command) => `find . -exec sh -c ${quote(command)} \\;`,
  (command) => `${"true; ".repeat(60)}${command}`,
];

/** In a pipe a reader has input, so that one reason falls away. */
const isWaiting = (command: string): boolean =>
  /waits for input/.test(shell.assess(command, SURROUNDINGS).reasons.join());

function milder(around: (command: string) => string, commands: readonly string[]): string[] {
  return commands.filter((command) => rankOf(verdictOf(around(command))) < rankOf(verdictOf(command)));
}

describe("what stands around a command never makes the verdict milder", () => {
  test("there are commands of all three verdicts", () => {
    const verdicts = simple.map(verdictOf);
    for (const verdict of ["allow", "ask", "deny"] as const)
      expect(verdicts.filter((found) => found === verdict).length).toBeGreaterThan(50);
  });
  test.each(PREFIXES)('the prefix "%s" never makes a verdict milder', (prefix) => {
    expect(milder((command) => `${prefix} ${command}`, simple)).toEqual([]);
  });
  test.each(SURROUNDS.map((around) => [around("X").slice(0, 40), around] as const))(
    "the surroundings %j never make a verdict milder",
    (_name, around) => {
      const commands = around("").includes("|") ? simple.filter((command) => !isWaiting(command)) : simple;
      expect(milder(around, commands)).toEqual([]);
    },
  );
});

describe("how the words are written never makes the verdict milder", () => {
  const rewrites: [name: string, rewrite: (word: string) => string][] = [
    ["a backslash", (word) => `\\${word}`],
    ["double quotes", (word) => `"${word}"`],
    ["single quotes", (word) => `'${word}'`],
    ["empty quotes inside", (word) => `${word.slice(0, 1)}''${word.slice(1)}`],
    ["ANSI-C quotes", (word) => `$'${Array.from(word, (char) => `\\x${char.charCodeAt(0).toString(16)}`).join("")}'`],
    ["octal", (word) => `$'${Array.from(word, (char) => `\\${char.charCodeAt(0).toString(8)}`).join("")}'`],
    ["a path", (word) => `/usr/bin/${word}`],
    ["a continued line", (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`],
    ["a variable", (word) => `p=${word}; $p`],
    ["a substitution", (word) => `$(echo ${word})`],
  ];
  const plain = simple.filter(
    (command) => !/^(?:env|command|builtin|exec|printf|test|cd|trap|eval|set|export)\b/.test(command),
  );
  test.each(rewrites)("a program that is written with %s never makes a verdict milder", (_name, rewrite) => {
    expect(milder((command) => command.replace(/^\S+/, rewrite), plain)).toEqual([]);
  });
});

test("joined commands are as strict as the strictest of them", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...simple),
      fc.constantFrom(...simple),
      fc.constantFrom("; ", " && ", " || ", "\n", " & "),
      (a, b, mark) => {
        const joined = rankOf(verdictOf(`${a}${mark}${b}`));
        expect(joined).toBeGreaterThanOrEqual(Math.max(rankOf(verdictOf(a)), rankOf(verdictOf(b))));
      },
    ),
    { numRuns: 300 },
  );
});

test("random text is read without a bug, and is not allowed unless every character is plain", () => {
  const piece = fc.constantFrom(
    ..."ls|cat a.txt|rm|$(|)|`|\"|'|\\|<<E|\n|>|<|&|{|}|[[|]]|((|))|;;|if|then|fi|case|in|esac|$x|${|#|!|é|\u202e|\r|-rf|/".split(
      "|",
    ),
    "|",
    "||",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join(" ");
      // What stands in single quotes is only a name; other quotes may hold anything.
      const bare = /["\\]/.test(text) ? "" : text.replaceAll(/'[^']*'/g, "name");
      if (/[$`<>&{}()#!\r\u202e\\é]|\[\[|(?:^|[;|] ?)(?:if|rm|case)\b/.test(bare))
        expect(verdictOf(text)).not.toBe("allow");
      else expect(["allow", "ask", "deny"]).toContain(verdictOf(text));
    }),
    { numRuns: 500 },
  );
});
