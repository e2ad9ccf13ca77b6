/**
 * What was collected of an output, as text for a model: without escape sequences, with what was left out said, and what is
 * no text described instead of shown.
 */
import type { DescribedOutput } from "../launcher-protocol.ts";
import type { CollectedOutput } from "./output-collector.ts";

export function describeOutput(collected: CollectedOutput): DescribedOutput {
  const { head, tail, total_bytes, total_lines, errors, spill } = collected;
  const binary = head.includes(0) || tail.includes(0);
  const omitted = total_bytes - head.length - tail.length;
  return {
    text: binary ? `[binary output, ${total_bytes} bytes]` : textOf(head, tail, omitted),
    binary,
    truncated: omitted > 0,
    total_bytes,
    ...(total_lines === undefined ? {} : { total_lines }),
    errors: binary ? [] : errors.map(plain).filter((line) => line !== ""),
    ...(spill ? { spill } : {}),
  };
}

function textOf(head: Buffer, tail: Buffer, omitted: number): string {
  if (omitted <= 0) return plain(Buffer.concat([head, tail]).toString("utf8"));
  // Whole lines on both sides of the cut, where there are any.
  const headEnd = head.lastIndexOf(0x0a) + 1 || head.length;
  const tailStart = (tail.indexOf(0x0a) + 1) % tail.length;
  const left = omitted + (head.length - headEnd) + tailStart;
  const [before, after] = [head.subarray(0, headEnd), tail.subarray(tailStart)].map((part) =>
    plain(part.toString("utf8")),
  );
  return `${before}[... ${left} bytes left out ...]\n${after}`;
}

/**
 * The last line that is whole and not empty, for people who wait: of a part of one nobody could tell whether it is a part of
 * a secret. @param isCut whether something came before `recent`
 */
export function lastLine(recent: Buffer, isCut: boolean): string {
  if (recent.includes(0)) return "";
  const lines = Bun.stripANSI(recent.toString("utf8")).split(/[\r\n]+/);
  const whole = lines.slice(isCut ? 1 : 0, -1);
  return plain(whole.findLast((one) => one.trim() !== "") ?? "").trim();
}

/** A line that a program wrote over again is shown as it was last. */
export function plain(text: string): string {
  return Bun.stripANSI(text)
    .replaceAll("\r\n", "\n")
    .replaceAll(/[^\n]*\r(?=[^\n])/g, "")
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
}
