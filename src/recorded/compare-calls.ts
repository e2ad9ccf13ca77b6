/**
 * Whether a call that was made again ended as it did: by the decision, the code of the failure, the answer, and the files that it
 * changed. The contents of answers and files are compared by their hashes, because the record has nothing else.
 */
import type { KeptCall } from "../state/index.ts";

export interface Difference {
  readonly what: "decision" | "code" | "answer" | "changed";
  readonly was?: string;
  readonly is?: string;
}

/** What is known of how a call ended. A member that is absent is not compared; `null`: there was none. */
export interface Expected {
  readonly decision?: string | null;
  readonly code?: string | null;
  readonly answer?: string | null;
  readonly changed?: string | null;
}

export function compareCalls(was: Expected, is: KeptCall): Difference[] {
  return WHAT.flatMap((what) => {
    const [before, after] = [was[what], is[what]];
    if (before === undefined || (before ?? undefined) === after) return [];
    return [{ what, ...(before === null ? {} : { was: before }), ...(after === undefined ? {} : { is: after }) }];
  });
}

const WHAT = ["decision", "code", "answer", "changed"] as const;
