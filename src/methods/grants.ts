/**
 * The methods about what a person has allowed beyond the configuration. They are no tools: a model that could grant would
 * need no rules.
 */
import { Failure } from "../base/index.ts";
import { grantOnRecord, type Services } from "../pipeline/index.ts";
import { terminalCommand } from "../text/index.ts";
import { defineMethod, type Method } from "./define-method.ts";
import { coverageOf } from "./rule-coverage.ts";
import * as z from "zod";

/** A year; whoever means longer means for good. */
const MAX_MINUTES: number = 366 * 24 * 60;

const roots = z
  .array(z.string())
  .max(100)
  .optional()
  .describe(
    "The roots of the hosts for which it holds; only a host without roots takes them. Default: those of this host",
  );

const listMethod: Method = defineMethod({
  name: "ringfence/grants/list",
  summary: "Lists what was granted.",
  result: "`{grants: [{id, rule, roots, at, remembered, until?, session?}]}`; one whose time is over is none.",
  params: z.strictObject({}),
  order: "none",
  answer: (host) => ({ grants: host.policy.grants.list() }),
});

const addMethod: Method = defineMethod({
  name: "ringfence/grants/add",
  summary: "Allows calls for this process, for a time, for one session, or for good.",
  result: "`{grant}`.",
  params: z.strictObject({
    rule: z.string().meta({ description: "What is allowed", examples: ["write_file(notes/**)"] }),
    remember: z.boolean().optional().describe("Whether the grant is kept, for hosts with the same roots"),
    roots,
    session: z.string().max(100).optional().describe("Only in this session, as a proposal and the record name it"),
    minutes: z.int().min(1).max(MAX_MINUTES).optional().describe("For so long; default: until it is revoked"),
  }),
  order: "none",
  answer(host, { rule, remember = false, roots: named, ...terms }) {
    refuseForeignRoots(host, named);
    if (remember && named === undefined && host.config.roots.length === 0)
      throw new Failure(
        "invalid_input",
        "Cannot remember a grant: it is for the roots of a host, and this one has none",
        {
          hint: "Start the host with its roots, or grant without remember, for this process alone.",
        },
      );
    return { grant: grantOnRecord(host, rule, { remember, roots: named, ...terms }) };
  },
});

/** A host with roots grants for its own, whoever asks. */
function refuseForeignRoots(host: Services, named: readonly string[] | undefined): void {
  if (named === undefined || host.config.roots.length === 0) return;
  throw new Failure("invalid_input", "Cannot grant for other roots: this host has roots of its own", {
    hint: "Leave `roots` out, or grant at a terminal.",
  });
}

const previewMethod: Method = defineMethod({
  name: "ringfence/grants/preview",
  summary: "Says what a rule would have allowed among the last questions on record. Nothing is granted.",
  result: "`{asked, allowed: [{at, tool, targets}]}`: how many questions were looked at, and which of them it covers.",
  params: z.strictObject({ rule: z.string().describe("The rule that is looked at"), roots }),
  order: "none",
  async answer(host, { rule, roots: named }) {
    refuseForeignRoots(host, named);
    return await coverageOf(host, rule, named ?? host.config.roots.map(({ path }) => path));
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

export const grantMethods: readonly Method[] = [listMethod, addMethod, previewMethod, revokeMethod];
