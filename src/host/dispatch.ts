/**
 * The story of one call: find, parse, assess, decide, wait its turn, carry out, record, answer. Every step has a file of
 * its name; nothing is decided here.
 */
import { parseArguments, type AnyTool, type Registry } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import { answerFailure } from "./answer-failure.ts";
import { assess, refuseDenied, type Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import { carryOut } from "./carry-out.ts";
import { findTool, parsableOf } from "./find-tool.ts";
import type { Host } from "./host.ts";
import {
  recordDecision,
  recordEnd,
  recordProposed,
  recordStart,
  recordUnknown,
  type CallRecord,
} from "./record.ts";
import { askHooks, tellHooks } from "./run-hooks.ts";
import { spend, withRemaining } from "./spend.ts";

/** @throws RpcError for an unknown tool; every other failure is an outcome that the model can read */
export async function dispatch(host: Host, call: Call): Promise<Outcome> {
  if (host.recovering) await host.recovering;
  const registry = host.loadedRegistry ?? (await host.registry());
  const record = recordProposed(host, call);
  const tool = knownTool(host, registry, call, record);
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
      const outcome = await carryOut(host, {
        call: { ...call, auditId: record.id },
        tool,
        input,
        ...assessed,
      });
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

/** @throws RpcError for a name that no tool has, which is on record too */
function knownTool(host: Host, registry: Registry, call: Call, record: CallRecord): AnyTool {
  try {
    return findTool(registry, call.name);
  } catch (thrown) {
    recordUnknown(host, call, record);
    throw thrown;
  }
}
