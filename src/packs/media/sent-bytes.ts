/**
 * What the tools of this pack have in common: a file by its path, or bytes that come with the call.
 */
import * as z from "zod";
import { Failure, unwrapBase64 } from "../../base/index.ts";
import type { Target } from "../../contract/index.ts";
import { path as pathOf } from "../fields.ts";

/** In base64; what is larger has to be a file. */
export const MAX_SENT_CHARS: number = 10 * 1024 * 1024;

export interface Source {
  readonly path?: string | undefined;
  readonly data?: string | undefined;
  readonly mime_type?: string | undefined;
}

export function sourceFields(what: string): {
  path: z.ZodOptional<z.ZodString>;
  data: z.ZodOptional<z.ZodString>;
  mime_type: z.ZodOptional<z.ZodString>;
} {
  return {
    path: pathOf(what).optional(),
    data: z.string().max(MAX_SENT_CHARS).optional().describe("Instead of a path: the bytes in base64, at most 10 MB."),
    mime_type: z
      .string()
      .max(200)
      .optional()
      .describe("Of the data. What the bytes are is looked at; a type that they cannot be is refused."),
  };
}

export function accessOf({ path }: Source): readonly Target[] {
  return path === undefined ? [] : [{ path, mode: "read" }];
}

/** @throws Failure `invalid_input` where there is none, or both */
export function oneSource({ path, data, mime_type }: Source): Source {
  // Whoever decodes it further on need not know that it came in lines; what is none is refused there.
  if ((path === undefined) !== (data === undefined))
    return { path, data: data && (unwrapBase64(data) ?? data), mime_type };
  throw new Failure("invalid_input", "Cannot tell which file is meant: give either path or data", {
    hint: "path is a file inside the roots, data its bytes in base64.",
  });
}
