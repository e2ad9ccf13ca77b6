/**
 * A host whose speech a service writes down, and what stands for sound: bytes that begin as a format does, and a decoder that makes
 * as many seconds of them as a test says.
 */
import { openMediaHost, type MediaHost } from "./media-host.ts";
import type { SpeechService } from "./speech-service.ts";

export const OGG = "OggS\0\0 and sound";
/** Bytes of it, decoded. */
export const SECOND = 32_000;
const ALLOWED = { rules: [{ allow: "audio_transcribe" }] };

interface Given {
  readonly service: SpeechService;
  readonly transcribe?: object;
  readonly decode?: object;
  readonly more?: object;
}

export async function openSpeechHost({ service, transcribe, decode, more = ALLOWED }: Given): Promise<MediaHost> {
  const settings = {
    transcribe: { url: service.url, ...transcribe },
    ...(decode ? { decode } : {}),
  };
  return await openMediaHost(settings, more, { SPEECH_KEY: "sesame" });
}

/** A decoder of sound that has that many seconds, however much of it is asked for. */
export function decoderOf(seconds: number): object {
  const line = `left=$((${seconds} - $2)); [ $left -lt 0 ] && left=0; [ $left -gt $3 ] && left=$3; truncate -s $((left * ${SECOND})) "$1"`;
  return { program: "/bin/sh", args: ["-c", line, "sh", "{out}", "{start}", "{duration}"] };
}
