/**
 * Tools as clients see them, in a fixed order, page by page. The list depends on how the process was started and on
 * nothing else.
 */
import type { LocalTool } from "./local-tool.ts";
import type { AnyTool } from "./registry.ts";
import type { Tool } from "./tool.ts";
import { inputSchemaOf, outputSchemaOf } from "./wire-schema.ts";

const PAGE_SIZE = 100;
const PROPOSED_NOTE = "The change is proposed first and made when it is approved.";

export interface ToolPage {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor?: string;
}

/** `undefined` for a cursor that this server never gave. */
export function listTools(
  tools: readonly AnyTool[],
  cursor: unknown,
  structured: boolean,
): ToolPage | undefined {
  const start = cursor === undefined ? 0 : readCursor(cursor, tools.length);
  if (start === undefined) return undefined;
  const page = tools.slice(start, start + PAGE_SIZE).map((tool) => describeTool(tool, structured));
  const next = start + PAGE_SIZE;
  return next < tools.length ? { tools: page, nextCursor: `tools-${next}` } : { tools: page };
}

export function describeTool(tool: AnyTool, structured: boolean): Record<string, unknown> {
  if ("kind" in tool) return describeLocal(tool.tool);
  const { name, title, summary } = tool;
  return {
    name,
    title,
    description: summary,
    inputSchema: inputSchemaOf(tool),
    ...(structured ? { outputSchema: outputSchemaOf(tool.output) } : {}),
    annotations: { title, ...annotationsOf(tool) },
  };
}

function describeLocal(
  tool: Pick<LocalTool, "name" | "description" | "input" | "mutates">,
): Record<string, unknown> {
  const readOnly = !tool.mutates;
  return {
    name: tool.name,
    title: tool.name,
    description: tool.mutates ? `${tool.description} ${PROPOSED_NOTE}` : tool.description,
    inputSchema: inputSchemaOf(tool),
    annotations: {
      title: tool.name,
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: false,
      openWorldHint: false,
    },
  };
}

function annotationsOf(tool: Tool): Record<string, boolean> {
  const readOnly = tool.effect === "read";
  return {
    readOnlyHint: readOnly,
    destructiveHint: tool.effect === "change" && (tool.destructive ?? false),
    idempotentHint: tool.idempotent ?? false,
    openWorldHint: tool.effect === "reach",
  };
}

function readCursor(cursor: unknown, length: number): number | undefined {
  const match = typeof cursor === "string" ? /^tools-(\d{1,6})$/.exec(cursor) : null;
  const start = match ? Number(match[1]) : undefined;
  return start !== undefined && start > 0 && start < length && start % PAGE_SIZE === 0 ? start : undefined;
}
