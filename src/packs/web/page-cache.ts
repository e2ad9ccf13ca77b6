/**
 * The pages that a host has fetched lately, as text: to go on in a long one without fetching it again, and to ask a server only
 * whether it has changed.
 */
import * as z from "zod";
import { nowMs } from "../../base/index.ts";
import type { HttpAnswer } from "../../contract/index.ts";
import type { PageRead } from "./page-read.ts";

export interface KeptPage extends PageRead {
  /** How many are replaced in its title and text, which are kept without them. */
  readonly secrets: number;
  /** Without its body. */
  readonly answer: HttpAnswer;
  readonly etag?: string | undefined;
  readonly fetchedMs: number;
}

const KEPT_MS: number = 15 * 60 * 1000;
const MAX_PAGES = 32;
const MAX_CHARS = 8_000_000;

export class PageCache {
  readonly #pages = new Map<string, KeptPage>();

  get(key: string): KeptPage | undefined {
    const page = this.#pages.get(key);
    return page && nowMs() - page.fetchedMs < KEPT_MS ? page : undefined;
  }

  put(key: string, page: KeptPage): KeptPage {
    this.#pages.delete(key);
    this.#pages.set(key, page);
    let size = [...this.#pages.values()].reduce((sum, { text }) => sum + text.length, 0);
    for (const [oldest, { text }] of this.#pages) {
      if (this.#pages.size <= MAX_PAGES && size <= MAX_CHARS) break;
      this.#pages.delete(oldest);
      size -= text.length;
    }
    return page;
  }
}

export const hashField = (): z.ZodOptional<z.ZodString> =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional();
