/**
 * A call as it came, in the dialect of this host: into our names before anything looks at it, and its answer back. The one
 * place where a dialect is spoken; behind it there are canonical names only.
 */
import type { Spoken } from "../dialects/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { Call } from "./call.ts";
import { PROPOSAL_KEY } from "./change-outcome.ts";
import { dispatch } from "./dispatch.ts";
import { rejectInOrder } from "./extension.ts";
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
  return spoken.answer(spoken.isDryRun ? await withdrawn(host, call, made) : made, roots);
}

/** The call alone, for who only asks about it. */
export async function inOurNames(host: Host, call: Call): Promise<Call> {
  if (!host.loadedRegistry) await host.registry();
  const spoken = host.dialect?.translate(call.name, call.arguments);
  return spoken ? ours(call, spoken) : call;
}

function ours(call: Call, { name, arguments: given, problem, meta }: Spoken): Call {
  return { ...call, name, arguments: given, problem, meta: { ...call.meta, ...meta } };
}

/** What was only tried out does not wait for anybody. */
async function withdrawn(host: Host, call: Call, made: Outcome): Promise<Outcome> {
  const { [PROPOSAL_KEY]: proposal, ...meta } = made.meta ?? {};
  if (proposal === undefined) return made;
  const { id } = proposal as { readonly id: string };
  await rejectInOrder(host, { id, reason: "it was a dry run" }, call);
  return { ...made, meta };
}
