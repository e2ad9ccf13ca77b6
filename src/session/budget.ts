/**
 * How much may be answered, of one call and of the whole session. Nothing is counted where nobody has set a number.
 *
 * Calls are counted when they begin and the rest when they end, so what runs at the same time can go over by what it
 * was allowed for one call, never by more.
 */
import { Failure } from "../base/index.ts";
import type { Budgets } from "../config/index.ts";

type Kind = "bytes_out" | "calls" | "matches" | "wall_ms";

const NAMES: Readonly<Record<Kind, string>> = {
  bytes_out: "bytes of answers",
  calls: "calls",
  matches: "matches",
  wall_ms: "milliseconds",
};

export interface Spent {
  readonly bytes_out: number;
  readonly matches: number;
  readonly wall_ms: number;
}

export class Budget {
  readonly #budgets: Budgets;
  readonly #spent: Record<Kind, number> = { bytes_out: 0, calls: 0, matches: 0, wall_ms: 0 };

  constructor(budgets: Budgets) {
    this.#budgets = budgets;
  }

  get isSet(): boolean {
    return this.#budgets.call !== undefined || this.#budgets.session !== undefined;
  }

  /** Bytes that one answer may have. */
  get callBytes(): number {
    return this.#budgets.call?.bytes_out ?? Infinity;
  }

  /** The time that one call may take. */
  timeoutMs(usual: number): number {
    return Math.min(usual, this.#budgets.call?.wall_ms ?? usual);
  }

  /** @throws Failure `over_budget` when the session has spent one of its budgets */
  begin(): void {
    for (const [kind, left] of Object.entries(this.remaining()) as [Kind, number][]) {
      if (left > 0) continue;
      throw new Failure("over_budget", `Cannot make the call: the ${NAMES[kind]} of this session are spent`, {
        hint: `The budget is ${this.#budgets.session?.[kind]}. Finish with what you have; the person who runs this host can start it again or raise budgets.session.${kind}.`,
        retry: "never",
        details: { budget: kind },
      });
    }
    this.#spent.calls++;
  }

  /** @throws Failure `over_budget` when the answer is more than one call may give; what was spent stays spent */
  end(spent: Spent): void {
    this.#spent.wall_ms += spent.wall_ms;
    this.#spent.matches += spent.matches;
    const { call = {} } = this.#budgets;
    for (const kind of ["bytes_out", "matches"] as const) {
      const most = call[kind];
      if (most === undefined || spent[kind] <= most) continue;
      throw new Failure(
        "over_budget",
        `Cannot give the answer: it has ${spent[kind]} ${NAMES[kind]}, and ${most} is the most for one call`,
        {
          hint: "Ask for less: a smaller limit, a narrower path or pattern.",
          details: { budget: kind },
        },
      );
    }
    this.#spent.bytes_out += spent.bytes_out;
  }

  /** What is left of each kind that has a budget. */
  remaining(): Partial<Record<Kind, number>> {
    const { session = {} } = this.#budgets;
    const left: Partial<Record<Kind, number>> = {};
    for (const [kind, most] of Object.entries(session) as [Kind, number | undefined][])
      if (most !== undefined) left[kind] = Math.max(0, Math.round(most - this.#spent[kind]));
    return left;
  }
}
