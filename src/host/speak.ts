/**
 * A call as it came, in the dialect of this host: into our names before anything looks at it, and its answer back. The one
 * place where a dialect is spoken; behind it there are canonical names only.
 */
import type { Spoken } from "../dialects/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { Call } from "./call.ts";
import { dispatch } from "./dispatch.ts";
import type { Host } from "./host.ts";

/** @throws as `dispatch` */
export async function speak(host: Host, call: Call): Promise<Outcome> {
  if (host.config.dialect === "ringfence") return await dispatch(host, call);
  // Not awaited once it is there: calls enter the order in the order they came.
  if (!host.loadedRegistry) await host.registry();
  const spoken = host.dialect?.translate(call.name, call.arguments);
  if (!spoken) return await dispatch(host, call);
  const made = await dispatch(host, ours(call, spoken));
  const roots = host.facts.within ?? host.facts.roots.map(({ path }) => path);
  return spoken.answer(made, roots);
}

/** The call alone, for who only asks about it. */
export async function inOurNames(host: Host, call: Call): Promise<Call> {
  if (!host.loadedRegistry) await host.registry();
  const spoken = host.dialect?.translate(call.name, call.arguments);
  return spoken ? ours(call, spoken) : call;
}

function ours(call: Call, { name, arguments: given, problem, isDryRun }: Spoken): Call {
  // Whatever is decided of a dry run, it only plans.
  const meta = isDryRun ? { ...call.meta, "dev.ringfence/mode": "plan" } : call.meta;
  return { ...call, name, arguments: given, problem, isDryRun, meta };
}
