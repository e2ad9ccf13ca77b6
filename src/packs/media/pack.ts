/**
 * Pictures, sound and files for the person. Pictures are decoded in a process that reaches nothing, sound and texts in pictures
 * are read by programs that the configuration names; a part without its program is off, and says so.
 */
import { definePack, type Pack } from "../../contract/index.ts";
import { audioTranscribe } from "./audio-transcribe.ts";
import { imageAnalyze } from "./image-analyze.ts";
import { mediaSend } from "./media-send.ts";
import { picturesPower } from "./pictures.ts";
import { MEDIA_PLAN } from "../plans.ts";

export const mediaPack: Pack = definePack({
  ...MEDIA_PLAN,
  tools: (settings) => [
    imageAnalyze(settings.ocr !== undefined),
    mediaSend,
    ...(settings.transcribe ? [audioTranscribe(settings.transcribe, settings.decode !== undefined)] : []),
  ],
  powers: [picturesPower],
  doctor: ({ ocr, transcribe, decode }) => [
    ...(ocr ? [] : ["text in pictures is not read: no program for ocr is configured"]),
    ...(transcribe ? [] : ["audio_transcribe is off: no program for transcribe is configured"]),
    ...(transcribe && "url" in transcribe
      ? [`sound is sent to ${transcribe.model} at ${new URL(transcribe.url).host}`]
      : []),
    ...(transcribe && !decode ? ["sound is given on as it is: no program for decode is configured"] : []),
  ],
});
