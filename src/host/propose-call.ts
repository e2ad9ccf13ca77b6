/**
 * A call that a person is asked about first: a program, or a tool of somebody else. The proposal says what would be carried out, with
 * all that it is given, and why it is asked; it is carried out when the proposal is applied, if it is still what was shown.
 */
import type { Work } from "./call.ts";
import { limits } from "../base/index.ts";
import type { ForeignTool, RunTool } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import { factsOfCall } from "./call-facts.ts";
import { clientName } from "./client-name.ts";
import { changeOutcome } from "./change-outcome.ts";
import type { Services } from "./services.ts";

/** @throws Failure for what could not be carried out either */
export async function proposeCall(host: Services, work: Work, tool: RunTool | ForeignTool): Promise<Outcome> {
  const { call, input, decision } = work;
  const facts = await factsOfCall(host, tool, input);
  const answer = await host.changePool.run({
    name: "propose_local",
    input: JSON.stringify({
      tool: tool.name,
      input,
      decision,
      facts,
      notes: [`Asked because ${decision.reason}.`],
      ...clientName(call),
    }),
    timeoutMs: limits.DEFAULT_CALL_MS,
    signal: call.signal,
  });
  return changeOutcome(host, work, answer);
}
