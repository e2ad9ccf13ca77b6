/**
 * Rules as they are written: what is refused, what their examples prove, and which of them can match nothing or are
 * always beaten.
 */
import { describe, expect, test } from "bun:test";
import { builtinTools } from "../../src/packs/index.ts";
import { otherNames } from "../../src/policy/other-names.ts";
import { FILE_TOOLS } from "../../src/policy/rule-examples.ts";
import { checkRule, findRuleProblems, parseRule, type RuleText } from "../../src/policy/index.ts";

test.each([
  [{}, "one of allow, ask and deny"],
  [{ allow: "a", deny: "a" }, "one of allow, ask and deny"],
  [{ deny: "" }, "not tool or tool(pattern)"],
  [{ deny: "write_file()" }, "the pattern is empty"],
  [{ deny: "write_file(!a)" }, "matches nothing"],
  [{ deny: "write file(a)" }, "not tool or tool(pattern)"],
  [{ deny: "write_file(a/**)", match: ["write_file(b)"] }, 'does not match its example "write_file(b)"'],
  [{ deny: "write_file(*.md)", match: ["write_file(b/a.md)"] }, 'does not match its example "write_file(b/a.md)"'],
  [{ deny: "Write(*.md)", match: ["Write(b/a.md)"] }, "does not match its example"],
  [{ ask: "*_file(*.md)", match: ["write_file(b/a.md)"] }, "does not match its example"],
  [{ deny: "group:fs(*.md)", match: ["group:fs(b/a.md)"] }, "does not match its example"],
  [{ deny: "shell(rm *)", not_match: ["shell(rm -r a/b)"] }, "matches its example"],
  [{ deny: "write_file(a/**)", not_match: ["write_file(a/b)"] }, 'matches its example "write_file(a/b)"'],
] as [RuleText, string][])("%j is refused", (rule, said) => {
  expect(() => checkRule(rule)).toThrow(said);
});

test("the rules of the examples hold", () => {
  const rule = {
    deny: "group:change(**/*.lock)",
    match: ["write_file(a/b.lock)", "delete(x.lock)"],
    not_match: ["write_file(lock)"],
  };
  expect(checkRule(rule).text).toBe(rule.deny);
});

test("an example is read as a line only where the tool could be a program", () => {
  checkRule({ deny: "write_file(*.md)", match: ["write_file(a.md)"], not_match: ["write_file(b/a.md)"] });
  checkRule({ deny: "shell(rm *)", match: ["shell(rm -r a/b)"] });
  checkRule({ ask: "group:runtime(npm run *)", match: ["group:runtime(npm run a/b)", "deploy(npm run a/b)"] });
});

test("FILE_TOOLS has every name of the tools for files, and no others", () => {
  const tools = builtinTools.filter((tool) => !("group" in tool));
  expect([...FILE_TOOLS].sort()).toEqual(tools.flatMap((tool) => [tool.name, ...otherNames(tool)]).sort());
});

describe("problems", () => {
  const tools = [
    { name: "read_file", effect: "read" },
    { name: "write_file", effect: "change" },
  ] as const;
  const found = (...rules: RuleText[]): string[] =>
    findRuleProblems(rules.map(parseRule), tools).map(({ kind, rule }) => `${kind} ${rule.text}`);

  test("a rule names a problem: a tool or a group that is not there, or a path that never is", () => {
    expect(found({ deny: "wrte_file" }, { deny: "group:nope" }, { ask: "write_file(../a)" })).toEqual([
      "impossible wrte_file",
      "impossible group:nope",
      "impossible write_file(../a)",
    ]);
  });

  test("a rule that another always beats is named as a problem", () => {
    expect(found({ deny: "write_file" }, { allow: "write_file(a/**)" })).toEqual(["dead write_file(a/**)"]);
    expect(found({ ask: "write_file(a)" }, { allow: "write_file(a)" })).toEqual(["dead write_file(a)"]);
    expect(found({ ask: "write_file" }, { allow: "write_file(a)" })).toEqual([]);
    expect(found({ deny: "write_file(a)" }, { deny: "write_file(a)" })).toEqual(["dead write_file(a)"]);
    expect(found({ deny: "write_file(a)" }, { deny: "write_file(b)" })).toEqual([]);
    const below = ["write_file(a/b.txt)", "write_file(a/**/x)", "write_file(a/*)"];
    for (const ask of below) expect(found({ deny: "*(a/**)" }, { ask })).toEqual([`dead ${ask}`]);
    for (const ask of ["write_file(ab)", "write_file(*/b)", "write_file(a*/b)"])
      expect(found({ deny: "*(a/**)" }, { ask })).toEqual([]);
    expect(found({ deny: "group:fs(a/**)" }, { ask: "group:fs(a/b)" })).toEqual(["dead group:fs(a/b)"]);
    // The glob means all tools of the group, and not the program, from which group:fs(PATH) keeps the path too.
    const rules = [{ deny: "*_file(a/**)" }, { ask: "group:fs(a/b)" }].map(parseRule);
    expect(findRuleProblems(rules, [...tools, { name: "run_it", effect: "run" }])).toEqual([]);
    expect(findRuleProblems(rules, tools)).toHaveLength(1);
  });

  test("an absolute path that lies in no root is named as a problem", () => {
    const texts = ["*(/srv/a/**)", "*(/srv/**)", "*(/**/x)", "*(/etc/**)", "*(/srv/ab)", "write_file(rel)"];
    const rules = texts.map((deny) => parseRule({ deny }));
    const problems = findRuleProblems(rules, tools, ["/srv/a"]);
    expect(problems.filter(({ kind }) => kind === "impossible").map(({ rule }) => rule.text)).toEqual([
      "*(/etc/**)",
      "*(/srv/ab)",
    ]);
    expect(findRuleProblems(rules, tools, ["/"])).toEqual([]);
  });
});

test.each([
  ["Bash(npm:*)", ["npm", "npm test", "npm run a:b"], ["npmx", "pnpm i", "echo npm"]],
  ["Bash(git push:*)", ["git push", "git push --force"], ["git pull", "git pushx"]],
  ["Bash(npm run test:*)", ["npm run test:unit"], ["npm run tests"]],
])("a rule in the notation of Claude Code means the lines that it means there: %s", (text, lines, others) => {
  for (const verdict of ["deny", "ask", "allow"] as const) {
    const rule = parseRule({ [verdict]: text });
    const matches = (line: string): boolean => rule.matches({ kind: "command", line } as never);
    expect([verdict, lines.filter((line) => !matches(line)), others.filter(matches)]).toEqual([verdict, [], []]);
  }
});

test("an allow in the notation of Claude Code begins no second command", () => {
  const rule = parseRule({ allow: "Bash(npm:*)" });
  expect(rule.matches({ kind: "command", line: "npm test; rm -rf ." } as never)).toBe(false);
});

test.each(["rm -rf", "terraform destroy", "git push --force", "npm run test"])(
  "a deny and an ask of `%s:*` hold for the command with and without words behind it, and an allow does not",
  (command) => {
    const holds = ["deny", "ask", "allow"].map((verdict) => {
      const rule = parseRule({ [verdict]: `Bash(${command}:*)` });
      return [command, `${command} x`].map((line) => rule.matches({ kind: "command", line } as never));
    });
    expect(holds).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
  },
);
