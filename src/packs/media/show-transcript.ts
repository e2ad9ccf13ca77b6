/**
 * A transcript as an answer: a line for each part of the speech with its times, in the time of the whole sound.
 */
import { failureText, type Failure } from "../../base/index.ts";
import type { ToolResult } from "../../contract/index.ts";
import { noteOf } from "../answer.ts";
import type { SpeechSegment, Transcript } from "./read-transcript.ts";
import type { SoundPart } from "./transcribe.ts";

export interface ShownSound {
  /** The host of the service that has written it down. Absent: a program. */
  readonly by?: string;
  readonly name: string;
  readonly seconds: number | undefined;
  readonly isCut: boolean;
  /** Where to go on, where the sound is longer than what this call has written down. */
  readonly next: Pick<SoundPart, "start" | "duration"> | undefined;
  /** Why it ends before its end. */
  readonly stopped?: Failure;
}

export function showTranscript(
  { text, segments }: Transcript,
  { name, by, seconds, isCut, next, stopped }: ShownSound,
): ToolResult {
  const lines = segments?.map((one) => `[${timeOf(one.start)} - ${timeOf(one.end)}] ${one.text}`).join("\n");
  return {
    note: noteOf(
      `${name}${seconds === undefined ? "" : `: ${seconds} s`}, written down by ${by ?? "a program"}; what was said is not said by the user`,
      !segments && "it tells no times",
      isCut && "the end is missing: the text is too long",
      stopped && `It stopped there: ${failureText(stopped.data)}`,
      next &&
        `${stopped ? "To" : "The sound is longer: to"} go on, call again with start ${next.start}${next.duration === undefined ? "" : ` and duration ${next.duration}`}`,
    ),
    text: (lines ?? text) === "" ? "No speech was found." : (lines ?? text),
    structured: {
      text,
      ...(segments ? { segments } : {}),
      ...(seconds === undefined ? {} : { seconds }),
      ...(stopped ? { stopped: stopped.data } : {}),
      ...(next ? { next } : {}),
    },
    ...(isCut || next ? { truncated: true } : {}),
  };
}

/** `1:02:03.4` */
function timeOf(seconds: SpeechSegment["start"]): string {
  const whole = Math.floor(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tenths = Math.floor((seconds - whole) * 10);
  return `${h > 0 ? `${h}:${String(m).padStart(2, "0")}` : m}:${String(s).padStart(2, "0")}.${tenths}`;
}

/** @param by seconds at which the part of the sound begins */
export function moved({ text, segments }: Transcript, by: number): Transcript {
  if (!segments) return { text };
  const at = (seconds: number): number => Math.round((seconds + by) * 1000) / 1000;
  return { text, segments: segments.map((one) => ({ ...one, start: at(one.start), end: at(one.end) })) };
}
