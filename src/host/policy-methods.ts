/**
 * The methods about the policy, for the program that runs the agent and for people: why a call is decided as it is, and
 * what was granted. Never tools: a model that could grant would need no rules.
 */
import { Failure } from "../base/index.ts";
import { parseArguments } from "../contract/index.ts";
import { parseRule, type Decision } from "../policy/index.ts";
import type { StoredGrant } from "../state/index.ts";
import { assess, type Assessed } from "./assess.ts";
import { assessRun, isRunTool } from "./assess-run.ts";
import type { Caller } from "./extension.ts";
import { invalid } from "./extension-params.ts";
import { findTool, parsableOf } from "./find-tool.ts";
import type { Host } from "./host.ts";
import { resolvePath } from "./remote-context.ts";

type Params = Readonly<Record<string, unknown>>;

/** @throws Failure `invalid_input`, `not_found` */
export async function answerPolicyMethod(
  host: Host,
  method: string,
  params: Params,
  caller: Caller,
): Promise<Params> {
  switch (method) {
    case "ringfence/policy/explain":
      return await explain(host, params, caller);
    case "ringfence/grants/list":
      return { grants: host.policy.grants.list() };
    case "ringfence/grants/add":
      return addGrant(host, params);
    default:
      return revokeGrant(host, params);
  }
}

/** Nothing runs. What lies outside the roots is refused alike, whether it is there or not. */
async function explain(host: Host, params: Params, caller: Caller): Promise<Params> {
  const { name, arguments: given = {}, _meta: meta = {} } = params;
  if (typeof name !== "string") throw invalid("name must be the name of a tool");
  const tool = findTool(await host.registry(), name);
  const input = parseArguments(parsableOf(tool), given);
  const call = { name, arguments: given, meta: meta as Params, ...caller };
  const placed = assess(host, tool, input, call);
  const assessed = isRunTool(tool) ? await assessRun(host, { tool, input, call }, placed) : placed;
  const refusal = await findRefusal(host, assessed, caller);
  const decision = refusal ? refusedDecision(refusal) : assessed.decision;
  return {
    tool: tool.name,
    mode: assessed.mode,
    decision,
    paths: assessed.paths,
    change: changeOf(decision, refusal !== undefined),
  };
}

/** As a message says it behind the path. */
function refusedDecision({ message, code }: Failure): Decision {
  const reason = message.slice(message.lastIndexOf('": ') + 3);
  return { type: "deny", reason, source: "scope", rule: code, risk: "R5" };
}

/**
 * What the scope says about the paths, which no rule can lift; of a call that rules allow also what they say about where
 * its paths lead.
 */
async function findRefusal(host: Host, assessed: Assessed, { signal }: Caller): Promise<Failure | undefined> {
  const { paths, decision, changes } = assessed;
  const ruled = decision.type === "allow" || changes ? [undefined, assessed] : [undefined];
  const asked = paths === "all" ? [] : paths;
  for (const [path, under] of asked.flatMap((one) => ruled.map((rules) => [one, rules] as const))) {
    if (under && decision.type === "deny") continue;
    try {
      await resolvePath(host, path, signal, under);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      if (thrown.code === "denied" || thrown.code === "outside_scope") return thrown;
    }
  }
  return undefined;
}

/** What would have to be different. */
function changeOf(
  decision: { type: string; source: string; rule: string; suggested_rule?: string },
  isScope: boolean,
): string {
  if (decision.type === "allow") return "Nothing: it is made at once.";
  if (isScope) return "Another root, or secrets.except for an exact path, in the configuration of this host.";
  if (decision.type === "deny")
    return decision.source === "mode"
      ? "Nothing: this is never allowed."
      : `Only without ${decision.rule} (${decision.source}): deny beats everything.`;
  return decision.suggested_rule === undefined
    ? "A person's approval, each time."
    : `{"allow": ${JSON.stringify(decision.suggested_rule)}} in the configuration, or: ringfence grants add '${decision.suggested_rule}'`;
}

function addGrant(host: Host, { rule, remember = false }: Params): Params {
  if (typeof rule !== "string") throw invalid('rule must be one, as "write_file(notes/**)"');
  if (typeof remember !== "boolean") throw invalid("remember must be true or false");
  if (remember && host.config.roots.length === 0)
    throw invalid("a grant is for the roots of a host, and this one has none");
  return { grant: grantOnRecord(host, rule, remember) };
}

/** On record before it holds. @throws Failure `invalid_input` for a rule that cannot be read */
export function grantOnRecord(host: Host, rule: string, remember: boolean): StoredGrant {
  parseRule({ allow: rule, source: "grant" });
  host.audit.record("granted", { rule, remember });
  host.audit.ensureWritten();
  return host.policy.grants.add(rule, remember);
}

function revokeGrant(host: Host, { id }: Params): Params {
  if (typeof id !== "string") throw invalid("give id");
  if (!host.policy.grants.revoke(id))
    throw new Failure("not_found", `Cannot revoke the grant "${id.slice(0, 60)}": no such id`, {
      hint: "ringfence/grants/list, or `ringfence grants`, shows those that hold.",
    });
  host.audit.record("revoked", { grant: id });
  host.audit.ensureWritten();
  return { id, status: "revoked" };
}
