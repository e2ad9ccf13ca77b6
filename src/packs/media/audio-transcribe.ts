/**
 * `audio_transcribe`: speech as text with times, by what the configuration names. A program on this machine reaches nothing but the
 * sound, so the tool reads; a service gets the sound, which leaves the machine, so that tool reaches the network and is asked about.
 */
import * as z from "zod";
import { defineTool, type Tool } from "../../contract/index.ts";
import { formatBytes } from "../../text/index.ts";
import { accessOf, oneSource, sourceFields, type Source } from "./sent-bytes.ts";
import type { ProgramSettings, SpeechAddress } from "./settings.ts";
import { transcribeAt } from "./transcribe-at.ts";
import { MAX_SECONDS, transcribe, type SoundPart } from "./transcribe.ts";

const MAX_CALL_MS: number = 5 * 60 * 60 * 1000;

export function audioTranscribe(by: ProgramSettings | SpeechAddress, hasDecoder: boolean): Tool {
  return "url" in by ? byService(by, hasDecoder) : byProgram(hasDecoder);
}

const ABOUT = {
  name: "audio_transcribe",
  title: "Write down speech",
  aliases: ["audio.transcribe"],
  group: "media",
  timeoutMs: MAX_CALL_MS,
} as const;

function byProgram(hasDecoder: boolean): Tool {
  return defineTool({
    ...ABOUT,
    summary: `Writes down what is said in a sound file, with times. Up to 2 hours and 512 MB by path, or 10 MB as data.${partSummary(hasDecoder)} A long file takes long: progress tells how far it is.`,
    effect: "read",
    needs: ["files", "filters"],
    input: () => inputOf(hasDecoder),
    output: outputOf,
    access: accessOf,
    run: async (input, ctx) => await transcribe({ ...partOf(input), source: oneSource(input), hasDecoder }, ctx),
  });
}

function byService(service: SpeechAddress, hasDecoder: boolean): Tool {
  const { url, model } = service;
  const { host } = new URL(url);
  const size = hasDecoder ? "Up to 2 hours and 512 MB by path" : "Up to 25 MB by path";
  return defineTool({
    ...ABOUT,
    summary: `Writes down what is said in a sound file, with times where the service tells them. ${size}, or 10 MB as data.${partSummary(hasDecoder)} The sound is sent to ${host}, which a person may be asked about.`,
    effect: "reach",
    asked: "proposal",
    needs: ["files", "filters", "http"],
    input: () => inputOf(hasDecoder),
    output: outputOf,
    access: (input) => [...accessOf(input), { kind: "url", url, method: "POST" }],
    preview: (input) => ({
      summary: `Send ${input.path ?? "sound"} to ${host} to be written down, which cannot be undone`,
      diff: [`POST ${url}`, `model: ${model}`, ...partLines(input), soundLine(oneSource(input))].join("\n"),
      paths: input.path === undefined ? [] : [input.path],
    }),
    run: async (input, ctx) =>
      await transcribeAt(service, { ...partOf(input), source: oneSource(input), hasDecoder }, ctx),
  });
}

const outputOf = () =>
  z.looseObject({
    text: z.string(),
    segments: z.array(z.looseObject({ start: z.number(), end: z.number(), text: z.string() })).optional(),
    seconds: z.number().optional(),
  });

function inputOf(hasDecoder: boolean) {
  return z.strictObject({
    ...sourceFields("The sound file"),
    language: z
      .string()
      .regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z]{2,4})?$/)
      .optional()
      .describe("Of the speech (en, de). Default: what the program takes for usual."),
    ...(hasDecoder ? partFields() : {}),
  });
}

function partSummary(hasDecoder: boolean): string {
  return hasDecoder ? " start and duration choose a part." : "";
}

function partFields() {
  return {
    start: z.number().min(0).max(1_000_000).optional().describe("Where to begin, in seconds."),
    duration: z.number().min(0.1).max(MAX_SECONDS).optional().describe("How much of it, in seconds."),
  };
}

/** Where there is no decoder, the schema has no part. */
function partOf(input: object): SoundPart {
  const { start, duration, language } = input as SoundPart;
  return {
    ...(start === undefined ? {} : { start }),
    ...(duration === undefined ? {} : { duration }),
    ...(language === undefined ? {} : { language }),
  };
}

function partLines(input: object): string[] {
  return Object.entries(partOf(input)).map(([name, value]) => `${name}: ${value}`);
}

function soundLine({ path, data = "" }: Source): string {
  return `file: ${path ?? `${formatBytes(Buffer.byteLength(data, "base64"))} that came with the call`}`;
}
