/**
 * A picture of the page: of its window, of all of it, or of one element. It is scaled where it is taken, so that a page of a
 * million lines costs no more than another one.
 */
import { Failure } from "../../base/index.ts";
import { numberOf, objectOf, textOf } from "./cdp.ts";
import type { OpenPage } from "./open-page.ts";
import { evaluate } from "./read-document.ts";

const PICTURE_MS = 15_000;
/** What lies below so many pixels of the page is left out, and the answer says so. */
const MAX_PAGE_PIXELS = 16_384;
/** What a message of the browser can carry, also of noise. */
const MAX_AREA = 6_000_000;
/** Small ones come without loss. */
const PNG_AREA = 1_200_000;
const QUALITY = 80;

export interface PictureAsk {
  readonly fullPage: boolean;
  readonly selector?: string | undefined;
  /** Pixels of the longer side of the picture. */
  readonly maxSide: number;
}

export interface Picture {
  readonly mime: string;
  readonly data: string;
  /** In pixels of the page. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly isCut: boolean;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @throws Failure `not_found` for a selector that nothing matches, `invalid_input` for one that is none */
export async function takePicture(page: OpenPage, { fullPage, selector, maxSide }: PictureAsk): Promise<Picture> {
  const whole = selector === undefined ? await boxOfPage(page, fullPage) : await boxOf(page, selector);
  const width = Math.min(whole.width, MAX_PAGE_PIXELS);
  const height = Math.min(whole.height, MAX_PAGE_PIXELS);
  const scale = Math.min(1, maxSide / Math.max(width, height), Math.sqrt(MAX_AREA / (width * height)));
  const isSmall = width * height * scale * scale <= PNG_AREA;
  const { data } = await page.send(
    "Page.captureScreenshot",
    {
      ...(isSmall ? { format: "png" } : { format: "webp", quality: QUALITY }),
      clip: { x: whole.x, y: whole.y, width, height, scale },
      captureBeyondViewport: fullPage || selector !== undefined,
    },
    PICTURE_MS,
  );
  if (typeof data !== "string" || data === "")
    throw new Failure("command_failed", "Cannot take a picture: the browser gave none", {
      hint: "Call again, with selector for a part of the page.",
    });
  return {
    mime: isSmall ? "image/png" : "image/webp",
    data,
    width,
    height,
    scale,
    isCut: width < whole.width || height < whole.height,
  };
}

async function boxOfPage(page: OpenPage, isWhole: boolean): Promise<Box> {
  const metrics = await page.send("Page.getLayoutMetrics", {});
  const view = objectOf(metrics["cssVisualViewport"]);
  const content = objectOf(metrics["cssContentSize"]);
  const seen = {
    x: numberOf(view["pageX"]),
    y: numberOf(view["pageY"]),
    width: sideOf(view["clientWidth"]),
    height: sideOf(view["clientHeight"]),
  };
  if (!isWhole) return seen;
  return {
    x: 0,
    y: 0,
    width: Math.max(seen.width, sideOf(content["width"])),
    height: Math.max(seen.height, sideOf(content["height"])),
  };
}

const sideOf = (value: unknown): number => Math.max(1, Math.ceil(numberOf(value)));

/** Runs in the page, in a world of our own. */
const FIND = `(selector) => {
  let found;
  try {
    found = Document.prototype.querySelector.call(document, selector);
  } catch {
    return { is: "none such" };
  }
  if (!found) return { is: "missing" };
  const { x, y, width, height } = Element.prototype.getBoundingClientRect.call(found);
  return { is: "found", x: x + scrollX, y: y + scrollY, width, height };
}`;

async function boxOf(page: OpenPage, selector: string): Promise<Box> {
  const { is, x, y, width, height } = await evaluate(page, `(${FIND})(${JSON.stringify(selector)})`);
  const named = JSON.stringify(textOf(selector, 100));
  if (is === "none such")
    throw new Failure("invalid_input", `Cannot take a picture of ${named}: it is no selector of CSS`);
  if (is !== "found" || numberOf(width) < 1 || numberOf(height) < 1)
    throw new Failure(
      "not_found",
      `Cannot take a picture of ${named}: ${is === "found" ? "the element takes no room" : "nothing on the page matches it"}`,
      { hint: "Name another selector, or leave it out for a picture of the window." },
    );
  return { x: numberOf(x), y: numberOf(y), width: sideOf(width), height: sideOf(height) };
}
