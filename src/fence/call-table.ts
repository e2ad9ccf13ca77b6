/**
 * The table of all system calls, read: which number is which call, and what it is answered with. What is not in it is
 * closed. The table itself is data, `call-table.txt`.
 */
import table from "./call-table.txt" with { type: "text" };
import type { Architecture } from "../sys/index.ts";

export interface CallRow {
  readonly name: string;
  /** Absent where the processor has no such call. */
  readonly numbers: Readonly<Record<Architecture, number | undefined>>;
  /** A word of call-rules.ts. */
  readonly host: string;
  readonly command: string;
  readonly why: string;
}

export function readCallTable(text: string = table): CallRow[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [x64 = "", arm64 = "", name = "", host = "", command = "", ...why] = line.split(" ");
      return {
        name,
        numbers: { x64: numberOf(x64), arm64: numberOf(arm64) },
        host,
        command,
        why: why.join(" "),
      };
    });
}

function numberOf(text: string): number | undefined {
  return text === "-" ? undefined : Number(text);
}
