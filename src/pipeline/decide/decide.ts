/**
 * Whether a call may be made: by the policy, by a look at what it would start, by the programs of the configuration, and by
 * the guard of the program that runs the host, each of which can only be stricter than the one before.
 */
import { EFFECTS } from "../../policy/index.ts";
import type { PlaceInOrder } from "../../session/index.ts";
import type { ReadCall, Assessed } from "../call.ts";
import type { Services } from "../services.ts";
import { assessRun, withoutProposal } from "./assess-run.ts";
import { assess } from "./assess.ts";
import { askGuard } from "./guard.ts";
import { askHooks, hooksBefore, type Decided } from "./hooks.ts";

/** The call comes back with the arguments that are decided about, which a hook may have changed. */
export async function decide(host: Services, asked: ReadCall, turn: PlaceInOrder): Promise<Decided> {
  // A line is looked at longer than others, and nobody waits meanwhile.
  if (isRun(asked)) turn.enter("all", false);
  const assessed = isRun(asked) ? await assessWhole(host, asked) : assess(host, asked);
  const { guard } = host;
  if (hooksBefore(host, assessed).length === 0 && !guard) return { asked, assessed };
  turn.stepAside();
  const hooked = await askHooks(host, { asked, assessed }, async (changed) => await assessWhole(host, changed));
  const guarded = guard ? { ...hooked, assessed: await askGuard(host, guard, hooked.assessed, hooked.asked) } : hooked;
  return isRun(asked) ? { ...guarded, assessed: withoutProposal(guarded.assessed) } : guarded;
}

function isRun({ tool }: ReadCall): boolean {
  return EFFECTS[tool.effect].order === "all";
}

async function assessWhole(host: Services, asked: ReadCall): Promise<Assessed> {
  const assessed = assess(host, asked);
  return isRun(asked) ? await assessRun(host, asked, assessed) : assessed;
}
