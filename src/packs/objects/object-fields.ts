/**
 * Parameters that the tools of the pack share, and the target that rules decide about: `object_read(art/builds/**)`.
 */
import * as z from "zod";
import type { Target } from "../../contract/index.ts";
import { checkKey, MAX_KEY_BYTES } from "./store/object-key.ts";
import type { BucketPlace } from "./store/settings.ts";

/** A key that is too long in bytes is refused with the reason. */
export const keyField = (what: string): z.ZodString => z.string().min(1).max(MAX_KEY_BYTES).describe(what);

export const placeFields = (): { store: z.ZodOptional<z.ZodString>; bucket: z.ZodOptional<z.ZodString> } => ({
  store: z.string().max(60).optional().describe("The alias of the store. Default: the first of the configuration."),
  bucket: z
    .string()
    .max(80)
    .optional()
    .describe("A bucket that the configuration lists. Default: the first of the store."),
});

export interface PlaceAsked {
  readonly store?: string | undefined;
  readonly bucket?: string | undefined;
}

/** @param key absent for the whole bucket @param deep the call goes to all that lies below by itself */
export function objectTarget(
  { alias, bucket }: Pick<BucketPlace, "alias" | "bucket">,
  key: string | undefined,
  mode: "metadata" | "read" | "write",
  deep = false,
): Target {
  return {
    kind: "object",
    alias,
    bucket,
    ...(key === undefined ? {} : { key: checkKey(key) }),
    mode,
    ...(deep ? { deep } : {}),
  };
}
