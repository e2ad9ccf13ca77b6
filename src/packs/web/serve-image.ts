/**
 * An image of a page, written anew as every picture that a model sees: without its metadata, and refused before it is decoded where
 * it has too many pixels or frames.
 */
import { Failure } from "../../base/index.ts";
import { MODEL_SIDE, showPicture } from "../../pictures/index.ts";

const MAX_IMAGE_BYTES: number = 768 * 1024;

export async function readImage(
  bytes: Buffer,
  mime: string,
): Promise<{ readonly mime: string; readonly image?: string; readonly notes: readonly string[] }> {
  try {
    const shown = await showPicture(bytes, { maxBytes: MAX_IMAGE_BYTES, maxSide: MODEL_SIDE });
    return { mime: shown.mime, image: shown.data, notes: shown.isScaled ? ["The image is scaled down"] : [] };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { mime, notes: [thrown.message.replace(/^Cannot show the picture/, "The image is not shown")] };
  }
}
