/**
 * The steps by which a session is made again, read from the record: its calls, and what a person decided between them. What the
 * record does not have of the arguments comes from the kept calls, and each is proven by the digest on record.
 */
import { eventOf, fieldsOf, findSessions, linesOf, type SessionFacts } from "../audit/index.ts";
import { sha256 } from "../base/index.ts";
import { SessionStore, type KeptCall, type StateFolder } from "../state/index.ts";
import type { Expected } from "./compare-calls.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One call of the session. */
export interface RecordedCall {
  readonly id: string;
  readonly name: string;
  /** What it is called with again; absent where `why` says why it is not. */
  readonly arguments?: unknown;
  readonly why?: string;
  readonly kept?: KeptCall | undefined;
  readonly expected: Expected;
  readonly proposal?: string | undefined;
  readonly transaction?: string | undefined;
}

export type ReplayStep =
  | { readonly kind: "call"; readonly call: RecordedCall }
  /** @property parts what of the proposal was approved */
  | { readonly kind: "apply"; readonly proposal: string; readonly transaction?: string; readonly parts: Fields }
  | { readonly kind: "undo"; readonly transaction: string }
  | { readonly kind: "grant"; readonly rule: string };

/** What the lines of one call have said so far. */
interface Seen {
  readonly id: string;
  readonly input: string;
  name: string;
  as?: unknown;
  decided?: Fields;
  run?: Fields;
  change?: Fields;
  end?: Fields;
  /** A person was asked about this, so its answer depends on what that person said. */
  asked?: Fields;
}

/** In the order in which they began. */
export function readSteps(folder: Pick<StateFolder, "audit" | "path">, { id }: SessionFacts): ReplayStep[] {
  const reader = new StepReader();
  const sessions = findSessions(folder.audit);
  for (const segment of sessions.find((one) => one.id === id)?.segments ?? [])
    for (const line of linesOf(folder.audit, segment)) {
      const head = eventOf(line);
      if (head && READ.has(head.event)) reader.add(segment, head.event, fieldsOf(line) ?? {});
    }
  const kept = new SessionStore(folder.path).read(id);
  return reader.steps.map((step) =>
    "seen" in step ? { kind: "call", call: recordedCall(step.seen, kept.get(step.seen.id)) } : step,
  );
}

const READ: ReadonlySet<string> = new Set(
  "proposed decided run change asked answered completed failed approved applied undone granted".split(" "),
);

class StepReader {
  readonly steps: (Exclude<ReplayStep, { readonly kind: "call" }> | { readonly seen: Seen })[] = [];
  readonly #calls = new Map<string, Seen>();
  readonly #approved = new Map<string, Fields>();

  add(segment: string, event: string, line: Fields): void {
    if (event === "proposed") {
      const id = `${segment}:${String(line["seq"]).padStart(9, "0")}`;
      const seen: Seen = { id, input: String(line["input"]), name: String(line["tool"]), as: line["as"] };
      this.#calls.set(id, seen);
      this.steps.push({ seen });
      return;
    }
    const call = this.#calls.get(String(line["call"]));
    if (call) this.#addTo(call, event, line);
    else this.#addOther(event, line);
  }

  #addTo(call: Seen, event: string, line: Fields): void {
    if (event === "decided") {
      call.decided = line;
      call.name = String(line["tool"]);
    }
    if (event === "run") call.run = line;
    if (event === "change") call.change = line;
    // In the modern era the answer comes with another call than the question.
    if (event === "asked" || event === "answered") call.asked = line;
    if (event === "completed" || event === "failed") call.end = line;
  }

  /** A person, or the program that runs the host, has decided something. */
  #addOther(event: string, line: Fields): void {
    const { proposal, transaction, rule } = line;
    if (event === "approved" && typeof proposal === "string") this.#approved.set(proposal, line);
    if (event === "applied" && typeof proposal === "string") {
      const {
        seq: _s,
        time: _t,
        event: _e,
        hash: _h,
        proposal: _p,
        digest: _d,
        ...parts
      } = this.#approved.get(proposal) ?? {};
      const made = typeof transaction === "string" ? { transaction } : {};
      this.steps.push({ kind: "apply", proposal, ...made, parts });
    }
    if (event === "undone" && typeof transaction === "string") this.steps.push({ kind: "undo", transaction });
    if (event === "granted" && typeof rule === "string") this.steps.push({ kind: "grant", rule });
  }
}

function recordedCall(seen: Seen, kept: KeptCall | undefined): RecordedCall {
  const { id, name, change, end, asked } = seen;
  const call = {
    id,
    name,
    kept,
    expected: expectedOf(seen, kept),
    proposal: textOf(change?.["proposal"] ?? asked?.["proposal"]),
    transaction: textOf(change?.["transaction"]),
  };
  if (end === undefined) return { ...call, why: "it has no end on record" };
  if (end["code"] === "cancelled") return { ...call, why: "it was cancelled" };
  if (end["code"] === "unknown_tool") return { ...call, why: "there was no such tool" };
  if (seen.as !== undefined) return { ...call, why: "it read a resource" };
  if (kept?.withheld === "secret") return { ...call, why: "its arguments held a secret" };
  if (kept?.withheld === "size") return { ...call, why: "its arguments were too large to be kept" };
  if (kept && Object.hasOwn(kept, "arguments"))
    return digestOf(kept.arguments) === seen.input
      ? { ...call, arguments: kept.arguments }
      : { ...call, why: "its kept arguments are not those on record" };
  const proven = CANDIDATES.map((make) => make(seen)).find((given) => given && digestOf(given) === seen.input);
  return proven ? { ...call, arguments: proven } : { ...call, why: "the record has only a digest of its arguments" };
}

function expectedOf({ decided, end, asked }: Seen, kept: KeptCall | undefined): Expected {
  const decision = { decision: textOf(decided?.["decision"]) ?? null };
  if (asked) return decision;
  const code = textOf(end?.["code"]) ?? null;
  if (!kept) return { ...decision, code };
  return { ...decision, code, answer: kept.answer ?? null, changed: kept.changed ?? null };
}

/** Arguments that can be made of what the record says; the digest tells whether they are the ones. */
const CANDIDATES: readonly ((seen: Seen) => Fields | undefined)[] = [
  () => ({}),
  ({ decided }) => only(decided?.["paths"], "path"),
  ({ run }) => (typeof run?.["line"] === "string" ? { command: run["line"] } : undefined),
  ({ run }) => (typeof run?.["values"] === "string" ? fieldsOf(run["values"]) : undefined),
];

function only(paths: unknown, name: string): Fields | undefined {
  return Array.isArray(paths) && paths.length === 1 ? { [name]: paths[0] as unknown } : undefined;
}

/** As the record has it. */
function digestOf(given: unknown): string {
  return sha256(JSON.stringify(given)).slice(0, 32);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
