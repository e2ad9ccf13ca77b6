/**
 * The answer of a job on its way between threads. Most answers are values, written as JSON and read again. The text of a
 * result is not read: it is made once, by the worker, and spliced into the answer to the client as it is.
 */
import type { JobAnswer } from "./job.ts";

/** JSON text that is passed on unparsed, and beside it what the host itself wants to know of the result. */
export class ResultText<Facts = unknown> {
  readonly text: string;
  /** JSON, or "" for none. */
  readonly factsText: string;

  constructor(text: string, factsText = "") {
    this.text = text;
    this.factsText = factsText;
  }

  get facts(): Facts | undefined {
    return this.factsText === "" ? undefined : (JSON.parse(this.factsText) as Facts);
  }
}

/** Facts that say nothing tell a text from a value, whose facts are empty. */
const NO_FACTS = "{}";

export function packAnswer(answer: unknown): JobAnswer {
  return answer instanceof ResultText
    ? { payload: answer.text, facts: answer.factsText || NO_FACTS }
    : { payload: JSON.stringify(answer ?? null), facts: "" };
}

/** @returns a `ResultText`, or the value */
export function unpackAnswer({ payload, facts }: JobAnswer): unknown {
  if (facts === "") return JSON.parse(payload) as unknown;
  return new ResultText(payload, facts === NO_FACTS ? "" : facts);
}
