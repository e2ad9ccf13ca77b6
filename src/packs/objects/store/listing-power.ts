/**
 * Reading what an object store answers in XML. It runs where there are no files, no network and no programs: whoever answers in the
 * place of the store chooses every byte of it.
 */
import * as z from "zod";
import { definePower, type PackPower } from "../../../contract/index.ts";
import { MAX_KEY_CHARS, MAX_TOKEN_CHARS, type Listings } from "./listing.ts";

const text = (most: number): z.ZodString => z.string().max(most);

/** Keys of one page, and folders. */
const MAX_ENTRIES = 1000;

export const listingsPower: PackPower<"listings", Listings> = definePower<"listings", Listings>({
  name: "listings",
  runsIn: "sandbox",
  calls: {
    read: [
      z.strictObject({ xml: z.string() }),
      z.strictObject({
        error: text(60).optional(),
        objects: z
          .array(z.strictObject({ key: text(MAX_KEY_CHARS), size: z.number(), modified: text(40), etag: text(200) }))
          .max(MAX_ENTRIES),
        folders: z.array(text(MAX_KEY_CHARS)).max(MAX_ENTRIES),
        next: text(MAX_TOKEN_CHARS).optional(),
        isCut: z.boolean().optional(),
        left: z.number(),
      }),
    ],
  },
  serve: async () => await import("./serve-listing.ts"),
  timeoutMs: 20_000,
  answerBytes: 8 * 1024 * 1024,
  memoryMb: 512,
});
