/**
 * `audio_transcribe`: speech as text with times, by the program that the configuration names.
 */
import * as z from "zod";
import { defineTool, type Tool } from "../../contract/index.ts";
import { accessOf, oneSource, sourceFields } from "./sent-bytes.ts";
import type { MediaSettings } from "./settings.ts";
import { MAX_SECONDS, transcribe } from "./transcribe.ts";

const MAX_CALL_MS: number = 5 * 60 * 60 * 1000;

export function audioTranscribe({ decode }: Pick<MediaSettings, "decode">): Tool {
  const hasDecoder = decode !== undefined;
  return defineTool({
    name: "audio_transcribe",
    title: "Write down speech",
    summary: `Writes down what is said in a sound file, with times. Up to 2 hours and 512 MB by path, or 10 MB as data.${hasDecoder ? " start and duration choose a part." : ""} A long file takes long: progress tells how far it is.`,
    aliases: ["audio.transcribe"],
    group: "media",
    effect: "read",
    timeoutMs: MAX_CALL_MS,
    needs: ["files", "filters"],
    input: () =>
      z.strictObject({
        ...sourceFields("The sound file"),
        language: z
          .string()
          .regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z]{2,4})?$/)
          .optional()
          .describe("Of the speech (en, de). Default: what the program takes for usual."),
        ...(hasDecoder ? partFields() : {}),
      }),
    output: () =>
      z.looseObject({
        text: z.string(),
        segments: z.array(z.looseObject({ start: z.number(), end: z.number(), text: z.string() })).optional(),
        seconds: z.number().optional(),
      }),
    access: accessOf,
    run: async (input, ctx) => await transcribe({ ...partOf(input), source: oneSource(input), hasDecoder }, ctx),
  });
}

function partFields() {
  return {
    start: z.number().min(0).max(1_000_000).optional().describe("Where to begin, in seconds."),
    duration: z.number().min(0.1).max(MAX_SECONDS).optional().describe("How much of it, in seconds."),
  };
}

/** Where there is no decoder, the schema has no part. */
function partOf(input: object): { start?: number; duration?: number; language?: string } {
  const { start, duration, language } = input as { start?: number; duration?: number; language?: string };
  return {
    ...(start === undefined ? {} : { start }),
    ...(duration === undefined ? {} : { duration }),
    ...(language === undefined ? {} : { language }),
  };
}
