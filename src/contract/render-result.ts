/**
 * A tool's answer as the members of an MCP result, in JSON text: the worker makes it once, the main thread only puts it
 * into its envelope. Everything else about a result (revision, ids, `_meta`, its size) is the main thread's.
 */
import { redactResult } from "./redact-result.ts";
import type { ToolResult } from "./result.ts";

/** `"content":[...]`, without the braces around it. */
export function resultMembers(
  given: ToolResult,
  results: "text" | "structured",
  redact?: (text: string) => { readonly text: string; readonly count: number },
): string {
  const result = redact ? redactResult(given, redact, results === "structured") : given;
  const content: unknown[] = [{ type: "text", text: result.text }];
  for (const { mime, data } of result.images ?? []) content.push({ type: "image", data, mimeType: mime });
  if (result.note) content.push({ type: "text", text: result.note });
  content.push(...(result.links ?? []));
  const members = `"content":${JSON.stringify(content)}`;
  return results === "structured"
    ? `${members},"structuredContent":${JSON.stringify(result.structured)}`
    : members;
}

/** What the host wants to know of a result without parsing it; "" when there is nothing. */
export function resultFacts(result: ToolResult): string {
  const { matches } = result.structured;
  if (!result.truncated && !result.read?.length && !Array.isArray(matches)) return "";
  return JSON.stringify({
    truncated: result.truncated ?? false,
    read: result.read ?? [],
    ...(Array.isArray(matches) ? { matches: matches.length } : {}),
  });
}
