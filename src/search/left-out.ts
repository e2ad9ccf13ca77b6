/**
 * The count of everything that a walk saw and of everything that it did not show, by reason. It becomes part of
 * `totals` in answers.
 */
export interface WalkTotals {
  files: number;
  directories: number;
  /** Entries that ignore rules or skipped names left out; a directory counts once, its content was not looked at. */
  ignored: number;
  /** The rules' files, most first, at most ten. */
  ignored_by: { rule: string; count: number }[];
  hidden: number;
  denied: number;
  unreadable: number;
  links: number;
  /** FIFOs, sockets, devices. */
  special: number;
}

export class LeftOut {
  files = 0;
  directories = 0;
  hidden = 0;
  denied = 0;
  unreadable = 0;
  links = 0;
  special = 0;
  readonly #ignoredBy = new Map<string, number>();

  ignore(rule: string): void {
    this.#ignoredBy.set(rule, (this.#ignoredBy.get(rule) ?? 0) + 1);
  }

  totals(): WalkTotals {
    const rules = [...this.#ignoredBy].map(([rule, count]) => ({ rule, count }));
    rules.sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1));
    return {
      files: this.files,
      directories: this.directories,
      ignored: rules.reduce((sum, { count }) => sum + count, 0),
      ignored_by: rules.slice(0, MAX_RULES_NAMED),
      hidden: this.hidden,
      denied: this.denied,
      unreadable: this.unreadable,
      links: this.links,
      special: this.special,
    };
  }
}

const MAX_RULES_NAMED = 10;
