/**
 * A form as a person has it before them, in one text: the message, and the label of each choice. What differs in every
 * run (paths, ids, times) has a name instead.
 */
import type { TestHost, Json } from "./in-memory-host.ts";

/** Claude Code shows so many lines of a message, and characters of a label, and has no way to see the rest. */
export const LINES_SEEN = 3;
export const LABEL_CHARS_SEEN = 48;

/** The titles of the choices, in every revision. */
export function labelsOf(form: Json): string[] {
  const { oneOf, enumNames } = form.requestedSchema.properties.decision;
  return enumNames ?? oneOf.map(({ title }: Json) => title);
}

export function wholeForm(form: Json, { root, stateDir }: Pick<TestHost, "root" | "stateDir">): string {
  const labels = labelsOf(form).map((label) => `[${label}]`);
  return [form.message, ...labels]
    .join("\n")
    .replaceAll(root, "/ROOT")
    .replaceAll(stateDir, "/STATE")
    .replaceAll(/p_[\w-]{22}/g, "ID")
    .replaceAll(/@[0-9a-f]{40}/g, "@DIGEST")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}

/** The part that everybody sees. */
export function seenOf(form: Json): { readonly lines: string; readonly labels: string[] } {
  return {
    lines: form.message.split("\n").slice(0, LINES_SEEN).join("\n"),
    labels: labelsOf(form).map((label) => label.slice(0, LABEL_CHARS_SEEN)),
  };
}
