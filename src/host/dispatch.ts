/**
 * The story of one call: find, parse, assess, decide, wait its turn, carry out, record, answer. Every step has a file of
 * its name; nothing is decided here.
 */
import { parseArguments } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import { answerFailure } from "./answer-failure.ts";
import { assess, refuseDenied, type Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import { carryOut } from "./carry-out.ts";
import { findTool, parsableOf } from "./find-tool.ts";
import type { Host } from "./host.ts";
import { recordDecision, recordEnd, recordProposed, recordStart } from "./record.ts";
import { askHooks, tellHooks } from "./run-hooks.ts";
import { spend, withRemaining } from "./spend.ts";

/** @throws RpcError for an unknown tool; every other failure is an outcome that the model can read */
export async function dispatch(host: Host, call: Call): Promise<Outcome> {
  if (host.recovering) await host.recovering;
  const tool = findTool(host.loadedRegistry ?? (await host.registry()), call.name);
  const record = recordProposed(host, call);
  let assessed: Assessed | undefined;
  try {
    host.policy.budget.begin();
    const input = parseArguments(parsableOf(tool), call.arguments);
    const first = assess(host, tool, input, call);
    const asked = askHooks(host, first, call, input);
    assessed = asked instanceof Promise ? await asked : asked;
    recordDecision(host, call, record, assessed);
    refuseDenied(call, assessed);
    const turn = host.order.enter(assessed.paths, assessed.changes);
    try {
      if (turn.ready) await turn.ready;
      recordStart(host, record, assessed);
      const outcome = await carryOut(host, { call, tool, input, ...assessed });
      spend(host, record, outcome);
      recordEnd(host, record, assessed, outcome);
      return withRemaining(host, record, outcome);
    } finally {
      turn.leave();
      tellHooks(host, assessed, call);
    }
  } catch (thrown) {
    return await answerFailure(host, call, record, assessed, thrown);
  }
}
