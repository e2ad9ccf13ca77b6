/**
 * The arguments of a tool as `tools/list` shows them, by any name that a client may call the tool by.
 */
import { describeTool, inputSchemaOf, type JsonSchema, type Tool } from "../contract/index.ts";
import { findTool, type Services } from "../pipeline/index.ts";

export interface ShownInput {
  readonly tool: Tool;
  /** For a name of the dialect. */
  readonly row: NonNullable<Services["dialect"]>["rows"][number] | undefined;
  readonly schema: JsonSchema;
}

/** @throws RpcError -32602 for a tool that there is not */
export async function shownInput(host: Services, name: string): Promise<ShownInput> {
  const registry = await host.registry();
  const row = host.dialect?.rows.find((one) => one.row.name === name);
  if (row) return { tool: row.tool, row, schema: inputSchemaOf({ name, input: row.listed }) };
  const tool = findTool(registry, name, { names: host.dialect?.names });
  const { inputSchema } = describeTool(tool, { structured: false, showsAtOnce: true });
  return { tool, row, schema: inputSchema as JsonSchema };
}
