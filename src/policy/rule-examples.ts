/**
 * What a rule says about itself: calls that it must match and calls that it must not, tried when it is loaded. And what
 * is wrong with a set of rules as a whole: those that can match nothing, and those that another one always beats.
 */
import { Failure } from "../base/index.ts";
import { canLieIn, fixedPart } from "../pattern/index.ts";
import { EFFECTS, type Effect } from "./effects.ts";
import { matchesGroup, type ToolFacts } from "./groups.ts";
import { parseRule, splitRule, type Rule, type RuleText } from "./rule.ts";
import { readSubject } from "./match-subject.ts";
import { isKnownSelector } from "./visibility.ts";

/** @throws Failure `invalid_input` for a rule that cannot be read or does not do what its examples say */
export function checkRule(text: RuleText): Rule {
  const rule = parseRule(text);
  for (const [examples, wanted] of [
    [text.match, true],
    [text.not_match, false],
  ] as const)
    for (const example of examples ?? []) {
      if (matchesExample(rule, example) === wanted) continue;
      throw new Failure(
        "invalid_input",
        `Cannot use the rule ${JSON.stringify(rule.text)} (${rule.source}): it ${wanted ? "does not match" : "matches"} its example ${JSON.stringify(example)}`,
        { hint: "Correct the pattern or the example; `*` stays in one directory, `**` crosses them." },
      );
    }
  return rule;
}

/** The effect of a tool in an example is not known, so a group there is taken as matched by the same group. */
function matchesExample(rule: Rule, example: string): boolean {
  const { tool, pattern } = splitRule(example, rule.source);
  const covers = tool === rule.toolPattern || rule.coversTool(guessTool(tool, rule));
  if (!covers) return false;
  if (pattern === undefined) return rule.pattern === undefined;
  const subject = readSubject(pattern);
  if (subject && rule.matches(subject)) return true;
  const path = pattern.replace(/^\.\//, "");
  if (rule.matches({ rel: path, absolute: path })) return true;
  // In a line `*` is any text, also across slashes: what a rule says of paths is never read so.
  return mayRun(tool, rule) && rule.matches({ kind: "command", line: pattern });
}

/** Names of our tools for files, by which no command is called; a test holds the list to the tools. */
export const FILE_TOOLS: ReadonlySet<string> = new Set(
  `
    read_file read Read file.read read_text_file read_media_file read_image view_image read_files
    read_multiple_files read_many_files list_directory list listdir ls file.list LS list_dir
    list_directory_with_sizes directory_tree stat file_stat get_file_info glob Glob search_files grep Grep
    grep_search search_file_content grep_files disk_usage hash_file tree diff_files diff write_file write Write
    file.write edit_file edit Edit file.edit MultiEdit multi_edit append_file create_directory mkdir move rename
    move_file copy copy_file delete remove apply_patch applyPatch patch change_files transaction replace
    replace_in_files open_path reveal_in_os
  `
    .trim()
    .split(/\s+/),
);

/** What the name of a declared command is, only the configuration knows. */
function mayRun(name: string, rule: Rule): boolean {
  if (FILE_TOOLS.has(name)) return false;
  const starting = (Object.keys(EFFECTS) as Effect[]).filter((effect) => EFFECTS[effect].startsPrograms);
  return starting.some((effect) => rule.coversTool({ name, effect }));
}

function guessTool(name: string, { toolPattern }: Rule): ToolFacts {
  const group = toolPattern.replace(/^group:/, "");
  const guesses = (Object.keys(EFFECTS) as Effect[]).flatMap((effect) => [
    { name, effect },
    { name, effect, group },
  ]);
  return guesses.find((guess) => matchesGroup(toolPattern, guess)) ?? { name, effect: "read" };
}

export interface RuleProblem {
  readonly rule: Rule;
  /** impossible: it matches no call at all. dead: another rule always beats it. */
  readonly kind: "impossible" | "dead";
  readonly why: string;
}

/** @param roots absolute; none when they are not known */
export function findRuleProblems(
  rules: readonly Rule[],
  tools: readonly ToolFacts[],
  roots: readonly string[] = [],
): RuleProblem[] {
  return rules.flatMap((rule): RuleProblem[] => {
    if (!isKnownSelector(rule.toolPattern, tools))
      return [{ rule, kind: "impossible", why: `there is no tool ${rule.toolPattern}` }];
    if (rule.pattern !== undefined && /(?:^|\/)\.\.(?:\/|$)/.test(rule.pattern))
      return [{ rule, kind: "impossible", why: "a path never holds .. when it is matched" }];
    if (/^~(?:\/|$)/.test(rule.pattern ?? "") && !tools.some((tool) => runs(tool, rule)))
      return [{ rule, kind: "impossible", why: "~ stands for itself in a pattern; write the absolute path" }];
    if (roots.length > 0 && liesOutside(rule.pattern ?? "", roots) && !tools.some((tool) => runs(tool, rule)))
      return [{ rule, kind: "impossible", why: "it lies in no root" }];
    const covered = tools.filter((tool) => rule.coversPathsOf(tool));
    const winner = rules.find((other) => other !== rule && beats(other, rule, covered, rules));
    return winner ? [{ rule, kind: "dead", why: `${winner.text} (${winner.source}) always wins` }] : [];
  });
}

/** Other patterns than absolute ones are relative to each root. */
function liesOutside(pattern: string, roots: readonly string[]): boolean {
  return pattern.startsWith("/") && !roots.some((root) => canLieIn(pattern, root));
}

/** A pattern of a program is a command. */
function runs(tool: ToolFacts, rule: Rule): boolean {
  return EFFECTS[tool.effect].startsPrograms && rule.coversTool(tool);
}

/** `a/**` over `a/b.txt` and `a/b/*`: everything below a directory, plainly named. */
function isBelow(pattern: string | undefined, top: string | undefined): boolean {
  if (pattern === undefined || !top?.endsWith("/**")) return false;
  const directory = top.slice(0, -2);
  return fixedPart(directory) === directory && fixedPart(pattern).startsWith(directory);
}

const RANK: Readonly<Record<Rule["verdict"], number>> = { allow: 0, ask: 1, deny: 2 };

/** Proven only where it is plain: the same pattern, or none at all. */
function beats(winner: Rule, loser: Rule, tools: readonly ToolFacts[], all: readonly Rule[]): boolean {
  const isWider =
    winner.pattern === undefined ||
    winner.pattern === "**" ||
    winner.pattern === loser.pattern ||
    isBelow(loser.pattern, winner.pattern);
  const isForAll = winner.toolPattern === loser.toolPattern || tools.every((tool) => winner.coversTool(tool));
  if (!isWider || !isForAll) return false;
  if (winner.verdict === loser.verdict)
    return winner.pattern === loser.pattern && all.indexOf(winner) < all.indexOf(loser);
  if (RANK[winner.verdict] < RANK[loser.verdict]) return false;
  return winner.verdict === "deny" || winner.specificity >= loser.specificity;
}
