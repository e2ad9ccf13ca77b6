/**
 * Who may do what: risk, rules, modes, visibility and what holds secrets, as pure functions. Knows no host, no disk and no
 * protocol. It may import `base`, `text` and `pattern`.
 */
export { decide, MODES, narrowMode, settlingRules, withoutSuggestion, type Decision, type Mode } from "./decide.ts";
export { findBegun } from "./redact.ts";
export { describeRule, type RuleWords } from "./exact-call.ts";
export { exactText, type Act, type AskedCall, type ExactCall } from "./exact-call.ts";
export { closesPath, closesTarget, evaluate, type Question, type Rules } from "./evaluate.ts";
export { GROUP_NAMES, isKnownGroup, matchesTool, meansTool, type ToolFacts } from "./groups.ts";
export { maskRun } from "./secrets/mask-run.ts";
export {
  createRedactor,
  findPlaceholder,
  hideKeys,
  redactFailure,
  redactInPlace,
  redactPart,
  type Redactor,
  withoutSecrets,
} from "./redact.ts";
export { showsRest } from "./secrets/shown-rest.ts";
export { EFFECTS, type Effect } from "./effects.ts";
export { isSteering, type Risk } from "./risk.ts";
export { linePatterns, parseRule, type Rule, type RuleText } from "./rule.ts";
export { checkRule, findRuleProblems, type RuleProblem } from "./rule-examples.ts";
export {
  canonicalSubject,
  parseUrl,
  isPath,
  namesOf,
  orderKey,
  pathsOf,
  type PathTarget,
  type TargetPlace,
  type PlacedTarget,
  type Subject,
  type Target,
  type TargetMode,
} from "./target.ts";
export { looksForSecrets } from "./secrets/secret-terms.ts";
export { createSecretRule, maySecretsBeIn } from "./secret-paths.ts";
export {
  hiddenByPolicy,
  isKnownSelector,
  leftOutBy,
  PROFILES,
  type Override,
  type Profile,
  type Selection,
  type ToolList,
} from "./visibility.ts";
export { closedByReach, directoriesOf, type SkillPermissions, type SkillReach } from "./skill/skill-reach.ts";
