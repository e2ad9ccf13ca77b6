/**
 * An image as models take it: as it came where it is small, else scaled down. More pixels than any screen shows are not decoded.
 */
const MAX_PIXELS = 50_000_000;
const MAX_IMAGE_BYTES: number = 768 * 1024;
/** What models look at; larger ones they scale down themselves. */
const MAX_SIDE = 1568;
const SHOWN: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const QUALITIES: readonly number[] = [80, 60, 40];

export async function readImage(
  bytes: Buffer,
  mime: string,
): Promise<{ readonly mime: string; readonly image?: string; readonly notes: readonly string[] }> {
  if (bytes.length <= MAX_IMAGE_BYTES && SHOWN.includes(mime))
    return { mime, image: bytes.toString("base64"), notes: [] };
  try {
    for (const quality of QUALITIES) {
      const image = new Bun.Image(bytes, { maxPixels: MAX_PIXELS });
      const scaled = await image
        .resize(MAX_SIDE, MAX_SIDE, { fit: "inside", withoutEnlargement: true })
        .webp({ quality })
        .buffer();
      if (scaled.length > MAX_IMAGE_BYTES) continue;
      return { mime: "image/webp", image: scaled.toString("base64"), notes: ["The image is scaled down"] };
    }
  } catch {
    return { mime, notes: ["The image cannot be decoded, or has too many pixels"] };
  }
  return { mime, notes: ["The image is too large to be shown"] };
}
