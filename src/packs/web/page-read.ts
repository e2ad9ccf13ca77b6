/**
 * What is asked of the power `pages`, and what it answers. Apart from the power, because its code is imported by that.
 */

/** Characters of a text; a book has a million. */
export const MAX_PAGE_CHARS = 2_000_000;

export type PageFormat = "markdown" | "text" | "raw";

/** What came, and how it is wanted. */
export interface PageAsk {
  /** Base64; what went ahead with `put` stands before it. */
  readonly body: string;
  readonly handle?: string | undefined;
  /** Bytes of what went ahead. Default 0. */
  readonly at?: number | undefined;
  readonly url: string;
  /** The headers `content-type` and `content-encoding`. */
  readonly contentType: string;
  readonly encoding: string;
  readonly format: PageFormat;
  /** The main content alone, without navigation and the like. */
  readonly main: boolean;
}

export interface PageRead {
  readonly kind: "html" | "text" | "json" | "pdf" | "image" | "binary";
  /** By the bytes, where they tell, else as the server says. */
  readonly mime: string;
  readonly title: string;
  readonly text: string;
  /** Base64 of an image, scaled down where it is too large. */
  readonly image?: string | undefined;
  /** Unpacked. */
  readonly bytes: number;
  readonly sha256: string;
  /** What a reader should know: characters that were replaced, text that was cut. */
  readonly notes: readonly string[];
}

export interface Pages {
  /** @param ask `at`: bytes of the page before this part. @throws Failure `command_failed` where these are not all here */
  put(ask: { handle?: string | undefined; at: number; data: string }): Promise<{ handle: string }>;
  read(ask: PageAsk): Promise<PageRead>;
  /** Texts with their references of HTML (`&eacute;`) decoded. */
  decode(ask: { texts: readonly string[] }): Promise<{ texts: readonly string[] }>;
  /** What a robots.txt says about a URL. */
  mayFetch(ask: { robots: string; at: string; url: string }): Promise<{ isAllowed: boolean }>;
}
