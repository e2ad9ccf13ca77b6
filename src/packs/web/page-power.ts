/**
 * Reading what somebody else's server sent: a page, a PDF, an image, data. Its code runs where there are no files, no network and
 * no programs, because what it parses was made by whoever wanted to.
 */
import * as z from "zod";
import { definePower, type PackPower } from "../../contract/index.ts";
import { MAX_PAGE_CHARS, type Pages } from "./page-read.ts";

const text = z.string();

const MAX_ANSWER_BYTES: number = 8 * 1024 * 1024;
/** A page of ordinary size takes a tenth of a second. Whoever waits for one has less time, and says how much. */
const TIMEOUT_MS = 60_000;

export const pagesPower: PackPower<"pages", Pages> = definePower<"pages", Pages>({
  name: "pages",
  runsIn: "sandbox",
  calls: {
    put: [
      z.strictObject({ handle: text.optional(), at: z.int().min(0), data: text }),
      z.strictObject({ handle: text.max(100) }),
    ],
    decode: [z.strictObject({ texts: z.array(text) }), z.strictObject({ texts: z.array(text) })],
    mayFetch: [z.strictObject({ robots: text, at: text, url: text }), z.strictObject({ isAllowed: z.boolean() })],
    read: [
      z.strictObject({
        body: text,
        handle: text.optional(),
        at: z.int().min(0).optional(),
        url: text,
        contentType: text,
        encoding: text,
        format: z.enum(["markdown", "text", "raw"]),
        main: z.boolean(),
      }),
      z.strictObject({
        kind: z.enum(["html", "text", "json", "pdf", "image", "binary"]),
        mime: text.max(200),
        title: text.max(1000),
        text: text.max(MAX_PAGE_CHARS),
        image: text.optional(),
        bytes: z.number(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        notes: z.array(text.max(500)).max(10),
      }),
    ],
  },
  serve: async () => await import("./serve-page.ts"),
  timeoutMs: TIMEOUT_MS,
  answerBytes: MAX_ANSWER_BYTES,
});
