/**
 * The story of one call: find, parse, assess, decide, wait its turn, carry out, ask, bound, record, answer. Every step
 * has a file of its name; nothing is decided here.
 */
import { parseArguments } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import { answerFailure } from "./answer-failure.ts";
import { askPerson, askedBefore, mayAsk } from "./ask-person.ts";
import { assess, refuseDenied, type Assessed } from "./assess.ts";
import { boundOutcome } from "./bound-outcome.ts";
import type { Call } from "./call.ts";
import { carryOut, type Work } from "./carry-out.ts";
import { findTool, parsableOf } from "./find-tool.ts";
import type { Host } from "./host.ts";
import { recordDecision, recordEnd } from "./record.ts";

/**
 * @throws RpcError for an unknown tool, InputRequired for a question to the client; every other failure is an outcome
 *   that the model can read
 */
export async function dispatch(host: Host, call: Call): Promise<Outcome> {
  if (host.recovering) await host.recovering;
  const tool = findTool(host.loadedRegistry ?? (await host.registry()), call.name);
  let assessed: Assessed | undefined;
  try {
    const input = parseArguments(parsableOf(tool), call.arguments);
    assessed = assess(host, tool, input, call);
    const { decision } = assessed;
    recordDecision(host, call, assessed);
    refuseDenied(call, decision);
    const work = { call, tool, input, decision };
    const asked = call.context?.retry && (await askedBefore(host, call));
    const made = asked ?? (await inTurn(host, assessed, work));
    const proposal = mayAsk(call, decision, made);
    const outcome = boundOutcome(host, proposal ? await askPerson(host, work, made, proposal) : made);
    recordEnd(host, call, assessed, outcome);
    return outcome;
  } catch (thrown) {
    return answerFailure(host, call, assessed, thrown);
  }
}

async function inTurn(host: Host, { paths, changes }: Assessed, work: Work): Promise<Outcome> {
  const turn = host.order.enter(paths, changes);
  try {
    if (turn.ready) await turn.ready;
    return await carryOut(host, work);
  } finally {
    turn.leave();
  }
}
