/**
 * Whether a call may be made: by the policy, by a look at what it would start, by the programs of the configuration, and by
 * the guard of the program that runs the host, each of which can only be stricter than the one before.
 */
import { EFFECTS } from "../../policy/index.ts";
import type { PlaceInOrder } from "../../session/index.ts";
import type { ReadCall, Assessed } from "../call.ts";
import type { Services } from "../services.ts";
import { assessRun } from "./assess-run.ts";
import { assess } from "./assess.ts";
import { askGuard } from "./guard.ts";
import { askHooks, hooksBefore } from "./hooks.ts";

export async function decide(host: Services, asked: ReadCall, turn: PlaceInOrder): Promise<Assessed> {
  let assessed = assess(host, asked);
  if (EFFECTS[asked.tool.effect].order === "all") {
    // Its line is looked at longer than others, and nobody waits meanwhile.
    turn.enter("all", false);
    assessed = await assessRun(host, asked, assessed);
  }
  const hooks = hooksBefore(host, assessed);
  const { guard } = host;
  if (hooks.length === 0 && !guard) return assessed;
  turn.stepAside();
  const hooked = await askHooks(host, hooks, assessed, asked);
  return guard ? await askGuard(host, guard, hooked, asked) : hooked;
}
