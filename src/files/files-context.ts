/**
 * What every function here works with. It is made by the worker for one call: the scope is the worker's own, the flag
 * behind `cancel` is shared with the main thread.
 *
 * Usual mistake: keeping a context for the next call; its deadline has passed by then.
 */
import type { AnswerBounds, Cancel, Turn } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import type { LegacyEncoding } from "../text/index.ts";

/** How secrets are found, where what is read is for a model. */
export interface SecretLook {
  redact(text: string): { readonly text: string; readonly count: number };
  /** The part of `shown` that belongs to a secret which begins in what stands before it. */
  findBegun(
    before: string,
    shown: string,
  ): { readonly start: number; readonly end: number; readonly placeholder: string } | undefined;
}

export interface FilesContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  /** Absent: nobody else waits for the thread. */
  readonly turn?: Turn | undefined;
  /** Bytes done, and of how many when that is known. Called every few MB; whoever gets it decides what to show. */
  readonly progress: (done: number, total: number | undefined, what: string) => void;
  /** The one code page that the operator configured for text that is not Unicode. */
  readonly legacyEncoding?: LegacyEncoding | undefined;
  readonly secrets?: SecretLook | undefined;
  /** Keeps a text that is shown in part, for a day. @returns its id, which is a path for reading */
  readonly keep?: ((text: string) => string) | undefined;
  /** Default: `ANSWER_BOUNDS`. */
  readonly bounds?: AnswerBounds | undefined;
}
