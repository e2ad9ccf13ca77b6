/**
 * What a program has put out, as the caller gets it: secrets in it are replaced as in everything that is read.
 */
import { resultMembers, type ToolResult } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { Host } from "./host.ts";

export function runOutcome(host: Host, result: ToolResult): Outcome {
  return { members: resultMembers(result, host.config.results, host.redactor) };
}
