/**
 * A tool's answer as the members of an MCP result, in JSON text: the worker makes it once, the main thread only puts it
 * into its envelope. Everything else about a result (revision, ids, `_meta`, its size) is the main thread's.
 */
import { redactResult } from "./redact-result.ts";
import type { ToolResult } from "./result.ts";

/**
 * `"content":[...]`, without the braces around it. The note stands first: a client that cuts a long answer keeps its
 * beginning. The text is the last text.
 */
export function resultMembers(
  given: ToolResult,
  results: "text" | "structured",
  redact?: (text: string) => { readonly text: string; readonly count: number },
): string {
  const result = redact ? redactResult(given, redact, results === "structured") : given;
  const content: unknown[] = result.note ? [{ type: "text", text: result.note }] : [];
  content.push({ type: "text", text: result.text });
  for (const { mime, data } of result.images ?? []) content.push({ type: "image", data, mimeType: mime });
  content.push(...(result.links ?? []));
  const members = `"content":${JSON.stringify(content)}`;
  return results === "structured"
    ? `${members},"structuredContent":${JSON.stringify(result.structured)}`
    : members;
}

/** What the host wants to know of what was read. */
export interface ReadFacts {
  readonly truncated: boolean;
  readonly matches?: number;
  readonly read: readonly {
    readonly path: string;
    readonly hash: string;
    readonly lines?: readonly [first: number, last: number, total: number];
    readonly isUnchanged?: boolean;
  }[];
}

/** What the host wants to know of a result without parsing it; "" when there is nothing. */
export function resultFacts(result: ToolResult): string {
  const matches = countMatches(result.structured);
  if (!result.truncated && !result.read?.length && matches === undefined) return "";
  return JSON.stringify({
    truncated: result.truncated ?? false,
    read: result.read ?? [],
    ...(matches === undefined ? {} : { matches }),
  });
}

/** What a search answered, in whatever form: lines, paths, or a number for each file. */
function countMatches({ matches, paths, counts }: ToolResult["structured"]): number | undefined {
  const lists = [matches, paths, counts].filter((list) => Array.isArray(list));
  return lists.length === 0 ? undefined : lists.reduce((sum, list) => sum + list.length, 0);
}
