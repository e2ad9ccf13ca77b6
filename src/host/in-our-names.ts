/**
 * A call that came in the dialect of this host, in our names, with the way back for its answer.
 */
import type { Spoken } from "../dialects/index.ts";
import type { Call } from "./call.ts";
import type { Services } from "./services.ts";

/** Once the tools are loaded. @param isPartial of a question about a call, which may leave arguments out */
export function inOurNames(
  host: Services,
  call: Call,
  isPartial = false,
): { readonly call: Call; readonly answer?: Spoken["answer"] } {
  const spoken = host.dialect?.translate(call.name, call.arguments, isPartial);
  if (!spoken) return { call };
  const { name, arguments: given, problem, repaired, isDryRun, answer } = spoken;
  // Whatever is decided of a dry run, it only plans.
  const meta = isDryRun ? { ...call.meta, "dev.ringfence/mode": "plan" } : call.meta;
  return { call: { ...call, name, arguments: given, problem, repaired, isDryRun, meta }, answer };
}
