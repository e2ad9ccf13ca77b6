/**
 * The methods about proposals: what waits for approval is listed, shown, applied and rejected by the agent's runtime or by
 * a person.
 */
import { parseLabel } from "../approval/index.ts";
import type { AppliedProposal, FailedProposal } from "../calls/index.ts";
import { Failure, limits, reportBug, toFailure } from "../base/index.ts";
import {
  applyProposal,
  compareProposal,
  diffOfProposal,
  editProposal,
  getProposal,
  imagesOfProposal,
  listProposals,
  passApproval,
  rejectProposal,
  textOfProposal,
  type Services,
} from "../pipeline/index.ts";
import { defineMethod, type Method } from "./define-method.ts";
import { refuseReadOnly } from "./refuse-read-only.ts";
import * as z from "zod";

const id = z.string().describe("The proposal, as `ID@DIGEST` or `ID`");

const listMethod: Method = defineMethod({
  name: "ringfence/proposals/list",
  summary:
    "Lists what waits for approval, oldest first. A list does not show what a proposal would do, so it has no digests.",
  result:
    "`{proposals: [...]}`, each [as its call has it](wire.md#changes) with its words and `suggested_rules`, without its digest; and `change` (what would be done to what, without sizes), `roots` (those in which something would change), `host_roots` (all roots of the host that proposed it; a grant that it settles holds for hosts with exactly these), `createdAt`, `client?` (what the client that proposed it calls itself; nothing is decided by it), `session?` (as the record names it), `call?` (it changes no file by itself), `edits?` (the proposal that a person made this one of) and `why?` (`{reason, rule, source, suggested_rules}`: why a person is asked). With `check`, `added` and `removed` (lines), or `problem` (why it cannot be applied now).",
  params: z.strictObject({
    check: z
      .boolean()
      .optional()
      .describe("Whether the files are looked at too, for the lines and the problem of each"),
    ids: z.array(z.string()).max(limits.MAX_PROPOSALS).optional().describe("Only these, by their ids; default: all"),
  }),
  order: "look",
  answer: async (host, wanted, call) => ({ proposals: await listProposals(host, wanted, call) }),
});

const MIN_PAGE_BYTES = 1024;
/** As JSON it may be six times as long. */
const MAX_PAGE_BYTES: number = 4 * 1024 * 1024;

const getMethod: Method = defineMethod({
  name: "ringfence/proposals/get",
  summary: "Shows one proposal: [all that applying it would do](wire.md#what-is-shown-of-a-proposal).",
  result:
    "As in the list, with the digest, `createdAt`, `operations` (each in a line), `files` with their diffs (64 KiB of each), `problem?` (why it cannot be applied now), and `text`, `page` and `pages`: all that there is to see.",
  params: z.strictObject({
    id,
    page: z.int().min(1).optional().describe("Which page of the text; default: the first"),
    page_bytes: z
      .int()
      .min(MIN_PAGE_BYTES)
      .max(MAX_PAGE_BYTES)
      .optional()
      .describe("How long a page is; default: 64 KiB"),
    whole_diffs: z
      .boolean()
      .optional()
      .describe("Whether diffs are whole, up to 4 Mi characters in all; one that has no room is left out"),
  }),
  order: "look",
  answer: async (host, { id: given, ...page }, call) => (await getProposal(host, call, given, page)).details,
});

const diffMethod: Method = defineMethod({
  name: "ringfence/proposals/diff",
  summary: "Gives the whole diff of one file of a proposal, as it is: nothing in it is escaped or cut.",
  result: "`{diff, next?}`: up to 4 Mi characters, and where to go on.",
  params: z.strictObject({
    id,
    file: z.int().min(0).describe("The index of the file in `files`"),
    from: z.int().min(0).optional().describe("Where to begin, in UTF-16 units; default: at the beginning"),
  }),
  order: "look",
  answer: async (host, ask, call) => await diffOfProposal(host, ask, call),
});

const names = z.array(z.string()).min(1).optional();
/** A hunk, or a place of change in it. */
const hunkName = z.union([z.int(), z.string().regex(/^[1-9]\d{0,8}(?:\.[1-9]\d{0,8})?$/)]);
const MAX_PATH_CHARS = 4096;

const comments = z
  .array(
    z.strictObject({
      path: z.string().max(MAX_PATH_CHARS).optional().describe("The file, as the proposal names it"),
      line: z.int().min(1).optional().describe("The line, from 1"),
      to: z.int().min(1).optional().describe("The last line of a range that begins there"),
      side: z.enum(["before", "after"]).optional().describe("The text in which the line counts; default: after"),
      quote: z.string().max(limits.MAX_COMMENT_CHARS).optional().describe("The line itself"),
      text: z.string().min(1).max(limits.MAX_COMMENT_CHARS).describe("What is said about it"),
    }),
  )
  .max(limits.MAX_COMMENTS)
  .optional()
  .describe("What the person says about it; the model reads it with the decision");

const parts = {
  files: names.describe("Only these files of it, as `path` or `absolute` of the proposal names them"),
  hunks: z
    .record(z.string(), z.array(hunkName).min(1))
    .refine((hunks) => Object.keys(hunks).length > 0)
    .optional()
    .meta({
      description:
        'For each file, the numbers of the hunks to apply, from 1; `"2.1"` is the first place of change in hunk 2. A file that neither `files` nor `hunks` names is left out',
      examples: [{ "a.ts": [1, "3.2"] }],
    }),
};

const applyMethod: Method = defineMethod({
  name: "ringfence/proposals/apply",
  summary:
    "Applies a proposal, if it is still what was shown. Give `id`, `ids` or `request`. The proposal is over then: what was left out has to be proposed again. On a host that only reads (`read_only`) it fails as `denied`.",
  result: '`{id, status: "applied", transaction, files, left_out?}`; for `ids` `{results}`, one each.',
  params: z
    .strictObject({
      id: z
        .string()
        .optional()
        .describe("The proposal, as `ID@DIGEST`, or as `ID` alone for what this process has proposed"),
      ids: names.describe("Several of them, applied one after the other; a failure among them stops none"),
      request: z
        .union([z.string(), z.number()])
        .optional()
        .describe("The id of the `tools/call` of this process that made the proposal"),
      ...parts,
      comments,
    })
    .superRefine(({ id: one, ids, request }, ctx) => {
      const given = [one, ids, request].filter((value) => value !== undefined).length;
      if (given === 1) return;
      ctx.addIssue({
        code: "custom",
        message:
          given === 0 ? "give id, ids or request" : `give id, ids or request, not ${ids ? "several of them" : "both"}`,
      });
    }),
  order: "change",
  async answer(host, { id: one, ids, request, ...chosen }, call) {
    refuseReadOnly(host, "apply a proposal");
    if (!ids) {
      const named = one ?? proposalOf(host, request);
      return (await applyProposal(host, named, { parts: chosen, caller: call, onRun: call.leave })).value;
    }
    const results: (AppliedProposal | FailedProposal)[] = [];
    // A question in the middle would lose what the others came to.
    const { context: _, ...caller } = call;
    for (const each of ids) {
      try {
        results.push((await applyProposal(host, each, { parts: chosen, caller })).value);
      } catch (thrown) {
        results.push({ id: each, status: "failed", failure: toFailure(thrown, () => reportBug(thrown)).data });
      }
    }
    return { results };
  },
});

function proposalOf(host: Services, request: string | number | undefined): string {
  const made = request === undefined ? undefined : host.proposed.madeBy(request);
  if (made && "proposal" in made) return made.proposal;
  const what = `Cannot apply the proposal of request ${JSON.stringify(request).slice(0, 60)}`;
  if (made)
    throw new Failure("conflict", `${what}: its change was applied at once, as ${made.transaction}`, {
      hint: "Nothing is left to do.",
    });
  throw new Failure("not_found", `${what}: that request made none`, {
    hint: "Look at that request's answer: it failed, was carried out at once, or there was nothing to change.",
  });
}

const rejectMethod: Method = defineMethod({
  name: "ringfence/proposals/reject",
  summary: "Ends a proposal that is not to be applied.",
  result: '`{id, status: "rejected", summary, reason?}`.',
  params: z.strictObject({
    id,
    reason: z
      .string()
      .max(limits.MAX_REASON_CHARS)
      .optional()
      .describe("Why; it is shown to whoever asks for the same again"),
    comments,
  }),
  order: "look",
  answer: async (host, { id: given, ...words }, call) =>
    await rejectProposal(host, { id: parseLabel(given).id, ...words }, call),
});

const compareMethod: Method = defineMethod({
  name: "ringfence/proposals/compare",
  summary:
    "Shows the files of a proposal that have changed since it was made: the old text, the new one, and what is there now.",
  result:
    "`{files: [{path, why, proposed?, meanwhile?, now?}]}`: diffs from old to new, from old to now, and from now to new. One is missing where its old text was not kept, or the file is no text.",
  params: z.strictObject({ id }),
  order: "look",
  answer: async (host, { id: given }, call) => ({ files: await compareProposal(host, given, call) }),
});

const file = z.string().max(MAX_PATH_CHARS).describe("The file, as the proposal names it");
/** The worker has a limit in bytes. */
const MAX_TEXT_CHARS: number = 2 * 1024 * 1024;

const textMethod: Method = defineMethod({
  name: "ringfence/proposals/text",
  summary: "Gives the whole text of one file as it would be written.",
  result: "`{text}`, of a file of up to 2 MiB.",
  params: z.strictObject({ id, path: file, ...parts }),
  order: "look",
  answer: async (host, ask, call) => await textOfProposal(host, ask, call),
});

const editMethod: Method = defineMethod({
  name: "ringfence/proposals/edit",
  summary:
    "Makes a new proposal of one, with the text that a person wrote in one of its files. Nothing is decided by it: the first goes on waiting. When the new one is applied, so is the first, and its call is answered with what the person changed.",
  result: "The new proposal, as in the list, with its digest.",
  params: z.strictObject({
    id: z.string().describe("The proposal, as `ID@DIGEST`"),
    path: file,
    ...parts,
    text: z.string().max(MAX_TEXT_CHARS).describe("The whole text of the file, instead of the one that was proposed"),
  }),
  order: "look",
  answer: async (host, ask, call) => await editProposal(host, ask, call),
});

const imagesMethod: Method = defineMethod({
  name: "ringfence/proposals/images",
  summary: "Gives the images that a proposal makes, replaces or removes, for a surface that can show them.",
  result:
    "`{images: [{path, before?, after?}]}`, each `{type, size, base64}`: PNG, JPEG, GIF and WebP by their first bytes, up to 4 MiB each and 16 MiB together; what is larger is left out. `before` is what the proposal builds on.",
  params: z.strictObject({ id }),
  order: "look",
  answer: async (host, { id: given }, call) => ({ images: await imagesOfProposal(host, given, call) }),
});

const approveMethod: Method = defineMethod({
  name: "ringfence/proposals/approve",
  summary:
    "Approves a call that another host waits to make: a command, a tool of another server. That host makes it, and its agent reads the answer. On a host that only reads (`read_only`) it fails as `denied`.",
  result: '`{id, status: "approved"}`. How it ended, a later look at the proposal tells.',
  params: z.strictObject({ id: z.string().describe("The proposal, as `ID@DIGEST`") }),
  order: "look",
  async answer(host, { id: given }, call) {
    refuseReadOnly(host, "approve a call");
    return await passApproval(host, given, call);
  },
});

export const proposalMethods: readonly Method[] = [
  listMethod,
  getMethod,
  diffMethod,
  compareMethod,
  textMethod,
  editMethod,
  imagesMethod,
  applyMethod,
  approveMethod,
  rejectMethod,
];
