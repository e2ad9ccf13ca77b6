/**
 * Whether a receipt is what the holder of a key has issued: its form to the byte, its signature, the hash of every line, the
 * order of the lines, and the signed head of each segment. Needs the public key and nothing else.
 */
import { Failure, isObject } from "../base/index.ts";
import { firstHash, hashOf, isCheckpoint, isGenuine, isSignedBy, splitLine } from "./chain.ts";
import {
  FORM,
  keyId,
  receiptText,
  signedReceipt,
  summaryOf,
  type Receipt,
  type ReceiptLine,
  type ReceiptPart,
} from "./receipt.ts";
import { lineId } from "./segment.ts";

export interface ReceiptReport {
  readonly isGenuine: boolean;
  /** What is wrong with it. */
  readonly problems: readonly string[];
  readonly call?: string;
  readonly says?: Receipt["says"];
  /** chain: every line up to the signed head is there. signature: the key's holder vouches for what stands between. */
  readonly proven?: "chain" | "signature";
}

/** Larger ones are not read. */
const MAX_RECEIPT_CHARS: number = 64 * 1024 * 1024;

/** @param publicKey PEM, from somewhere that the receipt did not come from */
export function verifyReceipt(text: string, publicKey: string): ReceiptReport {
  const receipt = readReceipt(text);
  if (typeof receipt === "string") return { isGenuine: false, problems: [receipt] };
  const problems = [
    ...(receiptText(receipt) === text ? [] : ["it is not written as ringfence writes it"]),
    ...(receipt.key === keyId(publicKey) ? [] : ["it was issued with another key"]),
    ...(isSigned(receipt, publicKey) ? [] : ["its signature does not fit: it was changed, or is not from this key"]),
    ...receipt.parts.flatMap((part) => problemsOf(part, publicKey)),
    ...(JSON.stringify(summaryOf(receipt.parts)) === JSON.stringify(receipt.says)
      ? []
      : ["what it says is not what its lines say"]),
    ...(firstId(receipt) === receipt.call ? [] : ["its first line is not the one of the call"]),
  ];
  const { call, says } = receipt;
  const proven = receipt.parts.every(isUnbroken) ? "chain" : "signature";
  return { isGenuine: problems.length === 0, problems, call, says, proven };
}

/** @returns why it cannot be one */
function readReceipt(text: string): Receipt | string {
  if (text.length > MAX_RECEIPT_CHARS) return "it is larger than any receipt";
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  return isReceipt(read) ? read : `it has not the form of a receipt (${FORM})`;
}

function isReceipt(read: unknown): read is Receipt {
  if (!isObject(read)) return false;
  const { receipt, call, says, parts, issued, key, signature } = read;
  return (
    receipt === FORM &&
    [call, issued, key, signature].every((one) => typeof one === "string") &&
    isObject(says) &&
    Array.isArray(parts) &&
    parts.length > 0 &&
    parts.every(isPart)
  );
}

function isPart(read: unknown): read is ReceiptPart {
  if (!isObject(read)) return false;
  const { lines, head } = read;
  return Array.isArray(lines) && lines.length > 0 && lines.every(isLine) && isCheckpoint(head);
}

function isLine(read: unknown): read is ReceiptLine {
  return isObject(read) && typeof read["before"] === "string" && typeof read["line"] === "string";
}

/** Base64 has more than one spelling of the same bytes; only the usual one counts. */
function isSigned(receipt: Receipt, publicKey: string): boolean {
  const { signature } = receipt;
  const isUsual = Buffer.from(signature, "base64").toString("base64") === signature;
  return isUsual && isSignedBy(publicKey, signedReceipt(receipt), signature);
}

function problemsOf({ lines, head }: ReceiptPart, publicKey: string): string[] {
  const problems: string[] = [];
  if (!isGenuine(head, publicKey)) problems.push(`the head of ${head.segment} is not signed by this key`);
  let last: { readonly seq: number; readonly hash: string } | undefined;
  for (const { before, line } of lines) {
    const seq = seqOf(line);
    const split = splitLine(line);
    const expected = seq === 1 ? firstHash(head.segment) : seq === (last?.seq ?? NaN) + 1 ? last?.hash : before;
    if (!split || before !== expected || hashOf(before, split.body) !== split.hash)
      problems.push(`line ${seq} is not what was written, or does not follow the one before`);
    if (last && !(seq > last.seq)) problems.push(`line ${seq} is out of order`);
    if (!(seq <= head.count)) problems.push(`line ${seq} was not signed`);
    if (seq === head.count && split?.hash !== head.head) problems.push(`line ${seq} is not the one that was signed`);
    last = { seq, hash: split?.hash ?? "" };
  }
  return problems;
}

/** Whether the signed head follows from the lines alone. */
function isUnbroken({ lines, head }: ReceiptPart): boolean {
  const numbers = lines.map(({ line }) => seqOf(line));
  return numbers.at(-1) === head.count && numbers.every((seq, at) => at === 0 || seq === (numbers[at - 1] ?? 0) + 1);
}

function seqOf(line: string): number {
  return Number(/^\{"seq":(\d+),/.exec(line)?.[1]);
}

function firstId({ parts: [first] }: Receipt): string {
  return first ? lineId(first.head.segment, seqOf(first.lines[0]?.line ?? "")) : "";
}

/** @throws Failure `invalid_input` for a text that is no public key, before anything is judged by it */
export function checkPublicKey(publicKey: string): void {
  if (/^-----BEGIN PUBLIC KEY-----\s[\w+/=\s]+-----END PUBLIC KEY-----\s*$/.test(publicKey)) return;
  throw new Failure("invalid_input", "Cannot verify it: the key is no public key in PEM", {
    hint: "ringfence audit key prints the one of a record.",
  });
}
