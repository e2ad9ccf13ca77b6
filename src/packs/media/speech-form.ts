/**
 * The body of a request for a service that writes down speech, as OpenAI's `/v1/audio/transcriptions` takes it
 * (https://platform.openai.com/docs/api-reference/audio/createTranscription): a form with the sound as its file.
 */
import { newId } from "../../base/index.ts";

export interface SpeechForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly name: string; readonly mime: string; readonly bytes: Uint8Array };
}

/** As RFC 7578 says. Nothing in it is quoted: names, values and the type are those of this program or held to letters. */
export function encodeForm({ fields, file }: SpeechForm): { readonly contentType: string; readonly body: Buffer } {
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
