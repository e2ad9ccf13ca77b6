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
  const value = parsed(text);
  const segments = value ? fromJson(value) : (fromTimedLines(text) ?? fromWords(text));
  if (!segments) return { text: (value && plainText(value)) ?? text };
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
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const [, start, end, rest = ""] = TIMED.exec(line) ?? [];
    const last = segments.at(-1);
    // The number of a subtitle is no speech, and stands directly above its times.
    const isNumber = /^\d+$/.test(line.trim()) && TIMED.test(lines[at + 1] ?? "");
    if (start !== undefined && end !== undefined)
      segments.push({ start: secondsOf(start), end: secondsOf(end), text: rest.trim() });
    else if (last && !isNumber) last.text = `${last.text} ${line.trim()}`.trim();
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

type JsonObject = Readonly<Record<string, unknown>>;

/** `undefined` when the times of one part are not understood: no speech is left out for that. */
function fromJson(value: JsonObject): SpeechSegment[] | undefined {
  const { list, scale } = partsOf(value);
  const parts = list.map((one): SpeechSegment | undefined => {
    const offsets = isObject(one["offsets"]) ? one["offsets"] : one;
    const start = numberOf(offsets["start"] ?? offsets["from"]);
    const end = numberOf(offsets["end"] ?? offsets["to"]);
    if (start === undefined || end === undefined || typeof one["text"] !== "string") return undefined;
    return { start: start / scale, end: end / scale, text: one["text"].trim() };
  });
  const segments = parts.filter((one) => one !== undefined);
  return segments.length === 0 || segments.length < parts.length ? undefined : segments;
}

/** @returns with how many of its units a second has: whisper.cpp counts milliseconds, services count seconds */
function partsOf({ transcription, segments }: JsonObject): {
  readonly list: readonly JsonObject[];
  readonly scale: number;
} {
  const [found, scale] = Array.isArray(transcription) ? [transcription, 1000] : [segments, 1];
  return { list: Array.isArray(found) ? found.map((one) => (isObject(one) ? one : {})) : [], scale };
}

/** Some services write their numbers in quotes. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function plainText(value: JsonObject): string | undefined {
  if (typeof value["text"] === "string") return value["text"].trim();
  const said = partsOf(value).list.flatMap((one) => (typeof one["text"] === "string" ? [one["text"].trim()] : []));
  return said.length === 0 ? undefined : said.join("\n");
}

function parsed(text: string): JsonObject | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
