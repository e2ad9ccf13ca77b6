/**
 * The few notes of a camera that help to understand a picture: how it was held, when it was taken, and where, which is told
 * only to who asks for it. A broken note is no note: pictures are shown without.
 */
import { Failure } from "../base/index.ts";
import type { PictureBytes } from "./picture-bytes.ts";

export interface CameraNotes {
  /** 1 to 8, as EXIF counts: 1 is upright. */
  readonly orientation?: number | undefined;
  /** As the camera wrote it, in its own time: `2024-05-01 12:30:00`. */
  readonly taken?: string | undefined;
  /** Degrees; south and west are negative. */
  readonly place?: { readonly latitude: number; readonly longitude: number } | undefined;
}

const TAGS = { orientation: 0x0112, dateTime: 0x0132, exifPart: 0x8769, gpsPart: 0x8825, original: 0x9003 } as const;
/** Entries of one directory that are looked at; cameras write some fifty. */
const MAX_ENTRIES = 512;

export function readExif(exif: PictureBytes | undefined): CameraNotes {
  if (!exif) return {};
  try {
    const tiff = openTiff(exif);
    if (!tiff) return {};
    const first = directoryAt(tiff, tiff.picture.u32(4, tiff.little));
    const orientation = numberOf(tiff, first.get(TAGS.orientation));
    const exifPart = numberOf(tiff, first.get(TAGS.exifPart));
    const own = exifPart === undefined ? undefined : directoryAt(tiff, exifPart);
    const taken = dateOf(tiff, own?.get(TAGS.original)) ?? dateOf(tiff, first.get(TAGS.dateTime));
    const gpsPart = numberOf(tiff, first.get(TAGS.gpsPart));
    const place = gpsPart === undefined ? undefined : placeOf(tiff, directoryAt(tiff, gpsPart));
    return {
      ...(orientation !== undefined && orientation >= 1 && orientation <= 8 ? { orientation } : {}),
      ...(taken === undefined ? {} : { taken }),
      ...(place === undefined ? {} : { place }),
    };
  } catch (thrown) {
    if (thrown instanceof Failure) return {};
    throw thrown;
  }
}

interface Tiff {
  readonly picture: PictureBytes;
  readonly little: boolean;
}

interface TiffEntry {
  readonly type: number;
  readonly count: number;
  /** Where its four bytes stand. */
  readonly at: number;
}

function openTiff(picture: PictureBytes): Tiff | undefined {
  const order = picture.latin(0, 2);
  const little = order === "II";
  return (little || order === "MM") && picture.u16(2, little) === 42 ? { picture, little } : undefined;
}

function directoryAt({ picture, little }: Tiff, offset: number): ReadonlyMap<number, TiffEntry> {
  const count = Math.min(picture.u16(offset, little), MAX_ENTRIES);
  const entries = Array.from({ length: count }, (_, index): [number, TiffEntry] => {
    const at = offset + 2 + 12 * index;
    return [
      picture.u16(at, little),
      { type: picture.u16(at + 2, little), count: picture.u32(at + 4, little), at: at + 8 },
    ];
  });
  return new Map(entries);
}

const [ASCII, SHORT, LONG, RATIONAL] = [2, 3, 4, 5];

function numberOf({ picture, little }: Tiff, entry: TiffEntry | undefined): number | undefined {
  if (entry?.type === SHORT) return picture.u16(entry.at, little);
  return entry?.type === LONG ? picture.u32(entry.at, little) : undefined;
}

function dateOf(tiff: Tiff, entry: TiffEntry | undefined): string | undefined {
  const [, year, month, day, time] =
    /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(textOf(tiff, entry, 20) ?? "") ?? [];
  return year === undefined || year === "0000" ? undefined : `${year}-${month}-${day} ${time}`;
}

function textOf({ picture, little }: Tiff, entry: TiffEntry | undefined, most: number): string | undefined {
  if (entry?.type !== ASCII || entry.count > most) return undefined;
  return picture.latin(entry.count <= 4 ? entry.at : picture.u32(entry.at, little), entry.count).replaceAll("\0", "");
}

function placeOf(tiff: Tiff, gps: ReadonlyMap<number, TiffEntry>): CameraNotes["place"] {
  const latitude = degreesOf(tiff, gps.get(2), textOf(tiff, gps.get(1), 4) === "S", 90);
  const longitude = degreesOf(tiff, gps.get(4), textOf(tiff, gps.get(3), 4) === "W", 180);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

function degreesOf(
  { picture, little }: Tiff,
  entry: TiffEntry | undefined,
  isNegative: boolean,
  most: number,
): number | undefined {
  if (entry?.type !== RATIONAL || entry.count !== 3) return undefined;
  const at = picture.u32(entry.at, little);
  const [degrees = 0, minutes = 0, seconds = 0] = [0, 8, 16].map(
    (offset) => picture.u32(at + offset, little) / picture.u32(at + offset + 4, little),
  );
  const whole = degrees + minutes / 60 + seconds / 3600;
  if (!Number.isFinite(whole) || whole > most) return undefined;
  return Math.round((isNegative ? -whole : whole) * 1e6) / 1e6;
}
