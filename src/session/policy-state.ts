/**
 * What the policy of one host knows while it runs: the rules, what a person has granted, what was read, and what is left
 * of the budget.
 */
import { isoTime, newId, nowMs, Failure } from "../base/index.ts";
import type { Config, Budgets } from "../config/index.ts";
import { checkRule, type Rule, parseRule } from "../policy/index.ts";
import type { Grant } from "../calls/index.ts";
import { GrantStore, openStateFolder } from "../state/index.ts";
import { Baselines } from "./baselines.ts";
import { ResumedBaselines } from "./resume-baselines.ts";
import { createPlacePath, type PlacePath } from "./place-target.ts";

export class PolicyState {
  readonly rules: readonly Rule[];
  readonly grants: Grants;
  readonly baselines: Baselines;
  /** What is known of files over a restart. */
  readonly resumed: ResumedBaselines;
  readonly budget: Budget;
  readonly place: PlacePath;

  /** @param session the name of this session in the record; asked for when a grant holds in one session alone */
  constructor(config: Config, session: () => string) {
    this.rules = config.rules.map(checkRule);
    this.grants = new Grants(config, session);
    this.place = createPlacePath(config.roots);
    this.baselines = new Baselines(this.place);
    this.resumed = new ResumedBaselines(config, this.baselines);
    this.budget = new Budget(config.budgets);
  }
}

/**
 * What a person has allowed besides the configuration: for this session, or remembered in the state folder where they said
 * so, for hosts with the same roots. A grant settles what would be asked; it lifts no deny.
 */
class Grants {
  readonly #config: Config;
  readonly #ofProcess: Grant[] = [];
  #store: GrantStore | undefined;
  readonly #session: () => string;

  constructor(config: Config, session: () => string) {
    this.#config = config;
    this.#session = session;
  }

  /** @throws Failure `invalid_input` for a rule that cannot be read */
  add(rule: string, { remember, roots = this.#roots(), session, minutes }: GrantTerms): Grant {
    const { text } = parseRule({ allow: rule, source: "grant" });
    const grant: Grant = {
      id: newId("g"),
      rule: text,
      roots,
      at: isoTime(nowMs()),
      remembered: remember,
      ...(minutes === undefined ? {} : { until: isoTime(nowMs() + minutes * 60_000) }),
      ...(session === undefined ? {} : { session }),
    };
    const store = remember ? this.#remembered() : undefined;
    // Those that are over are tidied away while a person is at it.
    for (const one of store?.list() ?? []) if (isOver(one.until, nowMs())) store?.remove(one.id);
    if (store) store.put(grant);
    else this.#ofProcess.push(grant);
    return grant;
  }

  list(): Grant[] {
    const now = nowMs();
    return [...this.#remembered().list(), ...this.#ofProcess].filter(({ until }) => !isOver(until, now));
  }

  /** @returns whether there was one */
  revoke(id: string): boolean {
    const index = this.#ofProcess.findIndex((grant) => grant.id === id);
    if (index < 0) return this.#remembered().remove(id);
    this.#ofProcess.splice(index, 1);
    return true;
  }

  /** The grants that hold in the roots of this host, as they stand now: a person may revoke one at any time. */
  rules(): readonly Rule[] {
    const roots = JSON.stringify(this.#roots());
    return this.list()
      .filter((grant) => JSON.stringify(grant.roots) === roots)
      .filter(({ session }) => session === undefined || session === this.#session())
      .map(({ rule, id }) => parseRule({ allow: rule, source: `grant ${id}` }));
  }

  #roots(): string[] {
    return this.#config.roots.map(({ path }) => path);
  }

  #remembered(): GrantStore {
    this.#store ??= new GrantStore(openStateFolder(this.#config.stateDir).grants);
    return this.#store;
  }
}

/** How long a grant holds, and where. */
export interface GrantTerms {
  /** Kept in the state folder, for hosts with the same roots. */
  readonly remember: boolean;
  /** Absolute. Default: those of this host. */
  readonly roots?: readonly string[] | undefined;
  /** Only in this session of the record. */
  readonly session?: string | undefined;
  /** Default: until it is revoked. */
  readonly minutes?: number | undefined;
}

/** A time that nobody can read is over. */
function isOver(until: string | undefined, now: number): boolean {
  return until !== undefined && !(Date.parse(until) > now);
}

type Kind = "bytes_out" | "lines" | "calls" | "matches" | "wall_ms";

const NAMES: Readonly<Record<Kind, string>> = {
  bytes_out: "bytes of answers",
  lines: "lines of answers",
  calls: "calls",
  matches: "matches",
  wall_ms: "milliseconds",
};

/** What an answer gives. */
const GIVEN = ["bytes_out", "lines", "matches"] as const;

type Done = "stands" | "made" | "read";

const MADE = {
  hint: "The call was made, and only its answer is left out. Do not make it again; look at what it has done.",
  retry: "never",
} as const;

/**
 * How much may be answered, of one call and of the whole session. Nothing is counted where nobody has set a number. Calls are
 * counted when they begin and the rest when they end, so of what runs at the same time one answer can go over by what it was
 * allowed for one call, never by more: the reads that end behind it give nothing.
 */
class Budget {
  readonly #budgets: Budgets;
  readonly #spent: Record<Kind, number> = { bytes_out: 0, lines: 0, calls: 0, matches: 0, wall_ms: 0 };

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

  /** Lines that the text of one answer may have. */
  get callLines(): number {
    return this.#budgets.call?.lines ?? Infinity;
  }

  /** Whether lines are counted at all. */
  get countsLines(): boolean {
    return this.callLines !== Infinity || this.#budgets.session?.lines !== undefined;
  }

  /** The time that one call may take. */
  timeoutMs(usual: number): number {
    return Math.min(usual, this.#budgets.call?.wall_ms ?? usual);
  }

  /** @throws Failure `over_budget` when the session has spent one of its budgets */
  begin(): void {
    this.#refuseSpent(Object.keys(this.remaining()) as Kind[]);
    this.#spent.calls++;
  }

  /**
   * @param what the call has done: what stands is told whatever it takes, and what was made is not to be made again
   * @throws Failure `over_budget` when the answer is more than one call may give, and of a read when others have spent the
   * session meanwhile; what was spent stays spent
   */
  end(spent: Readonly<Record<"bytes_out" | "lines" | "matches" | "wall_ms", number>>, what: Done): void {
    if (what === "read") this.#refuseSpent(GIVEN);
    this.#spent.wall_ms += spent.wall_ms;
    this.#spent.matches += spent.matches;
    const { call = {} } = this.#budgets;
    for (const kind of GIVEN) {
      const most = call[kind];
      if (most === undefined || what === "stands" || spent[kind] <= most) continue;
      throw new Failure(
        "over_budget",
        `Cannot give the answer: it has ${spent[kind]} ${NAMES[kind]}, and ${most} is the most for one call`,
        {
          ...(what === "made" ? MADE : { hint: "Ask for less: a smaller limit, a narrower path or pattern." }),
          details: { budget: kind },
        },
      );
    }
    this.#spent.bytes_out += spent.bytes_out;
    this.#spent.lines += spent.lines;
  }

  #refuseSpent(kinds: readonly Kind[]): void {
    const left = this.remaining();
    const kind = kinds.find((one) => left[one] === 0);
    if (kind === undefined) return;
    throw new Failure("over_budget", `Cannot make the call: the ${NAMES[kind]} of this session are spent`, {
      hint: `The budget is ${this.#budgets.session?.[kind]}. Finish with what you have; the person who runs this host can start it again or raise budgets.session.${kind}.`,
      retry: "never",
      details: { budget: kind },
    });
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
