/**
 * Members of what a cluster answers. Whoever runs it may answer anything, so nothing is taken for what it should be, and every text
 * is bounded and in sight.
 */
import { visibleText } from "../../text/index.ts";

export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  );
}

/** The longest name there is. */
const USUAL_CHARS = 253;

/** One line, "" for what is none. */
export function textAt(value: unknown, names: readonly string[], maxChars: number = USUAL_CHARS): string {
  const found = member(value, ...names);
  if (typeof found !== "string") return "";
  const line = visibleText(found.slice(0, maxChars + 1))
    .replaceAll(/\s+/g, " ")
    .trim();
  return found.length > maxChars ? `${line.slice(0, maxChars)}...` : line;
}

export function numberAt(value: unknown, ...names: readonly string[]): number {
  const found = member(value, ...names);
  return typeof found === "number" && Number.isFinite(found) ? found : 0;
}

const MAX_ITEMS = 1000;

export function listAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = member(value, ...names);
  return Array.isArray(found) ? (found as unknown[]).slice(0, MAX_ITEMS) : [];
}
