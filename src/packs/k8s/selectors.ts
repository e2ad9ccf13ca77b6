/**
 * Selectors of labels and fields, held to their grammar before they are sent, so that a mistake is told here and nothing else than
 * a selector stands in the query (Kubernetes, "Labels and Selectors" and "Field Selectors").
 */
import * as z from "zod";

const MAX_CHARS = 500;
const KEY = String.raw`(?:[a-zA-Z0-9][-a-zA-Z0-9.]{0,252}\/)?[a-zA-Z0-9](?:[-\w.]{0,61}[a-zA-Z0-9])?`;
const VALUE = String.raw`(?:[a-zA-Z0-9](?:[-\w.]{0,61}[a-zA-Z0-9])?)?`;
const SET = String.raw`\(\s*${VALUE}(?:\s*,\s*${VALUE})*\s*\)`;
const LABEL_TERM = new RegExp(
  String.raw`^\s*(?:!\s*${KEY}|${KEY}\s*(?:(?:==?|!=)\s*${VALUE}|(?:<|>)\s*-?\d{1,18}|\s(?:in|notin)\s*${SET})?)\s*$`,
);
const FIELD_TERM = /^\s*[a-zA-Z][\w.[\]'/-]{0,200}\s*(?:==?|!=)\s*[^,=!\\\s]{0,253}\s*$/;

export const labelSelectorField = (): z.ZodOptional<z.ZodString> =>
  z
    .string()
    .max(MAX_CHARS)
    .refine((text) => termsOf(text).every((term) => LABEL_TERM.test(term)), "it is no selector of labels")
    .optional()
    .describe('Only what has these labels: app=web, "tier in (front,back)", !canary; commas between them.');

export const fieldSelectorField = (example: string): z.ZodOptional<z.ZodString> =>
  z
    .string()
    .max(MAX_CHARS)
    .refine((text) => text.split(",").every((term) => FIELD_TERM.test(term)), "it is no selector of fields")
    .optional()
    .describe(`Only what has these fields: ${example}; commas between them.`);

/** Commas inside of parentheses belong to a set. */
function termsOf(text: string): readonly string[] {
  return text.split(/,(?![^(]*\))/);
}
