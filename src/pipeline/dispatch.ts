/**
 * The story of one call: find, parse, assess, decide, wait its turn, carry out, ask, bound, record, answer. Every step
 * has a file of its name; nothing is decided here.
 */
import { isRemoteTool, type AnyTool, type Registry } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { PlaceInOrder } from "../session/index.ts";
import { boundOutcome } from "./answer/bound-outcome.ts";
import { answerFailure } from "./answer/failure.ts";
import { beginSpending, spend, withRemaining } from "./answer/spend.ts";
import type { Assessed, Call, CallRecord, Work } from "./call.ts";
import { assessRun, isRunTool } from "./decide/assess-run.ts";
import { assess } from "./decide/assess.ts";
import { askHooks, endingOf, tellHooks } from "./decide/hooks.ts";
import { permit } from "./decide/permit.ts";
import { execute } from "./execute/execute.ts";
import { findTool, readArguments, turnedOff } from "./find-tool.ts";
import { noteMayAsk } from "./form.ts";
import { askPerson, askable, askedBefore } from "./proposal/ask.ts";
import { isPlanned, planChange, proposeCall } from "./proposal/propose.ts";
import { recordDecision, recordEnd, recordProposed, recordStart, recordUnknown, workedMs } from "./record.ts";
import type { Services } from "./services.ts";

/**
 * @throws RpcError for an unknown tool, InputRequired for a question to the client; every other failure is an outcome
 *   that the model can read
 */
export async function dispatch(host: Services, call: Call): Promise<Outcome> {
  const turn = call.turn ?? host.order.arrive();
  using _ = { [Symbol.dispose]: () => turn.leave() };
  noteMayAsk(host, call);
  await host.whole();
  const registry = await host.registry();
  const record = recordProposed(host, call);
  const tool = call.tool ?? knownTool(host, registry, call, record);
  let assessed: Assessed | undefined;
  try {
    beginSpending(host, call);
    if (call.problem) throw call.problem;
    const { input, repaired } = readArguments(tool, call.arguments);
    record.repaired += repaired;
    const placed = assess(host, tool, input, call);
    // What a program reads nobody knows, and its line is looked at longer than others.
    if (isRunTool(tool)) turn.enter("all", false);
    const first = isRunTool(tool) ? await assessRun(host, { tool, input, call }, placed) : placed;
    assessed = await askHooks(host, first, { call, input, turn });
    recordDecision(host, call, record, assessed);
    const work = await permit(host, { ...assessed, call, tool, input, record }, turn);
    noteMayAsk(host, call, work);
    const made = (await askedBefore(host, call, turn)) ?? (await inTurn(host, work, turn));
    turn.leave();
    const proposal = askable(host, work, made);
    const outcome = boundOutcome(host, proposal ? await askPerson(host, work, made, proposal) : made);
    spend(host, record, outcome);
    recordEnd(host, call, record, assessed, outcome);
    tellHooks(host, assessed, call, endingOf(outcome, workedMs(host, record)));
    return withRemaining(host, record, outcome);
  } catch (thrown) {
    return await answerFailure(host, call, record, assessed, thrown);
  } finally {
    // A question to the client is the end of this request, and of no call.
    host.openCalls.end(record);
  }
}

/** @throws RpcError for a name that no tool has, which is on record too */
function knownTool(host: Services, registry: Registry, call: Call, record: CallRecord): AnyTool {
  try {
    return findTool(registry, call.name, { names: host.dialect?.names, off: turnedOff(host.config) });
  } catch (thrown) {
    recordUnknown(host, call, record);
    throw thrown;
  }
}

async function inTurn(host: Services, work: Work, turn: PlaceInOrder): Promise<Outcome> {
  const isRun = isRunTool(work.tool);
  if (!isRun) turn.enter(work.targets, work.changes);
  await turn.ready;
  // A program sees what came before it, as does what is carried out elsewhere; what comes later need not wait for its end.
  if (isRun || isRemoteTool(work.tool)) turn.leave();
  recordStart(host, work.record, work);
  if (isPlanned(work.tool)) return await planChange(host, work, work.tool);
  if (work.decision.type === "ask") return await proposeCall(host, work);
  return await execute(host, work);
}
