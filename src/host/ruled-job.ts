/**
 * A job of a tool that rules keep from some paths says so, and is done in a scope without them.
 */
import type { RuledInput } from "../jobs/index.ts";
import type { CallPolicy } from "./call.ts";
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
