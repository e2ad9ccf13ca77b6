/**
 * The power that decodes pictures, in a process that has neither files nor a network: whoever made a picture knows the faults of
 * decoders better than we do. The tools have it through `ctx.files`, because what they show is in files; the host asks for it
 * wherever a launcher can start its process, whether the pack `media` is on or not.
 */
import * as z from "zod";
import { limits } from "../../base/index.ts";
import { definePower, type PackPower, type PictureWanted, type ShownPicture } from "../../contract/index.ts";

/** A question is a line, so what is larger than one comes before it in parts. */
export interface Pictures {
  /** A part of a picture that begins at that byte. They come in their order. */
  put(ask: { id: string; at: number; data: string }): Promise<{ bytes: number }>;
  show(ask: { id?: string | undefined; data?: string | undefined; wanted: PictureWanted }): Promise<ShownPicture>;
}

const side = () => z.number().int().min(1).max(65_535);
const place = () => z.number().int().min(0).max(65_535);

const wanted = () =>
  z.strictObject({
    maxBytes: z.number().int().min(1),
    maxSide: side().optional(),
    region: z.strictObject({ x: place(), y: place(), width: side(), height: side() }).optional(),
    png: z.strictObject({ maxBytes: z.number().int().min(1), maxSide: side() }).optional(),
  });

const size = () => ({ width: z.number().int().min(1), height: z.number().int().min(1) });
const shown = () =>
  z.strictObject({
    mime: z.enum(["image/png", "image/jpeg", "image/webp"]),
    data: z.base64(),
    ...size(),
    isScaled: z.boolean(),
    png: z.base64().optional(),
    facts: z.strictObject({
      format: z.enum(["png", "jpeg", "gif", "webp", "bmp"]),
      ...size(),
      frames: z.number().int().min(1),
      orientation: z.number().int().min(1).max(8).optional(),
      taken: z
        .string()
        .regex(/^[\d: -]{19}$/)
        .optional(),
      place: z
        .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
        .optional(),
    }),
  });

export const picturesPower: PackPower<"pictures", Pictures> = definePower<"pictures", Pictures>({
  name: "pictures",
  runsIn: "sandbox",
  calls: {
    // Made when a picture is first shown: every host loads this file.
    put: [
      z.lazy(() => z.strictObject({ id: z.string(), at: z.number().int().min(0), data: z.string() })),
      z.lazy(() => z.strictObject({ bytes: z.number() })),
    ],
    show: [
      z.lazy(() => z.strictObject({ id: z.string().optional(), data: z.string().optional(), wanted: wanted() })),
      z.lazy(shown),
    ],
  },
  serve: async () => await import("./serve-pictures.ts"),
  timeoutMs: limits.PICTURE_MS,
  answerBytes: limits.MAX_UPSTREAM_LINE_BYTES,
  memoryMb: limits.PICTURE_MEMORY_MB,
});
