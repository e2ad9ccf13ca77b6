/**
 * The failure code that a function ends with, or "ok". What is no `Failure` is a bug and passes through.
 */
import { Failure } from "../../src/base/index.ts";

export function codeOf(work: () => unknown): string {
  try {
    work();
    return "ok";
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.code;
    throw thrown;
  }
}
