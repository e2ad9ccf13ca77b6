/**
 * What a client adds to every call for its own use: Gemini CLI gives each tool a parameter `wait_for_previous` for its
 * scheduler and sends its value along. A server knows nothing of it, so it is dropped, whoever sends it; only a tool that
 * declares a parameter of that name gets it.
 */
import type { JsonSchema } from "./wire-schema.ts";

const WAIT = "wait_for_previous";

/** @param schemaOf asked only when there is such a hint */
export function withoutClientHints(
  value: unknown,
  schemaOf: () => JsonSchema,
): { readonly value: unknown; readonly dropped: number } {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, WAIT))
    return { value, dropped: 0 };
  if (Object.hasOwn(schemaOf().properties ?? {}, WAIT)) return { value, dropped: 0 };
  const rest = Object.entries(value).filter(([name]) => name !== WAIT);
  return { value: Object.fromEntries(rest), dropped: 1 };
}
