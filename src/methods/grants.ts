/**
 * The methods about what a person has allowed beyond the configuration. They are no tools: a model that could grant would
 * need no rules.
 */
import { Failure } from "../base/index.ts";
import { grantOnRecord } from "../pipeline/index.ts";
import { terminalCommand } from "../text/index.ts";
import { defineMethod, type Method } from "./define-method.ts";
import * as z from "zod";

const listMethod: Method = defineMethod({
  name: "ringfence/grants/list",
  summary: "Lists what was granted.",
  result: "`{grants: [{id, rule, roots, at, remembered}]}`.",
  params: z.strictObject({}),
  order: "none",
  answer: (host) => ({ grants: host.policy.grants.list() }),
});

const addMethod: Method = defineMethod({
  name: "ringfence/grants/add",
  summary: "Allows calls for this process, or for good.",
  result: "`{grant}`.",
  params: z.strictObject({
    rule: z.string().meta({ description: "What is allowed", examples: ["write_file(notes/**)"] }),
    remember: z.boolean().optional().describe("Whether the grant is kept, for hosts with the same roots"),
  }),
  order: "none",
  answer(host, { rule, remember = false }) {
    if (remember && host.config.roots.length === 0)
      throw new Failure(
        "invalid_input",
        "Cannot remember a grant: it is for the roots of a host, and this one has none",
        {
          hint: "Start the host with its roots, or grant without remember, for this process alone.",
        },
      );
    return { grant: grantOnRecord(host, rule, remember) };
  },
});

const revokeMethod: Method = defineMethod({
  name: "ringfence/grants/revoke",
  summary: "Takes a grant back.",
  result: '`{id, status: "revoked"}`.',
  params: z.strictObject({ id: z.string().describe("The id of the grant") }),
  order: "none",
  answer(host, { id }) {
    if (!host.policy.grants.revoke(id))
      throw new Failure("not_found", `Cannot revoke the grant "${id.slice(0, 60)}": no such id`, {
        hint: `ringfence/grants/list, or \`${terminalCommand(["grants"], host.config.stateDir)}\`, shows those that hold.`,
      });
    host.audit.record("revoked", { grant: id });
    host.audit.ensureWritten();
    return { id, status: "revoked" };
  },
});

export const grantMethods: readonly Method[] = [listMethod, addMethod, revokeMethod];
