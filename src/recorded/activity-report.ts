/**
 * What agents did in a span of the record, in numbers: calls, changes, and the questions that people were asked, in all, for each
 * client and for each session. Pure: lines in, counts out.
 *
 * An hour counts as active when at least one call was made in it, so that a night says nothing about how often people are asked.
 * Usual mistake: to count a change for the process that applied it. Somebody at a terminal applies what an agent asked for.
 */
import type { AuditLine } from "../audit/index.ts";
import type { RecordedAsk } from "../review/index.ts";

export interface ActivityNumbers {
  readonly calls: number;
  /** Changes that were made, not those that were only proposed. */
  readonly changes: number;
  readonly asks: number;
  readonly approved: number;
  readonly rejected: number;
  /** Asks that wait, or ended without an answer. */
  readonly open: number;
  /** Hours of the clock in which a call was made. */
  readonly active_hours: number;
  /** Asks in an active hour. */
  readonly asks_per_hour: number;
  /** The share of the answers that were yes, from 0 to 1; absent where nobody answered. */
  readonly approval_rate?: number;
}

export interface ClientActivity extends ActivityNumbers {
  /** The name that the client gives itself; empty for one without a name, as the command line. */
  readonly client: string;
  readonly sessions: number;
}

export interface SessionActivity extends ActivityNumbers {
  readonly session: string;
  readonly client: string;
  readonly roots: readonly string[];
}

export interface ActivityReport extends ActivityNumbers {
  /** Changes that were taken back. */
  readonly undone: number;
  /** Half of the answers came within so long, where the host waited for them. */
  readonly median_wait_ms?: number;
  readonly clients: readonly ClientActivity[];
  /** The newest first. */
  readonly sessions: readonly SessionActivity[];
  /** What asked, the one that asked most first: a mode, or a rule with its place. */
  readonly asked_by: readonly { readonly by: string; readonly asks: number }[];
}

/** The events that are counted, besides those of asks. */
export const ACTIVITY_EVENTS: ReadonlySet<string> = new Set(
  "segment start proposed change approved applied undone".split(" "),
);

/** @param lines in the order of their times. @param asks of the same span */
export function countActivity(lines: Iterable<AuditLine>, asks: readonly RecordedAsk[]): ActivityReport {
  const count = new Counting();
  for (const line of lines) count.add(line);
  for (const ask of asks) count.ask(ask);
  const waits = asks.flatMap(({ waitedMs }) => waitedMs ?? []).sort((a, b) => a - b);
  const median = waits[Math.floor((waits.length - 1) / 2)];
  const asked = Map.groupBy(asks, ({ by }) => by);
  return {
    ...numbersOf(count.all),
    undone: count.undone,
    ...(median === undefined ? {} : { median_wait_ms: median }),
    ...count.parts(),
    asked_by: [...asked].map(([by, some]) => ({ by, asks: some.length })).sort((a, b) => b.asks - a.asks),
  };
}

interface Tally {
  calls: number;
  changes: number;
  approved: number;
  rejected: number;
  open: number;
  readonly hours: Set<string>;
}

function newTally(): Tally {
  return { calls: 0, changes: 0, approved: 0, rejected: 0, open: 0, hours: new Set() };
}

function numbersOf({ calls, changes, approved, rejected, open, hours }: Tally): ActivityNumbers {
  const asks = approved + rejected + open;
  const answered = approved + rejected;
  return {
    calls,
    changes,
    asks,
    approved,
    rejected,
    open,
    active_hours: hours.size,
    asks_per_hour: hours.size === 0 ? 0 : rounded(asks / hours.size),
    ...(answered === 0 ? {} : { approval_rate: rounded(approved / answered) }),
  };
}

function rounded(number: number): number {
  return Math.round(number * 1000) / 1000;
}

/** The end of a time of ISO 8601 behind its hour. */
const HOUR_CHARS = "2026-11-23T09".length;

interface CountedSession {
  readonly tally: Tally;
  readonly clients: Set<string>;
  roots: readonly string[];
}

class Counting {
  readonly all: Tally = newTally();
  undone = 0;
  readonly #clients = new Map<string, Tally>();
  readonly #sessions = new Map<string, CountedSession>();
  /** The first segment of the process that wrote a segment. */
  readonly #firstOf = new Map<string, string>();
  readonly #clientOf = new Map<string, string>();
  readonly #callOf = new Map<string, string>();
  readonly #made = new Set<string>();

  add(line: AuditLine): void {
    const segment = segmentOf(line.id);
    const [call, proposal, transaction] = [textOf(line["call"]), textOf(line["proposal"]), textOf(line["transaction"])];
    if (line.event === "segment") this.#firstOf.set(segment, textOf(line["session"]) ?? segment);
    if (line.event === "start") this.#session(segment).roots = rootsOf(line["roots"]);
    if (line.event === "proposed") {
      this.#clientOf.set(line.id, textOf(line["client"]) ?? "");
      for (const tally of this.#talliesOf(line.id)) {
        tally.calls++;
        tally.hours.add(line.time.slice(0, HOUR_CHARS));
      }
    }
    if (line.event === "change" && proposal !== undefined && call !== undefined) this.#callOf.set(proposal, call);
    const isMade = line.event === "applied" || (line.event === "change" && line["status"] === "applied");
    // Two lines may tell of one change: that of the call, and that of the answer to it.
    if (isMade && !this.#made.has(transaction ?? line.id)) {
      this.#made.add(transaction ?? line.id);
      for (const tally of this.#talliesOf(call ?? this.#callOf.get(proposal ?? ""))) tally.changes++;
    }
    if (line.event === "undone") this.undone++;
  }

  ask({ call, answer }: RecordedAsk): void {
    for (const tally of this.#talliesOf(call)) tally[answer]++;
  }

  parts(): Pick<ActivityReport, "clients" | "sessions"> {
    const sessions = [...this.#sessions].filter(([, { tally }]) => tally.calls + tally.changes > 0);
    const clients = [...this.#clients].map(([client, tally]) => ({
      client,
      sessions: sessions.filter(([, one]) => one.clients.has(client)).length,
      ...numbersOf(tally),
    }));
    return {
      clients: clients.sort((a, b) => b.asks - a.asks || b.calls - a.calls),
      sessions: sessions
        .map(([session, { tally, clients: names, roots }]) => ({
          session,
          client: [...names].join(", "),
          roots,
          ...numbersOf(tally),
        }))
        .sort((a, b) => (a.session < b.session ? 1 : -1)),
    };
  }

  /** @param call the audit id; a change of a proposal that is older than the span has none that is known */
  #talliesOf(call: string | undefined): Tally[] {
    if (call === undefined) return [this.all];
    const client = this.#clientOf.get(call) ?? "";
    const session = this.#session(segmentOf(call));
    session.clients.add(client);
    const own = this.#clients.get(client) ?? newTally();
    this.#clients.set(client, own);
    return [this.all, session.tally, own];
  }

  #session(segment: string): CountedSession {
    const id = this.#firstOf.get(segment) ?? segment;
    const known = this.#sessions.get(id) ?? { tally: newTally(), clients: new Set(), roots: [] };
    this.#sessions.set(id, known);
    return known;
  }
}

function segmentOf(id: string): string {
  return id.slice(0, id.indexOf(":"));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function rootsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((root: unknown) => textOf((Object(root) as { path?: unknown }).path) ?? []);
}
