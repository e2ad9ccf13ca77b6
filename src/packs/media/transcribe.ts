/**
 * Speech as text, by a program of the configuration. Sound of any format goes through the decoder first, where there is one: two
 * programs of their own, so that what parses foreign bytes reaches nothing but them.
 */
import { Failure, limits } from "../../base/index.ts";
import type { CallContext, FilesApi, FiltersApi, ToolResult } from "../../contract/index.ts";
import { escapeControls } from "../../text/index.ts";
import { lookAtSound, type Sound } from "./look-at-sound.ts";
import { readTranscript, secondsIn } from "./read-transcript.ts";
import type { Source } from "./sent-bytes.ts";
import { FILTER_NAMES } from "./settings.ts";
import { moved, showTranscript } from "./show-transcript.ts";

export const MAX_SECONDS: number = 2 * 60 * 60;
/** A WAV as the decoder makes it has 16 kHz, one channel, two bytes. */
export const BYTES_A_SECOND = 32_000;

/** Which part of the sound is wanted, in seconds, and in which language it is. */
export interface SoundPart {
  readonly language?: string | undefined;
  readonly start?: number | undefined;
  readonly duration?: number | undefined;
}

export interface TranscribeAsk extends SoundPart {
  readonly source: Source;
  readonly hasDecoder: boolean;
}

type Means = Pick<CallContext, "progress"> & { readonly files: FilesApi; readonly filters: FiltersApi };

/** @throws Failure for what is no sound, is too long or too large, a start past the end, and those of the programs */
export async function transcribe(ask: TranscribeAsk, { files, filters, progress }: Means): Promise<ToolResult> {
  const { source, hasDecoder, start = 0, duration } = ask;
  const sound = await lookAtSound(source, files);
  const isDecoded = hasDecoder && sound.isKnown;
  if (!isDecoded && (start > 0 || duration !== undefined)) throw noPart();
  progress(0, undefined, isDecoded ? "decoding" : "writing down");
  const answer = await filters.run(
    {
      ...fileOf(source, sound),
      steps: isDecoded ? [FILTER_NAMES.decode, FILTER_NAMES.transcribe] : [FILTER_NAMES.transcribe],
      values: valuesOf(ask),
      max_bytes: limits.MAX_FILTER_BYTES,
    },
    (line, { name, input_bytes }) => {
      const done = name === FILTER_NAMES.transcribe ? secondsIn(line) : undefined;
      if (done === undefined) return;
      const total = isDecoded ? Math.round(secondsOf(input_bytes)) : undefined;
      progress(Math.round(done), total, "seconds of sound written down");
    },
  );
  const seconds = isDecoded ? secondsOf(answer.input_bytes) : undefined;
  refusePastTheEnd(start, seconds);
  const said = escapeControls(answer.text.replaceAll("\r\n", "\n"));
  const isLonger = seconds !== undefined && duration === undefined && seconds >= MAX_SECONDS;
  const next = isLonger ? { start: start + seconds } : undefined;
  const about = { name: sound.path ?? "The sound", seconds, isCut: answer.cut, next };
  return showTranscript(moved(readTranscript(said), start), about);
}

export function fileOf(
  { path, data }: Source,
  { ending }: Pick<Sound, "ending">,
): { path: string } | { data: string; ending: string } {
  return path === undefined ? { data: data ?? "", ending } : { path };
}

/** What is longer than the most is written down in parts. */
function valuesOf({ language, start = 0, duration }: TranscribeAsk): Record<string, string> {
  return {
    start: String(start),
    duration: String(duration ?? MAX_SECONDS),
    ...(language === undefined ? {} : { language }),
  };
}

export function secondsOf(bytes: number): number {
  return Math.round((bytes / BYTES_A_SECOND) * 10) / 10;
}

/** @throws Failure where the part of the sound that was asked for has none of it */
export function refusePastTheEnd(start: number, seconds: number | undefined): void {
  if (start === 0 || seconds !== 0) return;
  throw new Failure("invalid_input", `Cannot write it down from second ${start} on: the sound ends before it`, {
    hint: "Use a smaller start.",
  });
}

function noPart(): Failure {
  return new Failure("invalid_input", "Cannot take a part of it: by its first bytes it is no sound that is decoded", {
    hint: "Leave start and duration out.",
  });
}
