/**
 * What a program has put out, as the caller gets it: secrets in it are replaced as in everything that is read.
 */
import { resultMembers, type ToolResult } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { Services } from "./services.ts";
import { linkTo } from "./spilled-resource.ts";

export function runOutcome(host: Services, result: ToolResult): Outcome {
  const members = resultMembers(withLink(host, result), host.config.results, host.redactor);
  const { stopped_by: by } = result.structured as { stopped_by?: unknown };
  return by === "cancelled" ? { members, isCancelled: true } : { members };
}

/** What was cut of its output is kept, and can be read as a resource too. */
function withLink(host: Services, result: ToolResult): ToolResult {
  const { output } = result.structured as { output?: { spill?: { id?: unknown; bytes?: unknown } } };
  const { id, bytes } = output?.spill ?? {};
  if (!result.truncated || typeof id !== "string" || typeof bytes !== "number") return result;
  return { ...result, links: [linkTo(host, id, { name: "output of a command", size: bytes })] };
}
