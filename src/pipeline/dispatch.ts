/**
 * The story of one call: find, parse, assess, decide, wait its turn, carry out, ask, bound, record, answer. Every step
 * but the turn has a file of its name.
 */
import { parseArguments, type Tool } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import { EFFECTS } from "../policy/index.ts";
import type { PlaceInOrder } from "../session/index.ts";
import { boundOutcome } from "./answer/bound-outcome.ts";
import { answerFailure } from "./answer/failure.ts";
import { beginSpending, spend, withRemaining } from "./answer/spend.ts";
import { withProgressEvents } from "./answer/tell-progress.ts";
import type { ReadCall, Assessed, Call, CallRecord, Work } from "./call.ts";
import { decide } from "./decide/decide.ts";
import { endingOf, tellHooks } from "./decide/hooks.ts";
import { permit } from "./decide/permit.ts";
import { execute } from "./execute/execute.ts";
import { findKnown } from "./find-tool.ts";
import { noteMayAsk } from "./form.ts";
import { touchedBy } from "./in-order.ts";
import { askPerson, askedBefore } from "./proposal/ask.ts";
import { planChange, proposeCall } from "./proposal/propose.ts";
import { recordDecision, recordEnd, recordProposed, recordStart, workedMs } from "./record.ts";
import type { Services } from "./services.ts";

/**
 * @throws RpcError for an unknown tool, InputRequired for a question to the client; every other failure is an outcome
 *   that the model can read
 */
export async function dispatch(host: Services, asked: Call): Promise<Outcome> {
  const turn = asked.turn ?? host.order.arrive();
  using _ = { [Symbol.dispose]: () => turn.leave() };
  noteMayAsk(host, asked);
  await host.whole();
  const registry = await host.registry();
  const record = recordProposed(host, asked);
  const tool = asked.tool ?? (await findKnown(host, registry, asked, record));
  const call = withProgressEvents(host, asked, record, tool);
  let assessed: Assessed | undefined;
  try {
    const { asked: read, assessed: decided } = await decide(host, readCall(host, call, tool, record), turn);
    assessed = decided;
    recordDecision(host, call, record, assessed);
    const work = await permit(host, { ...assessed, ...read, record }, turn);
    noteMayAsk(host, call, work);
    const made = (await askedBefore(host, call, turn)) ?? (await inTurn(host, work, turn));
    turn.leave();
    return finish(host, work, await askPerson(host, work, made));
  } catch (thrown) {
    return await answerFailure(host, call, record, assessed, thrown);
  } finally {
    // A question to the client is the end of this request, and of no call.
    host.openCalls.end(record);
  }
}

/** @throws Failure `over_budget`, `invalid_input` */
function readCall(host: Services, call: Call, tool: Tool, record: CallRecord): ReadCall {
  beginSpending(host, call);
  if (call.problem) throw call.problem;
  const { input, repaired } = parseArguments(tool, call.arguments);
  record.repaired += repaired;
  return { call, tool, input };
}

async function inTurn(host: Services, work: Work, turn: PlaceInOrder): Promise<Outcome> {
  const { changes, tool, decision } = work;
  const { order } = EFFECTS[tool.effect];
  const targets = touchedBy(work);
  if (order !== "all") turn.enter(targets, changes);
  await turn.ready;
  // What may read anything sees what came before it; what comes later need not wait for its end.
  if (order === "all" || (targets === "all" && !changes) || tool.waits) turn.leave();
  recordStart(host, work.record, work);
  if (tool.plan) return await planChange(host, work);
  if (decision.type === "ask") return await proposeCall(host, work);
  return await execute(host, work, async (next) => await dispatch(host, next));
}

/** @throws Failure `over_budget` when the answer is more than one call may give */
function finish(host: Services, work: Work, made: Outcome): Outcome {
  const { call, record } = work;
  const outcome = boundOutcome(host, made);
  spend(host, work, outcome);
  recordEnd(host, call, record, work, outcome);
  tellHooks(host, work, call, endingOf(outcome, workedMs(host, record)));
  return withRemaining(host, call, record, outcome, work);
}
