/**
 * What a rule would have allowed: it is held against the last questions on record. The record has the paths and names of a call
 * and not its arguments, so a rule about one exact call covers no other call and is said to cover none.
 */
import { readAudit, type AuditLine } from "../audit/index.ts";
import type { RuleCoverage } from "../calls/index.ts";
import type { Services } from "../pipeline/index.ts";
import { parseRule, type PlacedTarget, type Rule } from "../policy/index.ts";
import { createPlacePath, toolFacts, type PlacePath } from "../session/index.ts";
import { openStateFolder } from "../state/index.ts";

/** The questions of days; more would take a person longer to read than to answer. */
const MAX_ASKED = 500;
const MAX_SHOWN = 100;

/** @param roots absolute: relative paths of the record are meant in the first. @throws Failure `invalid_input` */
export async function coverageOf(host: Services, rule: string, roots: readonly string[]): Promise<RuleCoverage> {
  const parsed = parseRule({ allow: rule, source: "grant" });
  const registry = await host.registry();
  const place = createPlacePath(roots.map((path) => ({ path, readOnly: false })));
  const asked = readAudit(openStateFolder(host.config.stateDir).audit, { events: ["decided"] })
    .filter((line) => line["decision"] === "ask")
    .slice(-MAX_ASKED);
  const covered = asked.filter((line) => {
    const name = String(line["tool"]);
    const tool = registry.get(name);
    return parsed.coversTool(tool ? toolFacts(tool) : { name, effect: "change" }) && isCovered(parsed, line, place);
  });
  return {
    asked: asked.length,
    allowed: covered
      .slice(-MAX_SHOWN)
      .toReversed()
      .map((line) => ({ at: line.time, tool: String(line["tool"]), targets: [...pathsIn(line), ...namesIn(line)] })),
  };
}

function isCovered(rule: Rule, line: AuditLine, place: PlacePath): boolean {
  const paths = pathsIn(line).map((path) => rule.matches(place(path)));
  const names = namesIn(line).map((name) => rule.matches(targetOf(name)));
  const all = [...paths, ...names];
  return all.length === 0 ? rule.matches(undefined) : all.every(Boolean);
}

/** A record names what is fetched with its method, and a command by its line. */
function targetOf(name: string): PlacedTarget {
  const [, method, url] = /^([A-Z]+) (https?:\/\/\S+)/.exec(name) ?? [];
  return method === undefined || url === undefined ? { kind: "command", line: name } : { kind: "url", url, method };
}

function pathsIn(line: AuditLine): string[] {
  const paths = line["paths"];
  return Array.isArray(paths) ? paths.map(String) : paths === "all" ? ["."] : [];
}

function namesIn(line: AuditLine): string[] {
  const names = line["targets"];
  return Array.isArray(names) ? names.map(String) : [];
}
