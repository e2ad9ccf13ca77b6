/**
 * What a person is shown before a call is allowed for longer: the exact rule, which can be edited, for how long and where it
 * would hold, what it would have allowed among the last questions on record, and what it never lifts. Nothing is granted
 * without this sheet.
 */
import type { ListedProposal, MethodParams, RuleCoverage } from "../../calls/index.ts";

/** host: while the session that asked lasts. hour: in the same roots, for an hour. roots: in the same roots, until revoked. */
export type GrantLifetime = "host" | "hour" | "roots";

const LIFETIMES: readonly GrantLifetime[] = ["host", "hour", "roots"];

export interface RuleSheet {
  /** The proposal that it is about. */
  readonly id: string;
  /** As `edit_file(src/**)`. */
  readonly rule: string;
  /** Rules that would settle the question, the narrowest first. */
  readonly candidates: readonly string[];
  readonly lifetime: GrantLifetime;
  /** Absolute: the rule holds in a host with exactly these. */
  readonly roots: readonly string[];
  /** The session that asked; absent where nobody knows it, and then the rule cannot be for that host alone. */
  readonly session?: string;
  /** Absent while the rule, as it stands, was not looked up. */
  readonly coverage?: RuleCoverage;
  /** Why the rule cannot be used. */
  readonly problem?: string;
}

type Asked = Pick<ListedProposal, "id" | "tool" | "why" | "host_roots" | "session" | "paths">;

/** @returns `undefined` for what is asked about each time, whatever anybody grants */
export function openRuleSheet(asked: Asked): RuleSheet | undefined {
  const { id, why, host_roots: roots = [], session } = asked;
  const suggested = why?.suggested_rules ?? [];
  const [rule] = suggested;
  if (rule === undefined || roots.length === 0) return undefined;
  const candidates = [...new Set([...suggested, ...widerRules(asked, roots)])];
  return {
    id,
    rule,
    candidates,
    roots,
    ...(session === undefined ? { lifetime: "hour" } : { lifetime: "host", session }),
  };
}

/** Rules about the file, and about its directory, where the call is about one file in a root. */
function widerRules({ tool, paths }: Asked, roots: readonly string[]): string[] {
  const [path, ...others] = paths;
  const tops = roots.map((root) => (root === "/" ? root : `${root}/`));
  const top = tops.find((one) => path?.startsWith(one));
  if (path === undefined || top === undefined || others.length > 0) return [];
  const literal = path.slice(top.length).replaceAll(/[\\*?[\]{}()!+@|]/g, String.raw`\$&`);
  const slash = literal.lastIndexOf("/");
  return [`${tool}(${literal})`, ...(slash < 0 ? [] : [`${tool}(${literal.slice(0, slash)}/**)`])];
}

/** The sheet with the next rule that it offers; what was known of another rule is forgotten. */
export function withRule({ id, rule, candidates, lifetime, roots, session }: RuleSheet, wanted?: string): RuleSheet {
  const next = candidates[(candidates.indexOf(rule) + 1) % candidates.length];
  const of = session === undefined ? {} : { session };
  return { id, rule: wanted ?? next ?? rule, candidates, lifetime, roots, ...of };
}

/** The next lifetime that the sheet can have. */
export function nextLifetime(sheet: RuleSheet): GrantLifetime {
  const possible = lifetimesOf(sheet).map((one) => one.lifetime);
  return possible[(possible.indexOf(sheet.lifetime) + 1) % possible.length] ?? sheet.lifetime;
}

/** The lifetimes that the sheet can have, with their words. */
/** What is said of a rule that was granted: to whom, and until when where that is known. @param until ISO 8601 */
export function grantedInWords(sheet: RuleSheet, { rule, id, until }: GrantedRule): string {
  const words = lifetimesOf(sheet).find((one) => one.lifetime === sheet.lifetime)?.words ?? "this host";
  return `Granted to ${words}${until === undefined ? "" : ` (until ${until})`}: ${rule} (${id})`;
}

interface GrantedRule {
  readonly rule: string;
  readonly id: string;
  readonly until?: string | undefined;
}

export function lifetimesOf({ session }: RuleSheet): readonly { lifetime: GrantLifetime; words: string }[] {
  return LIFETIMES.filter((one) => one !== "host" || session !== undefined).map((lifetime) => ({
    lifetime,
    words: lifetimeInWords(lifetime),
  }));
}

/** What `ringfence/grants/add` takes. */
export function grantParams({ rule, roots, lifetime, session }: RuleSheet): MethodParams["ringfence/grants/add"] {
  return {
    rule,
    remember: true,
    roots: [...roots],
    ...(lifetime === "host" && session !== undefined ? { session } : {}),
    ...(lifetime === "hour" ? { minutes: 60 } : {}),
  };
}

function lifetimeInWords(lifetime: GrantLifetime): string {
  return {
    host: "this host, until it ends",
    hour: "hosts with these roots, for one hour",
    roots: "hosts with these roots, until it is revoked",
  }[lifetime];
}

/** The sheet in lines; nothing of it is cut. */
export function ruleSheetLines({ rule, lifetime, roots, coverage, problem }: RuleSheet): readonly string[] {
  return [
    `The rule: ${rule}`,
    ...(isExact(rule) ? ["It allows this very call again, and no other one."] : []),
    `It holds for: ${lifetimeInWords(lifetime)}`,
    ...roots.map((root) => `  ${root}`),
    "It lifts no deny: what a rule denies, secrets and everything outside the roots stay closed.",
    ...(problem === undefined ? [] : [`It cannot be used: ${problem}`]),
    ...(coverage === undefined || isExact(rule) ? [] : coverageLines(coverage)),
  ];
}

function isExact(rule: string): boolean {
  return rule.includes("(exact:");
}

function coverageLines({ asked, allowed }: RuleCoverage): string[] {
  if (asked === 0) return ["The record has no question yet with which it could be compared."];
  const head = `Of the last ${asked} questions on record it would have allowed ${allowed.length}:`;
  return [
    allowed.length === 0 ? `Of the last ${asked} questions on record it would have allowed none.` : head,
    ...allowed.map(({ at, tool, targets }) => `  ${at} ${tool} ${targets.join(", ")}`.trimEnd()),
  ];
}
