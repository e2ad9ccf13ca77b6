/**
 * A page of a listing as the power `listings` reads it. Apart from the power, because its code is imported by that.
 */

/** A key has 1,024 bytes at most. */
export const MAX_KEY_CHARS = 1024;
export const MAX_TOKEN_CHARS = 2048;

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** As the store writes it. */
  readonly modified: string;
  /** Without its quotes. */
  readonly etag: string;
}

export interface ListingRead {
  /** The code of an answer that is none: `NoSuchBucket`. Only letters and digits of it. */
  readonly error?: string | undefined;
  readonly objects: readonly ListedObject[];
  /** What stands before the delimiter, once for all keys that begin so. */
  readonly folders: readonly string[];
  /** The token that the next page is asked for with. */
  readonly next?: string | undefined;
  /** The store says that there is more, and gives no token to ask for it with. */
  readonly isCut?: boolean | undefined;
  /** Entries that cannot be read: without a key, with a size that is none, more than a page has. */
  readonly left: number;
}

export interface Listings {
  /** Base64 of what came. */
  read(ask: { xml: string }): Promise<ListingRead>;
}
