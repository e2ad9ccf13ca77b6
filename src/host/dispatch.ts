/**
 * The story of one call: find, parse, assess, decide, wait its turn, carry out, record, answer. Every step has a file of
 * its name; nothing is decided here.
 */
import { parseArguments } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import { answerFailure } from "./answer-failure.ts";
import { assess, refuseDenied, type Assessed } from "./assess.ts";
import { assessRun } from "./assess-run.ts";
import type { Call } from "./call.ts";
import { carryOut } from "./carry-out.ts";
import { findTool, parsableOf } from "./find-tool.ts";
import type { Host } from "./host.ts";
import { recordDecision, recordEnd } from "./record.ts";

/** @throws RpcError for an unknown tool; every other failure is an outcome that the model can read */
export async function dispatch(host: Host, call: Call): Promise<Outcome> {
  if (host.recovering) await host.recovering;
  const tool = findTool(host.loadedRegistry ?? (await host.registry()), call.name);
  let assessed: Assessed | undefined;
  try {
    const input = parseArguments(parsableOf(tool), call.arguments);
    assessed = assess(host, tool, input, call);
    const turn = host.order.enter(assessed.paths, assessed.changes);
    try {
      const runs = "effect" in tool && tool.effect === "run";
      if (runs) assessed = await assessRun(host, { tool, input, call }, assessed);
      recordDecision(host, call, assessed);
      refuseDenied(call, assessed.decision);
      if (turn.ready) await turn.ready;
      // A program sees what came before it; what comes later need not wait for its end.
      if (runs) turn.leave();
      const outcome = await carryOut(host, { call, tool, input, decision: assessed.decision });
      recordEnd(host, call, assessed, outcome);
      return outcome;
    } finally {
      turn.leave();
    }
  } catch (thrown) {
    return answerFailure(host, call, assessed, thrown);
  }
}
