/**
 * A row as `tools/list` shows it: our tool's hints under the dialect's name, words and parameters.
 */
import * as z from "zod";
import { describeTool, inputSchemaOf, outputSchemaOf, type ListOptions } from "../contract/index.ts";
import type { CompiledRow } from "./compile-row.ts";

export function listRow({ row, tool, listed }: CompiledRow, options: ListOptions): Record<string, unknown> {
  const { annotations, ...described } = describeTool(tool, options);
  const title = row.title ?? tool.title;
  return {
    ...described,
    name: row.name,
    title,
    description: row.description,
    inputSchema: inputSchemaOf({ name: row.name, input: listed }),
    ...(row.show ? { outputSchema: outputSchemaOf(row.name === MEDIA ? BLOCKS : TEXT) } : {}),
    annotations: { ...(annotations as object), title },
  };
}

/** The only tool of the reference server that answers with something else than text. */
const MEDIA = "read_media_file";
const TEXT: z.ZodObject = z.object({ content: z.string() });
const BLOCKS: z.ZodObject = z.object({ content: z.array(z.looseObject({ type: z.string() })) });
