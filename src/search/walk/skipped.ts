/**
 * The count of everything that a walk saw and of everything that it did not show, by reason. It becomes part of
 * `totals` in answers.
 */
import type { EntryType } from "../../sys/index.ts";

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

export interface SkippedCounts extends Omit<WalkTotals, "ignored" | "ignored_by"> {
  readonly ignoredBy: readonly (readonly [rule: string, count: number])[];
}

export class Skipped {
  files = 0;
  directories = 0;
  hidden = 0;
  denied = 0;
  unreadable = 0;
  links = 0;
  special = 0;
  readonly #ignoredBy = new Map<string, number>();

  /** What was seen and not left out. @returns the type again */
  count(type: EntryType): EntryType {
    this[memberOf(type)]++;
    return type;
  }

  ignore(rule: string): void {
    this.#ignoredBy.set(rule, (this.#ignoredBy.get(rule) ?? 0) + 1);
  }

  /** What another walk has counted, as it travels between workers. */
  add({ ignoredBy, ...counts }: SkippedCounts): void {
    for (const name of COUNTS) this[name] += counts[name];
    for (const [rule, count] of ignoredBy) this.#ignoredBy.set(rule, (this.#ignoredBy.get(rule) ?? 0) + count);
  }

  counts(): SkippedCounts {
    const { files, directories, hidden, denied, unreadable, links, special } = this;
    const ignoredBy = [...this.#ignoredBy];
    return { files, directories, hidden, denied, unreadable, links, special, ignoredBy };
  }

  totals(): WalkTotals {
    const { ignoredBy, files, directories, ...others } = this.counts();
    const rules = ignoredBy.map(([rule, count]) => ({ rule, count }));
    rules.sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1));
    const ignored = rules.reduce((sum, { count }) => sum + count, 0);
    return { files, directories, ignored, ignored_by: rules.slice(0, MAX_RULES_NAMED), ...others };
  }
}

const COUNTS = ["files", "directories", "hidden", "denied", "unreadable", "links", "special"] as const;
const MAX_RULES_NAMED = 10;

/** Where an entry of a type is counted. */
export function memberOf(type: EntryType): "files" | "directories" | "links" | "special" {
  if (type === "file") return "files";
  if (type === "directory") return "directories";
  return type === "symlink" ? "links" : "special";
}
