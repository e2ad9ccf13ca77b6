/**
 * What a caller has sent to be written down, by its first bytes: sound of a format that is known, samples without a header, or
 * plainly something else. A file is read under the rules of the call, which the scope of a program does not know.
 */
import { Failure, unwrapBase64 } from "../../base/index.ts";
import type { FilesApi } from "../../contract/index.ts";
import { differsFromClaim, sniffType } from "../../text/index.ts";
import type { Source } from "./sent-bytes.ts";

const MAX_FILE_BYTES: number = 512 * 1024 * 1024;
const HEAD_BYTES = 4096;
/** Samples without a header have no signature. */
const UNKNOWN = "application/octet-stream";

const ENDINGS: Readonly<Record<string, string>> = {
  "audio/wav": "wav",
  "audio/mpeg": "mpeg",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/mp4": "mp4",
  "video/mp4": "mp4",
  "video/x-matroska": "webm",
};

export interface Sound {
  readonly path?: string;
  /** The first bytes are those of a format with sound. */
  readonly isKnown: boolean;
  readonly mime: string;
  readonly ending: string;
}

/** @throws Failure `too_large`, `invalid_input` for what is plainly no sound, and those of reading */
export async function lookAtSound({ path, data, mime_type }: Source, files: FilesApi): Promise<Sound> {
  const { head, ...found } = path === undefined ? headOfData(data ?? "") : await headOfFile(path, files);
  const { mime } = sniffType(head, "");
  if (mime_type !== undefined && mime !== UNKNOWN && differsFromClaim(mime, mime_type))
    throw new Failure("invalid_input", `Cannot take it for ${mime_type}: by its first bytes it is ${mime}`);
  const isKnown = /^(?:audio|video)\//.test(mime);
  const isRaw = mime === UNKNOWN;
  if (!isKnown && !isRaw)
    throw new Failure("invalid_input", `Cannot write it down: by its first bytes it is ${mime}, and no sound`);
  return { ...found, isKnown, mime, ending: isKnown ? (ENDINGS[mime] ?? "bin") : "raw" };
}

function headOfData(data: string): { head: Buffer } {
  const head = Buffer.from((unwrapBase64(data) ?? "").slice(0, HEAD_BYTES), "base64");
  if (head.length > 0) return { head };
  throw new Failure("invalid_input", "Cannot read what was sent: data is not base64");
}

async function headOfFile(path: string, files: FilesApi): Promise<{ head: Buffer; path: string }> {
  const read = await files.read({ path, encoding: "base64", limit: HEAD_BYTES });
  if (read.kind !== "base64") throw new Error(`bytes were asked for, and it is ${read.kind}`);
  if (read.size > MAX_FILE_BYTES)
    throw new Failure("too_large", `Cannot write down "${path}": ${read.size} bytes are more than ${MAX_FILE_BYTES}`, {
      hint: "Convert it to a smaller one first, where a command for that is declared.",
    });
  return { head: Buffer.from(read.data, "base64"), path: read.path };
}
