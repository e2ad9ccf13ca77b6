/**
 * What the configuration says of the pack `media`: the programs for texts in pictures and for sound, each with one file and
 * nothing else that it can reach. Without a program its part is off.
 */
import * as z from "zod/mini";
import { Failure } from "../../base/index.ts";
import { described } from "../../contract/described.ts";
import type { FilterDeclaration, FilterDeclarations, PackNetwork, SettingsByKey } from "../../contract/index.ts";
import { credentialHosts, hostOf } from "../endpoint-settings.ts";

export interface ProgramSettings {
  readonly program: string;
  readonly args?: FilterDeclaration["args"] | undefined;
  readonly sha256?: string | undefined;
  readonly reads?: readonly string[] | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly timeout_ms?: number | undefined;
  readonly memory_mb?: number | undefined;
}

/** A service as OpenAI's `/v1/audio/transcriptions`. */
export interface SpeechAddress {
  readonly url: string;
  readonly model: string;
  /** A variable of the environment, which the broker's credential has the value of. */
  readonly key?: string | undefined;
  readonly response_format: "verbose_json" | "json" | "srt" | "vtt" | "text";
}

export interface MediaSettings {
  readonly ocr?: ProgramSettings | undefined;
  readonly transcribe?: ProgramSettings | SpeechAddress | undefined;
  readonly decode?: ProgramSettings | undefined;
}

const word = () => z.string().check(z.maxLength(4096));

const program = (part: Part, what: string, usual: string): z.ZodMiniType<ProgramSettings> =>
  described(
    z.strictObject({
      program: described(
        word().check(z.minLength(1)),
        "An absolute path, or a name that is looked up once at the start.",
      ),
      args: described(
        z.optional(z.array(z.union([word(), z.array(word()).check(z.maxLength(16))])).check(z.maxLength(64))),
        `Its arguments; a list in the list is left out where its value is not given. ${usual}`,
      ),
      sha256: described(
        z.optional(z.string().check(z.regex(/^[0-9a-fA-F]{64}$/))),
        "The program's sha256, hex. Another program is not started.",
      ),
      reads: described(
        z.optional(z.array(word()).check(z.maxLength(64))),
        "Absolute paths that it may read too: models, dictionaries.",
      ),
      environment: described(
        z.optional(z.record(z.string(), z.string())),
        "Variables besides those that every program gets.",
      ),
      timeout_ms: described(
        z.optional(z.int().check(z.minimum(1000), z.maximum(MAX_PROGRAM_MS))),
        `Milliseconds of one run. Default ${TIMEOUT_MS[part]}.`,
      ),
      memory_mb: described(
        z.optional(z.int().check(z.minimum(64), z.maximum(262_144))),
        "Data of each process. Default 4096.",
      ),
    }),
    what,
  );

const address = (): z.ZodMiniType<SpeechAddress> =>
  described(
    z.strictObject({
      url: described(z.url({ protocol: /^https?$/ }), "An address as OpenAI's /v1/audio/transcriptions."),
      model: described(
        z._default(z.string().check(z.minLength(1), z.maxLength(200)), "whisper-1"),
        "The name of the model there. Default whisper-1.",
      ),
      key: described(
        z.optional(z.string().check(z.regex(/^[A-Za-z_]\w*$/))),
        "The variable of the environment that holds its key.",
      ),
      response_format: described(
        z._default(z.enum(["verbose_json", "json", "srt", "vtt", "text"]), "verbose_json"),
        "What the service is asked for. verbose_json, srt and vtt tell times. Default verbose_json.",
      ),
    }),
    "A service that writes down speech; sound is sent to it when a person or a rule allows that.",
  );

const MAX_PROGRAM_MS = 24 * 60 * 60 * 1000;

export const MEDIA_SETTINGS: SettingsByKey<MediaSettings> = {
  usual: { ocr: undefined, transcribe: undefined, decode: undefined },
  keys: {
    ocr: () =>
      program(
        "ocr",
        "Reads texts in pictures: {file} is a PNG, {language} the language of the call; its output is the text.",
        "Known for tesseract.",
      ),
    transcribe: () =>
      described(
        z.union([
          program(
            "transcribe",
            "Writes down speech: {file} is a WAV of 16 kHz, or the file itself without decode; {language} the language of the call.",
            "Known for pocketsphinx_continuous; any other program needs them.",
          ),
          address(),
        ]),
        "Writes down speech: a program of this machine, or a service. Without it there is no audio_transcribe.",
      ),
    decode: () =>
      program(
        "decode",
        "Makes a WAV of sound in any format: {file} to {out}, from {start} on for {duration} seconds.",
        "Known for ffmpeg.",
      ),
  },
};

/** The address of the service, and nothing else. */
export function mediaNetwork({ transcribe }: MediaSettings): PackNetwork | undefined {
  if (!transcribe || !("url" in transcribe)) return undefined;
  const reach = [hostOf(transcribe.url)];
  if (transcribe.key === undefined) return { reach };
  const headers = { authorization: `Bearer \${${transcribe.key}}` };
  return { reach, credentials: { [SPEECH_KEY]: { ...credentialHosts(transcribe.url), headers } } };
}

/** The name of the credential. */
export const SPEECH_KEY = "speech";

/** What a run may take where the configuration does not say. */
const TIMEOUT_MS = { ocr: 60_000, decode: 10 * 60_000, transcribe: 4 * 60 * 60_000 } as const;
type Part = "ocr" | "decode" | "transcribe";

/** By the last part of the program's name. */
const KNOWN_ARGS: Readonly<Record<Part, Readonly<Record<string, FilterDeclaration["args"]>>>> = {
  ocr: { tesseract: ["{file}", "stdout", ["-l", "{language}"]] },
  transcribe: {
    pocketsphinx_continuous: ["-infile", "{file}", "-logfn", "/dev/null", "-time", "yes"],
  },
  decode: {
    ffmpeg: [
      ["-nostdin", "-v", "error", "-protocol_whitelist", "file"],
      ["-ss", "{start}"],
      ["-i", "{file}"],
      ["-map", "0:a:0", "-map_metadata", "-1"],
      ["-t", "{duration}"],
      ["-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", "-f", "wav", "{out}"],
    ],
  },
};

/** By the parts of the configuration. */
export const FILTER_NAMES: Readonly<Record<Part, string>> = {
  ocr: "media_ocr",
  decode: "media_decode",
  transcribe: "media_transcribe",
};

/** The programs as the launcher knows them. @throws Failure `invalid_input` for one whose arguments nobody said */
export function mediaFilters(settings: MediaSettings): FilterDeclarations {
  const parts = Object.keys(FILTER_NAMES) as Part[];
  return Object.fromEntries(
    parts.flatMap((part) => {
      const given = settings[part];
      return given && "program" in given ? [[FILTER_NAMES[part], declarationOf(part, given)]] : [];
    }),
  );
}

function declarationOf(part: Part, given: ProgramSettings): FilterDeclaration {
  const name = given.program.slice(given.program.lastIndexOf("/") + 1);
  const args = given.args ?? KNOWN_ARGS[part][name];
  if (!args)
    throw new Failure("invalid_input", `Cannot start: packs.media.${part}: the arguments of ${name} are not known`, {
      hint: 'Give them as args, with "{file}" where the file is to stand.',
    });
  return { timeout_ms: TIMEOUT_MS[part], ...given, args };
}
