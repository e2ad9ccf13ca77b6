/**
 * The jobs that a call has workers do. A job of a tool that rules keep from some paths says so, and is done in a scope
 * without them.
 */
import { limits } from "../base/index.ts";
import type { RuledInput } from "../jobs/index.ts";
import type { JobAnswer } from "../pool/index.ts";
import type { CallPolicy, Caller } from "./call.ts";
import type { Services } from "./services.ts";

export function ruledJob(
  host: Services,
  { facts, mode, granted = [] }: CallPolicy,
  name: string,
  input: string,
): { readonly name: string; readonly input: string } {
  const { rules, grants } = host.policy;
  // What decides about the tools is kept from changes whether there are rules or not.
  const isRuled =
    facts.effect === "change" ||
    facts.effect === "run" ||
    rules.some((rule) => rule.verdict !== "allow" && rule.coversTool(facts));
  if (!isRuled) return { name, input };
  const ruled: RuledInput = {
    ruling: { tool: facts, mode, grants: [...grants.rules().map(({ text }) => text), ...granted] },
    input,
  };
  return { name: `ruled:${name}`, input: JSON.stringify(ruled) };
}

export async function changeJob(
  host: Services,
  name: string,
  input: object,
  caller: Caller,
): Promise<unknown> {
  return JSON.parse((await runJob(host, name, input, caller)).payload) as unknown;
}

export async function runJob(
  host: Services,
  name: string,
  input: object,
  caller: Caller,
): Promise<JobAnswer> {
  const { signal, onProgress } = caller;
  return await host.changePool.run({
    name,
    input: JSON.stringify(input),
    timeoutMs: limits.LONG_CALL_MS,
    signal,
    onProgress: onProgress && (({ done, total, what }) => onProgress(done, total, what)),
  });
}
