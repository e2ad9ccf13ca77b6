/**
 * A call as it came, in the dialect of this host: into our names before anything looks at it, and its answer back, with
 * nothing said twice. The one place where a dialect is spoken; behind it there are canonical names only.
 */
import type { Outcome } from "../mcp/index.ts";
import type { Call } from "./call.ts";
import { dispatch } from "./dispatch.ts";
import type { Services } from "./services.ts";
import { inOurNames } from "./in-our-names.ts";
import { sayOnce } from "./say-once.ts";

/** @throws as `dispatch` */
export async function speak(host: Services, call: Call): Promise<Outcome> {
  if (host.config.dialect === "ringfence") return sayOnce(await dispatch(host, call));
  // Not awaited once it is there: calls enter the order in the order they came.
  if (!host.loadedRegistry) await host.registry();
  const { call: ours, answer } = inOurNames(host, call);
  const outcome = await dispatch(host, ours);
  const roots = host.facts.within ?? host.facts.roots.map(({ path }) => path);
  return sayOnce(answer ? answer(outcome, roots) : outcome);
}
