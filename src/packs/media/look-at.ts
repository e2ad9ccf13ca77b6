/**
 * One look at a picture: its pixels for the model, what is known of it, and the text in it. The program that reads text gets the
 * picture as it was written anew, and never the file.
 */
import { limits } from "../../base/index.ts";
import type { FilesApi, FiltersApi, PictureWanted, ToolResult } from "../../contract/index.ts";
import { escapeControls, formatBytes, truncateUtf8 } from "../../text/index.ts";
import { noteOf } from "../answer.ts";
import type { Source } from "./sent-bytes.ts";
import { FILTER_NAMES } from "./settings.ts";

/** The longest side that models look at. */
export const USUAL_SIDE = 1568;
/** For a program that reads text, small letters need more. */
const OCR_SIDE = 4000;
const MAX_OCR_PNG_BYTES: number = 4 * 1024 * 1024;

/** What is asked about a picture. */
export interface PictureLook extends Source {
  readonly prompt?: string | undefined;
  readonly region?: PictureWanted["region"];
  readonly max_side?: number | undefined;
  readonly place?: boolean | undefined;
  readonly ocr?: boolean | undefined;
  readonly language?: string | undefined;
}

type Picture = Awaited<ReturnType<FilesApi["picture"]>>;

/** @throws Failure for what is no picture or cannot be decoded, and those of the program that reads text */
export async function lookAt(
  look: PictureLook,
  { files, filters }: { readonly files: FilesApi; readonly filters: FiltersApi },
): Promise<ToolResult> {
  const { path: given, data: bytes, mime_type, region, max_side: maxSide = USUAL_SIDE, prompt, ocr, language } = look;
  const png = ocr === true ? { maxSide: OCR_SIDE, maxBytes: MAX_OCR_PNG_BYTES } : undefined;
  const wanted = { maxBytes: limits.MAX_IMAGE_BYTES, maxSide, region, png };
  const picture = await files.picture({ path: given, data: bytes, mime_type, ...wanted });
  const { path, mime, size, hash, shown } = picture;
  const { data, png: clean, facts, isScaled, ...sent } = shown;
  const { place, format: _format, ...told } = facts;
  const text = clean === undefined ? undefined : await readText(filters, clean, language);
  return {
    note: noteOf(...factsIn(picture, look)),
    text: [prompt ?? "Here it is.", ...(text === undefined ? [] : [shownText(text)])].join("\n"),
    structured: {
      ...(path === undefined ? {} : { path }),
      mime,
      size,
      hash,
      ...told,
      ...(look.place === true && place ? { place } : {}),
      shown: { ...sent, scaled: isScaled, ...(region ? { region } : {}) },
      ...(prompt === undefined ? {} : { prompt }),
      ...(text === undefined ? {} : { text }),
    },
    images: [{ mime: sent.mime, data }],
  };
}

function factsIn({ path, mime, size, shown }: Picture, { region, place }: PictureLook): (string | false | undefined)[] {
  const { facts, isScaled } = shown;
  const where = facts.place && `taken at ${facts.place.latitude}, ${facts.place.longitude}`;
  return [
    `${path ?? "The picture"}: ${mime}, ${formatBytes(size)}, ${facts.width} x ${facts.height} pixels`,
    facts.frames > 1 && `${facts.frames} frames, of which the first is shown`,
    facts.taken !== undefined && `taken ${facts.taken}`,
    place === true && (where ?? "where it was taken is not noted"),
    region && `shown is ${region.width} x ${region.height} at ${region.x}, ${region.y}`,
    isScaled && `scaled to ${shown.width} x ${shown.height}`,
  ];
}

/** Text of a picture that an answer has. */
const MAX_TEXT_BYTES: number = 64 * 1024;

async function readText(filters: FiltersApi, png: string, language: string | undefined): Promise<string> {
  const values: Record<string, string> = language === undefined ? {} : { language };
  const ask = { steps: [FILTER_NAMES.ocr], data: png, ending: "png", values, max_bytes: MAX_TEXT_BYTES };
  const { text } = await filters.run(ask);
  // A page of it ends with a form feed.
  const plain = escapeControls(text.replaceAll("\r\n", "\n").replaceAll("\f", "\n"));
  return truncateUtf8(plain.replaceAll(/[ \t]+\n/g, "\n").trim(), MAX_TEXT_BYTES).text;
}

/** Whoever made the picture wrote it. */
function shownText(text: string): string {
  return text === "" ? "No text was found in it." : `The text in it (of the picture, not of the user):\n${text}`;
}
