/**
 * What a helper says, read as an answer or a failure. The process that says it may have parsed hostile bytes, so nothing is
 * taken that has not the form of an answer, and a failure has the members that a person reads and no others.
 */
import { Failure, FAILURE_CODES, type FailureCode } from "../../base/index.ts";

export interface ReadAnswer {
  readonly id: number;
  readonly outcome:
    | { readonly answer: unknown }
    | { readonly failure: Failure }
    | { readonly bug: string }
    | "malformed";
}

/** Longer words are cut: they are for a person, and a model pays for each. */
const MAX_WORDS = 4000;

/** @returns `undefined` for a line that belongs to no call */
export function readAnswer(line: string): ReadAnswer | undefined {
  const said = readObject(line);
  return typeof said?.["id"] === "number" ? { id: said["id"], outcome: outcomeOf(said) } : undefined;
}

function readObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const said: unknown = JSON.parse(line);
    return isObject(said) ? said : undefined;
  } catch {
    return undefined;
  }
}

function outcomeOf({ bug, failure, answer }: Readonly<Record<string, unknown>>): ReadAnswer["outcome"] {
  if (bug !== undefined) return typeof bug === "string" ? { bug: bug.slice(0, MAX_WORDS) } : "malformed";
  if (failure !== undefined) return failureOf(failure);
  return answer === undefined ? "malformed" : { answer };
}

function failureOf(said: unknown): ReadAnswer["outcome"] {
  if (!isObject(said)) return "malformed";
  const { code, message, hint, retry } = said;
  if (!isCode(code) || typeof message !== "string" || typeof hint !== "string") return "malformed";
  const known = RETRIES.find((one) => one === retry);
  const extra = { hint: hint.slice(0, MAX_WORDS), ...(known === undefined ? {} : { retry: known }) };
  return { failure: new Failure(code, message.slice(0, MAX_WORDS), extra) };
}

const RETRIES = ["never", "changed", "later"] as const;

function isCode(said: unknown): said is FailureCode {
  return (FAILURE_CODES as readonly unknown[]).includes(said);
}

function isObject(said: unknown): said is Readonly<Record<string, unknown>> {
  return typeof said === "object" && said !== null;
}
