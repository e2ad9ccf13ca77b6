/**
 * The table of decisions, pinned: mode x tool x path under one set of rules, for tools that the project has and for one
 * that is in no list of it. And what always holds: a deny never allows more, a grant never lifts a deny, and the rule
 * that an ask suggests settles it.
 */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import {
  evaluate,
  MODES,
  parseRule,
  type Decision,
  type Mode,
  type PlacedTarget,
  type Rule,
  type RuleText,
  type ToolFacts,
} from "../../src/policy/index.ts";

const TOOLS: Readonly<Record<string, ToolFacts>> = {
  read_file: { name: "read_file", effect: "read" },
  write_file: { name: "write_file", effect: "change" },
  delete: { name: "delete", effect: "change" },
  nobody_knows_me: { name: "nobody_knows_me", effect: "change" },
  run_it: { name: "run_it", effect: "run" },
  web_fetch: { name: "web_fetch", effect: "reach" },
  image_analyze: { name: "image_analyze", effect: "read", group: "media" },
};

const RULES: readonly Rule[] = [
  { deny: "*(private/**)", reason: "nobody's business" },
  { ask: "group:fs(src/**)" },
  { allow: "write_file(src/free/**)" },
  { allow: "group:change(notes/*.md)" },
  { ask: "read_file(notes/diary.md)" },
  { allow: "delete(tmp/**)" },
].map(parseRule);

interface Asked {
  readonly tool: string;
  readonly path: string;
  readonly mode: Mode;
}

function decide({ tool, path, mode }: Asked, rules = RULES, grants: readonly Rule[] = []): Decision {
  const facts = TOOLS[tool]!;
  const access = facts.effect === "read" ? "read" : tool === "delete" ? "remove" : "write";
  const targets = [{ path, rel: path, absolute: `/r/${path}`, mode: access } as const];
  const asked = { tool, part: "call", acts: [[access, "/r", path]] } as const;
  return evaluate({ tool: facts, targets, removes: tool === "delete", mode, asked }, { rules, grants });
}

/** In the order of MODES: default, accept_edits, plan, bypass. */
const TABLE: Readonly<Record<string, string>> = {
  "read_file a.ts": "allow allow allow allow",
  "read_file private/a.ts": "deny deny deny deny",
  "read_file PRIVATE/a.ts": "deny deny deny deny",
  "read_file private": "deny deny deny deny",
  "read_file src/a.ts": "ask ask ask allow",
  "read_file notes/diary.md": "ask ask ask allow",
  "write_file a.ts": "ask allow ask allow",
  "write_file .github/a.yml": "ask ask ask allow",
  "write_file ringfence.json": "ask ask ask allow",
  "write_file private/a.ts": "deny deny deny deny",
  "write_file src/a.ts": "ask ask ask allow",
  "write_file src/free/a.ts": "allow allow ask allow",
  "write_file SRC/free/a.ts": "ask ask ask allow",
  "write_file notes/a.md": "allow allow ask allow",
  "delete a.ts": "ask ask ask allow",
  "delete tmp/a.ts": "allow allow ask allow",
  "delete private/a.ts": "deny deny deny deny",
  "nobody_knows_me a.ts": "ask allow ask allow",
  "nobody_knows_me private/a.ts": "deny deny deny deny",
  "nobody_knows_me notes/a.md": "allow allow ask allow",
  "nobody_knows_me src/free/a.ts": "ask ask ask allow",
  "run_it a.ts": "ask ask ask allow",
  "run_it private/a.ts": "deny deny deny deny",
  "run_it src/a.ts": "ask ask ask allow",
  "web_fetch a.ts": "ask ask ask allow",
  "image_analyze a.png": "allow allow allow allow",
  "image_analyze src/a.png": "ask ask ask allow",
  "image_analyze private/a.png": "deny deny deny deny",
};

test.each(Object.entries(TABLE))("a rule is found for a call: %s", (asked, wanted) => {
  const [tool = "", path = ""] = asked.split(" ");
  expect(MODES.map((mode) => decide({ tool, path, mode }).type).join(" ")).toBe(wanted);
});

function typeBy(tool: ToolFacts, target: PlacedTarget, rule: RuleText): string {
  const question = { tool, targets: [target], removes: false, mode: "default" as const };
  return evaluate(question, { rules: [parseRule(rule)], grants: [] }).type;
}

test("group:fs is every path that is denied or asked about, and a group of tools where a rule allows or names no path", () => {
  const image = { name: "image_analyze", effect: "read", group: "media" } as const;
  const local = { name: "own", effect: "read", local: true } as const;
  const run = { name: "run_it", effect: "run" } as const;
  const path = { path: "src/a.ts", rel: "src/a.ts", mode: "read" } as const;
  for (const tool of [image, local, run]) {
    expect(typeBy(tool, path, { deny: "group:fs(src/**)" })).toBe("deny");
    expect(typeBy(tool, path, { ask: "group:fs(src/**)" })).toBe("ask");
    expect(typeBy(tool, path, { deny: "group:fs" })).not.toBe("deny");
  }
  const command = { kind: "command", line: "src/tool" } as const;
  expect(typeBy(run, command, { deny: "group:fs(src/**)" })).toBe("ask");
  expect(typeBy(run, path, { allow: "group:fs(src/**)" })).toBe("ask");
});

test("a decision names the rule, its reason and where it stands", () => {
  const rules = [parseRule({ deny: "write_file(gen/**)", reason: "made by a tool", source: "c.json:3" })];
  expect(decide({ tool: "write_file", path: "gen/a.ts", mode: "default" }, rules)).toEqual({
    type: "deny",
    reason: "made by a tool",
    source: "c.json:3",
    rule: "write_file(gen/**)",
    risk: "R2",
  });
});

test("the strictest decision counts when there are several paths", () => {
  const targets = ["notes/a.md", "private/a.ts"].map((path) => ({ path, rel: path, mode: "write" as const }));
  const question = { tool: TOOLS["write_file"]!, targets, removes: false, mode: "bypass" as const };
  expect(evaluate(question, { rules: RULES, grants: [] }).type).toBe("deny");
});

test("a path outside the roots matches no relative rule, so nothing allows it", () => {
  const rules = [parseRule({ allow: "write_file(**)" })];
  const targets = [{ path: "/etc/passwd", mode: "write" as const }];
  const question = { tool: TOOLS["write_file"]!, targets, removes: false, mode: "default" as const };
  expect(evaluate(question, { rules, grants: [] }).type).toBe("ask");
});

test("commands are matched as text", () => {
  const rules = [parseRule({ allow: "run_it(npm run *)" }), parseRule({ deny: "run_it(* --force*)" })];
  const ask = (command: string): string =>
    evaluate(
      {
        tool: TOOLS["run_it"]!,
        targets: [{ kind: "command", line: command }],
        removes: false,
        mode: "default",
      },
      { rules, grants: [] },
    ).type;
  expect([ask("npm run test"), ask("npm run x --force"), ask("npm install")]).toEqual(["allow", "deny", "ask"]);
});

describe("what always holds", () => {
  const STRICTNESS = { allow: 0, ask: 1, deny: 2 };
  const segment = fc.constantFrom("a", "src", "private", "notes", "x.ts", "b.md");
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  const tool = fc.constantFrom(...Object.keys(TOOLS));
  const selector = fc.oneof(tool, fc.constantFrom("*", "group:fs", "group:change", "group:all", "{read,write}_file"));
  const pattern = fc.oneof(
    path,
    path.map((one) => `${one}/**`),
    fc.constantFrom("**", "*", "**/*.ts", "src/*", "{a,src}/**"),
  );
  const text = fc.tuple(selector, fc.option(pattern)).map(([one, glob]) => (glob === null ? one : `${one}(${glob})`));
  const rule = fc
    .record({ verdict: fc.constantFrom("allow", "ask", "deny"), text })
    .map(({ verdict, text: said }) => parseRule({ [verdict]: said }));
  const asked = fc.record({ tool, path, mode: fc.constantFrom(...MODES) });

  test("adding a deny never allows more", () => {
    fc.assert(
      fc.property(asked, fc.array(rule), text, (question, rules, denied) => {
        const before = decide(question, rules);
        const after = decide(question, [...rules, parseRule({ deny: denied })]);
        expect(STRICTNESS[after.type]).toBeGreaterThanOrEqual(STRICTNESS[before.type]);
      }),
      { numRuns: 500 },
    );
  });

  test("a narrower mode never allows more", () => {
    const widest: readonly Mode[] = ["bypass", "accept_edits", "default", "plan"];
    fc.assert(
      fc.property(asked, fc.array(rule), (question, rules) => {
        const all = widest.map((mode) => STRICTNESS[decide({ ...question, mode }, rules).type]);
        expect(all).toEqual(all.toSorted((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });

  test("a grant lifts no deny, and no plan", () => {
    fc.assert(
      fc.property(asked, fc.array(rule), fc.array(text), (question, rules, granted) => {
        const grants = granted.map((allow) => parseRule({ allow }));
        const [without, with_] = [decide(question, rules), decide(question, rules, grants)];
        if (without.type === "deny") expect(with_.type).toBe("deny");
        const isChange = TOOLS[question.tool]!.effect !== "read";
        if (question.mode === "plan" && isChange) expect(with_.type).not.toBe("allow");
      }),
      { numRuns: 500 },
    );
  });

  test("the rule that an ask suggests settles it", () => {
    let suggested = 0;
    fc.assert(
      fc.property(asked, fc.array(rule), (question, rules) => {
        const { type, suggested_rule: allow, only_as_grant: isGrant } = decide(question, rules);
        const isPlanned = question.mode === "plan" && TOOLS[question.tool]!.effect !== "read";
        // Whatever is asked about can be settled, but for the mode that only plans.
        if (type === "ask" && !isPlanned) expect(allow).toBeDefined();
        if (allow === undefined) return;
        suggested++;
        const added = parseRule({ allow });
        if (!isGrant) expect(decide(question, [...rules, added]).type).toBe("allow");
        expect(decide(question, rules, [added]).type).toBe("allow");
        // No more than that call: neither beside that path, nor of a name that begins the same, nor below it, nor by
        // another tool.
        const { path: at, tool: by } = question;
        const others = [`${at}2`, `beside/${at}`, `${at}/below`].map((other) => ({
          ...question,
          path: other,
        }));
        const tools = Object.keys(TOOLS).filter((other) => other !== by);
        for (const other of [...others, ...tools.map((name) => ({ ...question, tool: name }))])
          expect([other, decide(other, rules, [added])]).toEqual([other, decide(other, rules)]);
      }),
      { numRuns: 500 },
    );
    expect(suggested).toBeGreaterThan(20);
  });
});
