/**
 * What programs say who write down speech, as text with times: JSON of whisper and of services, lines with times in brackets,
 * subtitles, and words with times. What is none of these is the text itself.
 */
import { isObject } from "../../base/index.ts";

/** Seconds from the beginning of what was given. */
export interface SpeechSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Transcript {
  readonly text: string;
  /** Absent where the program tells no times. */
  readonly segments?: readonly SpeechSegment[];
}

export function readTranscript(said: string): Transcript {
  const text = said.trim();
  const segments = fromJson(text) ?? fromTimedLines(text) ?? fromWords(text);
  if (!segments) return fromPlainJson(text) ?? { text };
  return { text: segments.map((one) => one.text).join("\n"), segments };
}

/** The second up to which a line says that it has come; `undefined` for a line without a time. */
export function secondsIn(line: string): number | undefined {
  const [, stamp] = /-->\s*([\d:.,]+)/.exec(line) ?? [];
  if (stamp !== undefined) return secondsOf(stamp);
  const [, end] = WORD.exec(line) ?? [];
  return end === undefined ? undefined : Number(line.split(" ")[2]);
}

/** `[00:00:01.000 --> 00:00:04.000]  text`, and subtitles, whose text follows on lines of its own. */
const TIMED = /^\[?((?:\d+:)?\d\d:\d\d[.,]\d{3})\s*-->\s*((?:\d+:)?\d\d:\d\d[.,]\d{3})\]?[ \t]*(.*)$/;

function fromTimedLines(text: string): SpeechSegment[] | undefined {
  const segments: { start: number; end: number; text: string }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, start, end, rest = ""] = TIMED.exec(line) ?? [];
    const last = segments.at(-1);
    if (start !== undefined && end !== undefined)
      segments.push({ start: secondsOf(start), end: secondsOf(end), text: rest.trim() });
    else if (last && !/^\d*$/.test(line.trim())) last.text = `${last.text} ${line.trim()}`.trim();
  }
  const spoken = segments.filter((one) => one.text !== "");
  return segments.length === 0 ? undefined : spoken;
}

function secondsOf(stamp: string): number {
  return stamp
    .replace(",", ".")
    .split(":")
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** `forward 0.640 1.160 0.996207` */
const WORD = /^\S+ (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/;

/** A line of text, and below it its words with their times, as pocketsphinx has them. */
function fromWords(text: string): SpeechSegment[] | undefined {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => WORD.test(line))) return undefined;
  const segments: { start: number; end: number; text: string }[] = [];
  let spoken: { start: number; end: number; text: string } | undefined;
  for (const line of lines) {
    if (!WORD.test(line)) {
      spoken = { start: Infinity, end: 0, text: line.trim() };
      if (spoken.text !== "") segments.push(spoken);
      continue;
    }
    const [word = "", start, end] = line.split(" ");
    // What stands in brackets is no speech.
    if (!spoken || /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/.test(word)) continue;
    spoken.start = Math.min(spoken.start, Number(start));
    spoken.end = Math.max(spoken.end, Number(end));
  }
  return segments.map((one) => (one.start === Infinity ? { ...one, start: one.end } : one));
}

function fromJson(text: string): SpeechSegment[] | undefined {
  const value = parsed(text);
  if (!value) return undefined;
  // whisper.cpp counts milliseconds, services count seconds.
  const [list, scale] = Array.isArray(value["transcription"]) ? [value["transcription"], 1000] : [value["segments"], 1];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return list.filter(isObject).flatMap((one) => {
    const offsets = isObject(one["offsets"]) ? one["offsets"] : one;
    const start = offsets["start"] ?? offsets["from"];
    const end = offsets["end"] ?? offsets["to"];
    if (typeof start !== "number" || typeof end !== "number" || typeof one["text"] !== "string") return [];
    return [{ start: start / scale, end: end / scale, text: one["text"].trim() }];
  });
}

function fromPlainJson(text: string): Transcript | undefined {
  const said = parsed(text)?.["text"];
  return typeof said === "string" ? { text: said.trim() } : undefined;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
