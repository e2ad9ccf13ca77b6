/**
 * What came of a call, free of any protocol revision: members of a result in JSON text, as a worker made them, and what
 * belongs into `_meta`. Each revision wraps it in its own way.
 */
import { failureText, type FailureData } from "../base/index.ts";

export interface Outcome {
  /** `"content":[...]`, without braces. */
  readonly members: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** For the record and the budget: something was left out, and how many matches there are. */
  readonly isCut?: boolean;
  readonly matches?: number;
  /** For the record too: its caller left before the end, and this is what there was by then. */
  readonly isCancelled?: boolean;
}

/** Where clients and scripts look for it in `_meta`. */
export const FAILURE_KEY = "dev.ringfence/failure";

/** A failure of a tool is a result that the model can read and act on, not a protocol error. */
export function failureOutcome(data: FailureData): Outcome {
  const content = JSON.stringify([{ type: "text", text: failureText(data) }]);
  return { members: `"content":${content},"isError":true`, meta: { [FAILURE_KEY]: data } };
}
