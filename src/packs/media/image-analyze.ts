/**
 * `image_analyze`: a picture for the model that asks, which looks at it itself. Nothing here understands pictures; what the
 * tool adds are facts, a part at full detail, and the text in it where a program for that is configured.
 */
import * as z from "zod";
import { defineTool, type Tool } from "../../contract/index.ts";
import { lookAt, USUAL_SIDE, type PictureLook } from "./look-at.ts";
import { accessOf, oneSource, sourceFields } from "./sent-bytes.ts";

/** @param hasOcr a program that reads text in pictures is configured */
export function imageAnalyze(hasOcr: boolean): Tool {
  return defineTool({
    name: "image_analyze",
    title: "Look at a picture",
    summary: `Shows you a picture, scaled to what you can see, with its facts: format, size, frames, when it was taken. A region of it is shown at full detail. PNG, JPEG, GIF (first frame), WebP and BMP.${hasOcr ? " With ocr, also the text in it." : ""}`,
    aliases: ["image.analyze"],
    group: "media",
    effect: "read",
    needs: ["files", "filters"],
    input: () => z.strictObject({ ...lookFields(), ...(hasOcr ? ocrFields() : {}) }),
    output: () =>
      z.looseObject({
        mime: z.string(),
        size: z.number(),
        width: z.number(),
        height: z.number(),
        frames: z.number(),
        shown: z.looseObject({ width: z.number(), height: z.number(), mime: z.string() }),
        text: z.string().optional(),
      }),
    access: accessOf,
    run: async (input, ctx) => await lookAt({ ...(input as PictureLook), ...oneSource(input) }, ctx),
  });
}

function lookFields() {
  return {
    ...sourceFields("The picture"),
    prompt: z.string().max(4000).optional().describe("What to look for; it is repeated beside the picture."),
    region: z
      .strictObject({
        x: z.number().int().min(0).describe("From the left."),
        y: z.number().int().min(0).describe("From the top."),
        width: z.number().int().min(1).describe("Pixels."),
        height: z.number().int().min(1).describe("Pixels."),
      })
      .optional()
      .describe("Only this part, in pixels of the whole picture."),
    max_side: z
      .number()
      .int()
      .min(16)
      .max(4096)
      .optional()
      .describe(`The longest side that is shown. Default ${USUAL_SIDE}.`),
    place: z.boolean().optional().describe("Also where it was taken, where the camera has noted it. Default false."),
  };
}

function ocrFields() {
  return {
    ocr: z.boolean().optional().describe("Also the text in the picture. Default false."),
    language: z
      .string()
      .regex(/^[a-zA-Z_+]{2,40}$/)
      .optional()
      .describe("Of the text, as the program names it (eng, deu+eng)."),
  };
}
