/**
 * Pictures that others made: what they are, and their pixels written anew for a model. The code is pure: it reads and writes
 * nothing. It runs in a process without files and without a network where there is a launcher to start one, else in the worker
 * that has read the file.
 *
 * Read `show-picture.ts` first. It may import `base`.
 */
export type { PictureRegion } from "./crop-png.ts";
export {
  MAX_PICTURE_PIXELS,
  MODEL_SIDE,
  refuseBeginning,
  showPicture,
  type PictureFacts,
  type PictureWanted,
  type ShownPicture,
} from "./show-picture.ts";
