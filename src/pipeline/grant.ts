/**
 * How a person allows a call for good: in a form of the client, or at a terminal with the command that a failure names.
 */
import type { Grant } from "../calls/index.ts";
import { rootFlags, type Config } from "../config/index.ts";
import { parseRule } from "../policy/index.ts";
import type { GrantTerms } from "../session/index.ts";
import { terminalCommand } from "../text/index.ts";
import { masked } from "./record.ts";
import type { Services } from "./services.ts";

/** The grant is on record before it holds. @throws Failure `invalid_input` for a rule that cannot be read */
export function grantOnRecord(host: Services, rule: string, terms: GrantTerms): Grant {
  parseRule({ allow: rule, source: "grant" });
  host.audit.record("granted", { rule: masked(host, rule), ...terms });
  host.audit.ensureWritten();
  return host.policy.grants.add(rule, terms);
}

/** The command for a terminal. A grant holds for hosts with the same roots, so the command names them. */
export function grantCommand({ roots, stateDir }: Pick<Config, "roots" | "stateDir">, rule: string): string {
  return terminalCommand(["grants", "add", rule, ...rootFlags(roots)], stateDir);
}
