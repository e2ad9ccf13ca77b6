/**
 * The namespace of a note, as every tool of the memory takes it.
 */
import * as z from "zod";
import type { Target } from "../../contract/index.ts";

type Mode = "metadata" | "read" | "write" | "remove";

/** Longer than any name can be, and short enough for a failure. */
const MAX_CHARS = 600;

export const namespaceField = (what: string): z.ZodString =>
  z
    .string()
    .min(1)
    .max(MAX_CHARS)
    .describe(`${what}: names of a-z, 0-9 and ._- with slashes between them, for example global/knowledge.`);

/** What rules decide about: `memory_write(project/**)`. */
export function noteTarget(namespace: string, mode: Mode): Target {
  return { kind: "record", store: "memory", key: namespace, mode };
}
