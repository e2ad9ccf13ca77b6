/**
 * Finds matches together with the texts of their groups, for replacements. It is made beside a `Matcher` for the same
 * options, and shown one line at a time unless that matcher spans lines, so that both find the same matches.
 */
export interface Captured {
  /** UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
  /** The texts of the groups that were asked for; "" for one that took no part. */
  readonly texts: readonly string[];
}

export interface Capturer extends Disposable {
  /** By number, the whole match first; `null` for a group without a name. */
  readonly groups: readonly (string | null)[];
  /** CR LF ends a line as LF does, because the pattern names no carriage return. */
  readonly endsInCrLf: boolean;
  /** The first `most` matches, empty ones too. @throws TextTooLong, BudgetSpent, MatchStopped */
  readonly find: (text: string, used: readonly number[], most: number) => readonly Captured[];
}

/** A text is too long for an engine, or holds what it cannot be shown. */
export class TextTooLong extends Error {}
