/**
 * The view of a proposal in clients that show MCP Apps: its document, and the rows that it shows, in the answer of the call that
 * made the proposal. Clients that do not say so get neither.
 *
 * Invariant: it only shows. A view runs beside the model, in a frame that the model's answer has opened, so nothing that comes from
 * there may approve: that is for the client's form, or for a reviewer.
 */
import type { MethodName, MethodParams, MethodResults } from "../calls/index.ts";
import { Failure } from "../base/index.ts";
import { VIEW_TYPE, type Outcome, type RequestContext } from "../mcp/index.ts";
import { diffOfProposal, getProposal, proposalIn, type Call, type Services } from "../pipeline/index.ts";
import type { AskMethods } from "../review/index.ts";

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
    const review = await loadReview(askWith(host, call), `${pending.id}@${pending.digest}`);
    return { ...outcome, meta: { ...outcome.meta, [REVIEW_KEY]: clientViewOf(review) } };
  } catch (thrown) {
    // Somebody has decided meanwhile; the answer is what it was.
    if (thrown instanceof Failure) return outcome;
    throw thrown;
  }
}

/** Asks beside the order of calls: this one still has its place there. */
function askWith(host: Services, { signal }: Call): AskMethods {
  const caller = { signal };
  return async <Name extends MethodName>(method: Name, params: MethodParams[Name]): Promise<MethodResults[Name]> => {
    const given = params as MethodParams["ringfence/proposals/get"] & MethodParams["ringfence/proposals/diff"];
    const { id, ...page } = given;
    const answer =
      method === "ringfence/proposals/diff"
        ? await diffOfProposal(host, given, caller)
        : (await getProposal(host, caller, id, page)).details;
    return answer as MethodResults[Name];
  };
}
