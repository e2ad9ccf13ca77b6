/**
 * The methods about the policy, for the program that runs the agent and for people: why a call is decided as it is, and
 * what was granted. Never tools: a model that could grant would need no rules.
 */
import { Failure } from "../base/index.ts";
import { grantOnRecord, type Caller, type Services } from "../pipeline/index.ts";
import { terminalCommand } from "../text/index.ts";
import { explain } from "./explain.ts";
import { invalid } from "./params.ts";

type Params = Readonly<Record<string, unknown>>;

/** @throws Failure `invalid_input`, `not_found` */
export async function answerPolicyMethod(
  host: Services,
  method: string,
  params: Params,
  caller: Caller,
): Promise<Params> {
  switch (method) {
    case "ringfence/policy/explain":
      return { ...(await explain(host, params, caller)) };
    case "ringfence/grants/list":
      return { grants: host.policy.grants.list() };
    case "ringfence/grants/add":
      return addGrant(host, params);
    default:
      return revokeGrant(host, params);
  }
}

function addGrant(host: Services, { rule, remember = false }: Params): Params {
  if (typeof rule !== "string") throw invalid('rule must be one, as "write_file(notes/**)"');
  if (typeof remember !== "boolean") throw invalid("remember must be true or false");
  if (remember && host.config.roots.length === 0)
    throw invalid("a grant is for the roots of a host, and this one has none");
  return { grant: grantOnRecord(host, rule, remember) };
}

function revokeGrant(host: Services, { id }: Params): Params {
  if (typeof id !== "string") throw invalid("give id");
  if (!host.policy.grants.revoke(id))
    throw new Failure("not_found", `Cannot revoke the grant "${id.slice(0, 60)}": no such id`, {
      hint: `ringfence/grants/list, or \`${terminalCommand(["grants"], host.config.stateDir)}\`, shows those that hold.`,
    });
  host.audit.record("revoked", { grant: id });
  host.audit.ensureWritten();
  return { id, status: "revoked" };
}
