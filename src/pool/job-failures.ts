/**
 * How a job fails that its handler did not fail itself: something happened that nobody expected.
 */
import { Failure } from "../base/index.ts";

/** @param onBug keeps what happened, and gives its id */
export function failureOf(thrown: unknown, onBug: (stack: string) => string): Failure {
  if (thrown instanceof Failure) return thrown;
  return bugFailure(onBug(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)));
}

export function bugFailure(id: string): Failure {
  return new Failure("internal", `Cannot finish the call: an internal error (${id})`);
}
