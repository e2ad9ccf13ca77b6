/**
 * The calls that a person was asked about, read from the lines of the record: what each would touch, why it was asked, and what
 * the person said. The record has digests and names and no contents, so that is all that an ask has here.
 *
 * Usual mistake: to count every decision "ask". A call that failed before anything was put to a person has asked nobody.
 */
import { posix } from "node:path";
import type { AuditLine } from "../../audit/index.ts";
import type { Mode, Risk } from "../../policy/index.ts";

export interface RecordedAsk {
  /** The audit id of the call. */
  readonly call: string;
  /** ISO 8601 */
  readonly time: string;
  readonly tool: string;
  /** The name that the client which called gives itself. */
  readonly client?: string;
  readonly mode: Mode;
  /** The directories of the host's roots. */
  readonly roots: readonly string[];
  /** Absolute: what the call named, and what its change would touch. */
  readonly paths: readonly string[];
  /** The command line, without the secrets in it. */
  readonly line?: string;
  /** Other targets, as `GET https://docs.example/a`. */
  readonly names: readonly string[];
  readonly risk: Risk;
  readonly reason: string;
  /** What asked: `mode:default`, or a rule with its file and line. */
  readonly by: string;
  /** `open`: it waits, expired, or the client gave no answer. */
  readonly answer: "approved" | "rejected" | "open";
  /** How long the person was asked, where the host waited. */
  readonly waitedMs?: number;
}

/** The events of the record that tell of asks. */
export const ASK_EVENTS: ReadonlySet<string> = new Set(
  "segment start proposed decided change asked run answered approved applied rejected failed".split(" "),
);

/** @param lines of the whole record, in the order of their times. Oldest first */
export function readAsks(lines: Iterable<AuditLine>): RecordedAsk[] {
  const reading = new Reading();
  for (const line of lines) reading.add(line);
  return reading.asks();
}

interface HostFacts {
  readonly mode: Mode;
  readonly roots: readonly string[];
}

type Draft = { -readonly [Key in keyof RecordedAsk]: RecordedAsk[Key] };

class Reading {
  readonly #clients = new Map<string, string>();
  readonly #sessionOf = new Map<string, string>();
  readonly #hosts = new Map<string, HostFacts>();
  readonly #byCall = new Map<string, Draft>();
  readonly #byProposal = new Map<string, Draft>();
  /** The calls that reached a person, or would have. */
  readonly #asked = new Set<Draft>();

  add(line: AuditLine): void {
    const segment = line.id.slice(0, line.id.indexOf(":"));
    const call = this.#byCall.get(textOf(line["call"]) ?? "");
    const about = this.#byProposal.get(textOf(line["proposal"]) ?? "") ?? call;
    switch (line.event) {
      case "segment":
        this.#sessionOf.set(segment, textOf(line["session"]) ?? segment);
        break;
      case "start":
        this.#hosts.set(segment, { mode: (textOf(line["mode"]) ?? "default") as Mode, roots: rootsOf(line["roots"]) });
        break;
      case "proposed":
        this.#clients.set(line.id, textOf(line["client"]) ?? "");
        break;
      case "decided":
        this.#decide(line);
        break;
      case "change":
        if (call) this.#change(call, line);
        break;
      case "asked":
        if (about) this.#asked.add(about);
        break;
      case "run":
        if (about && typeof line["line"] === "string") about.line ??= line["line"];
        break;
      case "answered":
        if (about) note(about, line);
        break;
      case "approved":
      case "applied":
        if (about) about.answer = "approved";
        break;
      case "rejected":
        if (about) about.answer = "rejected";
        break;
      case "failed":
        if (about && line["code"] === "needs_approval") this.#asked.add(about);
        break;
    }
  }

  asks(): RecordedAsk[] {
    return [...this.#byCall.values()]
      .filter((ask) => this.#asked.has(ask))
      .map((ask) => ({ ...ask, paths: [...new Set(ask.paths)] }));
  }

  #decide(line: AuditLine): void {
    const call = textOf(line["call"]) ?? "";
    const segment = call.slice(0, call.indexOf(":"));
    const host = this.#hosts.get(this.#sessionOf.get(segment) ?? segment);
    // A change that its words allow may still be asked about for what it really touches.
    if (!host || host.roots.length === 0 || line["decision"] === "deny") return;
    const client = this.#clients.get(call);
    const [first = "/"] = host.roots;
    this.#byCall.set(call, {
      ...host,
      call,
      time: line.time,
      tool: textOf(line["tool"]) ?? "",
      ...(client ? { client } : {}),
      paths: textsOf(line["paths"]).map((path) => posix.resolve(first, path)),
      ...(typeof line["line"] === "string" ? { line: line["line"] } : {}),
      names: textsOf(line["targets"]),
      risk: (textOf(line["risk"]) ?? "R4") as Risk,
      reason: textOf(line["reason"]) ?? "",
      by: textOf(line["rule"]) ?? "",
      answer: "open",
    });
  }

  #change(ask: Draft, line: AuditLine): void {
    const proposal = textOf(line["proposal"]);
    if (line["status"] !== "proposed" || proposal === undefined) return;
    this.#asked.add(ask);
    const files = Array.isArray(line["files"]) ? (line["files"] as { readonly path?: unknown }[]) : [];
    ask.paths = [...ask.paths, ...files.flatMap(({ path }) => textOf(path) ?? [])];
    this.#byProposal.set(proposal, ask);
  }
}

const YES: ReadonlySet<unknown> = new Set(["apply", "accept", "approved", "applied", "apply_and_remember"]);
const NO: ReadonlySet<unknown> = new Set(["reject", "rejected"]);

function note(ask: Draft, { answer, ms }: AuditLine): void {
  if (YES.has(answer)) ask.answer = "approved";
  else if (NO.has(answer)) ask.answer = "rejected";
  if (typeof ms === "number") ask.waitedMs = ms;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

function rootsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.flatMap((root: { readonly path?: unknown } | null) => textOf(root?.path) ?? [])
    : [];
}
