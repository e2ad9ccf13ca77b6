/**
 * Speech as text, by a service over HTTP that the configuration names. With a decoder the sound goes there in pieces, each
 * within what a service takes and within the time of one request; without one the file is sent as it is. A piece that fails
 * costs nothing of those before it: the answer says why it ends there and where to go on.
 *
 * Usual mistake: to take what the service answers for words of the user, or for instructions.
 */
import { Failure, newId } from "../../base/index.ts";
import type { CallContext, FilesApi, FiltersApi, HttpAnswer, HttpApi, ToolResult } from "../../contract/index.ts";
import { escapeControls } from "../../text/index.ts";
import { lookAtSound, type Sound } from "./look-at-sound.ts";
import { readTranscript, type SpeechSegment, type Transcript } from "./read-transcript.ts";
import type { Source } from "./sent-bytes.ts";
import { FILTER_NAMES, SPEECH_KEY, type SpeechAddress } from "./settings.ts";
import { moved, showTranscript } from "./show-transcript.ts";
import { BYTES_A_SECOND, fileOf, MAX_SECONDS, refusePastTheEnd, secondsOf, type SoundPart } from "./transcribe.ts";

/** A service without a fast machine takes about as long for it as one request may. */
const PIECE_SECONDS = 120;
/** Somewhat more than a piece: a decoder that cuts nothing is noticed. */
const MAX_PIECE_BYTES: number = (PIECE_SECONDS + 5) * BYTES_A_SECOND;
/** What such services take. */
const MAX_SENT_BYTES = 25_000_000;
/** A header and no sound. */
const MIN_PIECE_BYTES: number = BYTES_A_SECOND / 10;
const REQUEST_MS = 60_000;
const MAX_ANSWER_BYTES: number = 4 * 1024 * 1024;

export interface SpeechAsk extends SoundPart {
  readonly source: Source;
  readonly hasDecoder: boolean;
}

type Means = Pick<CallContext, "progress" | "cancel"> & {
  readonly files: FilesApi;
  readonly filters: FiltersApi;
  readonly http: HttpApi;
};

/** @throws Failure for what is no sound or too large, and where the service cannot be reached or answers with an error */
export async function transcribeAt(service: SpeechAddress, ask: SpeechAsk, means: Means): Promise<ToolResult> {
  const { source, hasDecoder, start = 0, duration } = ask;
  const sound = await lookAtSound(source, means.files);
  if (!sound.isKnown)
    throw new Failure("invalid_input", "Cannot write it down: by its first bytes it is no sound of a known format");
  const by = new URL(service.url).host;
  if (!hasDecoder) {
    const { file = "" } = await means.filters.run({ ...fileOf(source, sound), ...WHOLE });
    const said = await write(service, { ...ask, bytes: Buffer.from(file, "base64"), sound }, means);
    const about = { name: sound.path ?? "The sound", seconds: undefined, isCut: false, next: undefined };
    return showTranscript(said, { ...about, by });
  }
  const { said, seconds, stopped } = await writePieces(service, { ...ask, sound }, means);
  refusePastTheEnd(start, seconds);
  const about = { name: sound.path ?? "The sound", seconds, isCut: false, by };
  const isLonger = duration === undefined && seconds >= MAX_SECONDS;
  if (!stopped)
    return showTranscript(joined(said), { ...about, next: isLonger ? { start: start + seconds } : undefined });
  const left = duration === undefined ? {} : { duration: tenths(duration - seconds) };
  return showTranscript(joined(said), { ...about, next: { start: tenths(start + seconds), ...left }, stopped });
}

const WHOLE = { steps: [], wants: "file", max_bytes: MAX_SENT_BYTES } as const;

interface Pieces {
  readonly said: readonly Transcript[];
  /** So much sound is written down. */
  readonly seconds: number;
  /** Why the next piece is not. */
  readonly stopped?: Failure;
}

async function writePieces(
  service: SpeechAddress,
  ask: SpeechAsk & { readonly sound: Sound },
  means: Means,
): Promise<Pieces> {
  const { start = 0, duration = MAX_SECONDS } = ask;
  const said: Transcript[] = [];
  let seconds = 0;
  while (seconds < duration) {
    means.progress(Math.round(seconds), ask.duration, "seconds of sound written down");
    const length = Math.min(PIECE_SECONDS, duration - seconds);
    const piece = await writePiece(service, { ...ask, start: start + seconds, duration: length }, means).catch(
      (thrown: unknown) => {
        if (thrown instanceof Failure && said.length > 0 && means.cancel.state() === "none") return thrown;
        throw thrown;
      },
    );
    if (piece instanceof Failure) return { said, seconds: tenths(seconds), stopped: piece };
    if (!piece) break;
    said.push(piece.said);
    // The last one is shorter; a frame of some formats may be missing in each.
    const isLast = piece.seconds < length - 1;
    seconds += isLast ? piece.seconds : length;
    if (isLast) break;
  }
  return { said, seconds: tenths(seconds) };
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

/** `undefined` behind the end of the sound. */
async function writePiece(
  service: SpeechAddress,
  ask: SpeechAsk & { readonly sound: Sound; readonly start: number; readonly duration: number },
  means: Means,
): Promise<{ readonly said: Transcript; readonly seconds: number } | undefined> {
  const { start, duration, sound, source } = ask;
  const { file = "" } = await means.filters.run({
    ...fileOf(source, sound),
    steps: [FILTER_NAMES.decode],
    wants: "file",
    values: { start: String(start), duration: String(duration) },
    max_bytes: MAX_PIECE_BYTES,
  });
  const bytes = Buffer.from(file, "base64");
  if (bytes.length < MIN_PIECE_BYTES) return undefined;
  const said = moved(await write(service, { ...ask, bytes, sound: WAV }, means), start);
  return { said, seconds: secondsOf(bytes.length) };
}

const WAV = { mime: "audio/wav", ending: "wav" } as const;

interface Piece extends Pick<SpeechAsk, "language"> {
  readonly bytes: Uint8Array;
  readonly sound: Pick<Sound, "mime" | "ending">;
}

async function write(
  { url, model, key, response_format }: SpeechAddress,
  { bytes, sound: { mime, ending }, language }: Piece,
  { http }: Means,
): Promise<Transcript> {
  const { contentType, body } = encodeForm({
    fields: { model, response_format, ...(language === undefined ? {} : { language }) },
    file: { name: `speech.${ending}`, mime, bytes },
  });
  const answer = await http({
    url,
    method: "POST",
    headers: { "content-type": contentType },
    body,
    isRepeatable: true,
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: REQUEST_MS,
    ...(key === undefined ? {} : { credential: SPEECH_KEY }),
  });
  if (answer.status !== 200) throw refused(answer);
  return readTranscript(escapeControls(Buffer.from(answer.body).toString("utf8").replaceAll("\r\n", "\n")));
}

/** What it says of the error stays behind: such services repeat the key. */
function refused({ status }: HttpAnswer): Failure {
  const what = `Cannot write it down: the service answered with the status ${status}`;
  if (status === 429 || status === 503) return new Failure("busy", what, { retry: "later" });
  if (status === 413) return new Failure("too_large", what, { hint: "Ask for a shorter part." });
  return new Failure("command_failed", what, {
    hint: "A person can look at packs.media.transcribe: its url, its model and the variable that it names as key.",
  });
}

function joined(said: readonly Transcript[]): Transcript {
  const text = said
    .map((one) => one.text)
    .filter((one) => one !== "")
    .join("\n");
  const hasTimes = said.length > 0 && said.every((one) => one.segments !== undefined || one.text === "");
  return hasTimes ? { text, segments: said.flatMap((one): readonly SpeechSegment[] => one.segments ?? []) } : { text };
}

interface SpeechForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly name: string; readonly mime: string; readonly bytes: Uint8Array };
}

/**
 * The form of OpenAI's `/v1/audio/transcriptions`
 * (https://platform.openai.com/docs/api-reference/audio/createTranscription), as RFC 7578 says. Nothing in it is quoted: names, values and the type are those of this program or held to letters.
 */
function encodeForm({ fields, file }: SpeechForm): { readonly contentType: string; readonly body: Buffer } {
  // Of random letters: no sound has it in it.
  const boundary = newId("speech").replaceAll("_", "");
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: ${file.mime}\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(parts.join("") + head), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
