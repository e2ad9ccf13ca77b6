/**
 * The view of a proposal in clients that show MCP Apps: its document, and the rows that it shows, in the answer of the call that
 * made the proposal. Clients that do not say so get neither.
 *
 * Invariants: it only shows. A view runs beside the model, in a frame that the model's answer has opened, so nothing that comes from
 * there may approve: that is for the client's form, or for a reviewer. And it says no more than the answer beside it, in which
 * secrets are replaced: a client may hand all of an answer to its model.
 */
import type { MethodName, MethodParams, MethodResults, ProposalWithFiles } from "../calls/index.ts";
import { Failure } from "../base/index.ts";
import { VIEW_TYPE, type Outcome, type RequestContext } from "../mcp/index.ts";
import { diffOfProposal, getProposal, proposalIn, type Call, type Services } from "../pipeline/index.ts";
import type { ClientView } from "../page/index.ts";
import type { AskMethods, ProposalReview } from "../review/index.ts";

export const PROPOSAL_VIEW = "ui://ringfence/proposal";
/** The key of `_meta` that holds the rows. */
const REVIEW_KEY = "dev.ringfence/review";

/** The result of `resources/read`. */
export async function readClientView({ revision }: RequestContext): Promise<string> {
  const { pageAssets } = await import("../page/index.ts");
  const { clientView } = await pageAssets();
  const ui = {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: true,
  };
  return revision.result(
    { contents: [{ uri: PROPOSAL_VIEW, mimeType: VIEW_TYPE, text: clientView, _meta: { ui } }] },
    true,
  );
}

/** Adds what the view shows to the answer of a call that became a proposal. */
export async function withClientView(host: Services, call: Call, outcome: Outcome): Promise<Outcome> {
  const pending = proposalIn(outcome);
  if (!pending) return outcome;
  const [{ clientViewOf }, { loadReview }] = await Promise.all([
    import("../page/index.ts"),
    import("../review/index.ts"),
  ]);
  try {
    const got: ProposalWithFiles[] = [];
    const review = await loadReview(askWith(host, call, got), `${pending.id}@${pending.digest}`);
    // A key can be longer than what the rows have of it, and then nothing in them says that it is one.
    if (got.some(({ files }) => files.some((file) => file.tells_secrets))) return outcome;
    const view = clientViewOf(review);
    // With a part replaced it would not be what is approved, so there is none, and the client shows the answer itself.
    if (host.redactor && textsOf(view, review).some((text) => host.redactor?.(text).text !== text)) return outcome;
    return { ...outcome, meta: { ...outcome.meta, [REVIEW_KEY]: view } };
  } catch (thrown) {
    // Somebody has decided meanwhile; the answer is what it was.
    if (thrown instanceof Failure) return outcome;
    throw thrown;
  }
}

/** All that a view shows. The sides of a hunk are whole lines of the file, because marks and signs cut a line into pieces. */
function textsOf({ summary, problem, warnings, text, files, leftOut }: ClientView, review: ProposalReview): string[] {
  const said = [summary, problem, ...warnings, ...files.map(({ line }) => line), text];
  const hunks = leftOut === undefined ? review.files.flatMap((file) => file.hunks) : [];
  const sides = hunks.flatMap(({ rows }) =>
    (["added", "removed"] as const).map((other) => rows.flatMap(({ kind, raw }) => (kind === other ? [] : [raw]))),
  );
  return [...said.flatMap((one) => one ?? []), ...sides.map((lines) => lines.join("\n"))];
}

/** Asks beside the order of calls: this one still has its place there. @param got what it was given of the proposal */
function askWith(host: Services, { signal }: Call, got: ProposalWithFiles[]): AskMethods {
  const caller = { signal };
  return async <Name extends MethodName>(method: Name, params: MethodParams[Name]): Promise<MethodResults[Name]> => {
    const given = params as MethodParams["ringfence/proposals/get"] & MethodParams["ringfence/proposals/diff"];
    const { id, ...page } = given;
    if (method === "ringfence/proposals/diff")
      return (await diffOfProposal(host, given, caller)) as MethodResults[Name];
    const { details } = await getProposal(host, caller, id, page);
    got.push(details);
    return details as MethodResults[Name];
  };
}
