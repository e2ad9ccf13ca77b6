/**
 * Whether a call may be made: by the policy, by a look at what it would start, and by the programs of the
 * configuration, each of which can only be stricter than the one before.
 */
import { EFFECTS } from "../../policy/index.ts";
import type { PlaceInOrder } from "../../session/index.ts";
import type { ReadCall, Assessed } from "../call.ts";
import type { Services } from "../services.ts";
import { assessRun } from "./assess-run.ts";
import { assess } from "./assess.ts";
import { askHooks, hooksBefore } from "./hooks.ts";

export async function decide(host: Services, asked: ReadCall, turn: PlaceInOrder): Promise<Assessed> {
  let assessed = assess(host, asked);
  if (EFFECTS[asked.tool.effect].order === "all") {
    // Its line is looked at longer than others, and nobody waits meanwhile.
    turn.enter("all", false);
    assessed = await assessRun(host, asked, assessed);
  }
  const hooks = hooksBefore(host, assessed);
  if (hooks.length === 0) return assessed;
  turn.stepAside();
  return await askHooks(host, hooks, assessed, asked);
}
