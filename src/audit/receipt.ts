/**
 * A receipt: what the record says of one call, in a file that somebody verifies elsewhere, without the record and without this
 * program. Its lines stand in it byte for byte, each with the hash of the line before, so their own hashes can be made again; the
 * signed head of their segment shows how far the record was signed; and the signature of the receipt, by the key of the record,
 * covers all of it.
 *
 * Between two lines of a call stand lines of other calls, which are nobody else's business, so a receipt has only the hashes
 * there. With `whole` it has all lines up to the signed head, and then the head alone proves them.
 */
import { Failure, isoTime, nowMs, sha256 } from "../base/index.ts";
import {
  type Checkpoint,
  firstHash,
  hashOf,
  isGenuine,
  openSigningKey,
  readCheckpoint,
  type SigningKey,
  splitLine,
} from "./chain.ts";
import { fieldsOf, linesOf, parseLineId } from "./read-lines.ts";
import type { AuditFolders } from "./segment.ts";
import { findSessions } from "./sessions.ts";

export interface ReceiptLine {
  /** The hash of the line before. */
  readonly before: string;
  /** As it stands in the record. */
  readonly line: string;
}

export interface ReceiptPart {
  readonly lines: readonly ReceiptLine[];
  /** The signed head of the segment that the lines are from. */
  readonly head: Checkpoint;
}

/** The members that a reader looks for, made of the lines. */
export interface ReceiptSummary {
  readonly tool?: string;
  /** The beginning of the SHA-256 of the arguments. */
  readonly input?: string;
  readonly decision?: string;
  readonly rule?: string;
  readonly reason?: string;
  readonly risk?: string;
  /** How it ended: `completed` or `failed`, and whether its proposal was applied. */
  readonly ended?: string;
  readonly code?: string;
  /** SHA-256 of the answer. */
  readonly result?: string;
  readonly proposal?: string;
  readonly applied?: true;
  readonly files?: unknown;
}

export interface Receipt {
  readonly receipt: typeof FORM;
  /** The audit id of the call. */
  readonly call: string;
  readonly says: ReceiptSummary;
  readonly parts: readonly ReceiptPart[];
  /** ISO 8601 */
  readonly issued: string;
  /** SHA-256 of the public key, as `ringfence audit key` prints it. */
  readonly key: string;
  /** Ed25519, base64, over `signedReceipt`. */
  readonly signature: string;
}

export const FORM = "ringfence 1";

/** @throws Failure `not_found`, `invalid_input` for a text that is no id, `conflict` where the record is not as it was written */
export function makeReceipt(
  folders: AuditFolders & { readonly keys: string },
  call: string,
  isWhole = false,
): { readonly receipt: Receipt; readonly text: string } {
  const { segment } = parseLineId(call);
  const session = findSessions(folders.audit).find(({ segments }) => segments.includes(segment));
  if (!session) throw notFound(call);
  const key = openSigningKey(folders.keys);
  const from = session.segments.slice(session.segments.indexOf(segment));
  const wanted = new WantedLines(call, isWhole);
  const parts = from.flatMap((one) => partOf(folders, one, wanted, key));
  if (parts.length === 0) throw notFound(call);
  const unsigned = {
    receipt: FORM,
    call,
    says: summaryOf(parts),
    parts,
    issued: isoTime(nowMs()),
    key: keyId(key.publicKey),
  } as const;
  const receipt: Receipt = { ...unsigned, signature: key.sign(signedReceipt(unsigned)) };
  return { receipt, text: receiptText(receipt) };
}

function notFound(call: string): Failure {
  return new Failure("not_found", `Cannot make a receipt for "${call}": the signed record has no call of this id`, {
    hint: "An answer has the id of its call in _meta. The oldest of the record goes after 90 days, and a line is signed 50 ms after it was written.",
  });
}

/** Remembers which proposal the call has made, because what became of it is on record under its id. */
class WantedLines {
  readonly #call: string;
  readonly #first: { readonly segment: string; readonly seq: number };
  readonly #isWhole: boolean;
  #proposal: unknown;
  #isBegun = false;

  constructor(call: string, isWhole: boolean) {
    this.#call = call;
    this.#first = parseLineId(call);
    this.#isWhole = isWhole;
  }

  has(segment: string, seq: number, line: string): boolean {
    if (segment === this.#first.segment && seq === this.#first.seq) {
      this.#isBegun = fieldsOf(line)?.["event"] === "proposed";
      return this.#isBegun;
    }
    if (!this.#isBegun) return false;
    return this.#isOfCall(line) || this.#isWhole;
  }

  #isOfCall(line: string): boolean {
    const isNamed = line.includes(this.#call) || (typeof this.#proposal === "string" && line.includes(this.#proposal));
    const fields = isNamed ? fieldsOf(line) : undefined;
    if (!fields) return false;
    const isOfCall = fields["call"] === this.#call;
    if (isOfCall) this.#proposal ??= fields["proposal"];
    return isOfCall || (this.#proposal !== undefined && fields["proposal"] === this.#proposal);
  }
}

/** Walks the whole segment, because a line is only proven by all that stand before it. */
function partOf({ audit, checkpoints }: AuditFolders, segment: string, wanted: WantedLines, key: SigningKey) {
  const head = readCheckpoint(checkpoints, segment);
  if (!head || head.segment !== segment || !isGenuine(head, key.publicKey))
    throw tampered(segment, "its checkpoint is not signed by the key of this record");
  const lines: ReceiptLine[] = [];
  let before = firstHash(segment);
  let seq = 0;
  for (const line of linesOf(audit, segment)) {
    if (seq === head.count) break;
    seq++;
    const split = splitLine(line);
    if (!split || !line.startsWith(`{"seq":${seq},`) || hashOf(before, split.body) !== split.hash)
      throw tampered(segment, `line ${seq} is not what was written`);
    if (wanted.has(segment, seq, line)) lines.push({ before, line });
    before = split.hash;
  }
  if (seq !== head.count || (seq > 0 && before !== head.head))
    throw tampered(segment, "its end is not the one that was signed");
  return lines.length === 0 ? [] : [{ lines, head }];
}

function tampered(segment: string, why: string): Failure {
  return new Failure("conflict", `Cannot make a receipt from the segment "${segment}": ${why}`, {
    hint: "ringfence audit verify says what is wrong with the record.",
  });
}

export function summaryOf(parts: readonly ReceiptPart[]): ReceiptSummary {
  const says: Record<string, unknown> = {};
  const call = callOfParts(parts);
  const take = (fields: Readonly<Record<string, unknown>>, names: readonly string[]): void => {
    for (const name of names) if (fields[name] !== undefined) says[name] = fields[name];
  };
  for (const [index, { line }] of parts.flatMap(({ lines }) => lines).entries()) {
    const fields = fieldsOf(line) ?? {};
    if (index === 0) take(fields, ["tool", "input"]);
    else if (fields["call"] === call) {
      take(fields, TAKEN[String(fields["event"])] ?? []);
      if (ENDS.has(String(fields["event"]))) says["ended"] = fields["event"];
    } else if (fields["event"] === "applied" && fields["proposal"] === says["proposal"]) says["applied"] = true;
  }
  return says;
}

const ENDS: ReadonlySet<string> = new Set(["completed", "failed"]);
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  decided: ["tool", "decision", "rule", "reason", "risk"],
  change: ["proposal", "files"],
  completed: ["result"],
  failed: ["code", "result"],
};

/** The id of the call as its later lines name it. */
function callOfParts([first]: readonly ReceiptPart[]): string | undefined {
  const seq = /^\{"seq":(\d+),/.exec(first?.lines[0]?.line ?? "")?.[1];
  return first && seq !== undefined ? `${first.head.segment}:${seq.padStart(9, "0")}` : undefined;
}

export function keyId(publicKey: string): string {
  return sha256(`${publicKey.trim()}\n`);
}

/** What is signed: the receipt without its signature, on one line. */
export function signedReceipt({ receipt, call, says, parts, issued, key }: Omit<Receipt, "signature">): string {
  return `ringfence receipt\n${JSON.stringify({ receipt, call, says, parts, issued, key })}`;
}

/** The one form of a receipt: another spelling of the same JSON is refused, so that no byte can be changed. */
export function receiptText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`;
}
