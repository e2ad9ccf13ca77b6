/**
 * A worker's jobs with the system's errors as failures: what no step has given a meaning to is told in words.
 */
import type { JobHandler } from "../pool/index.ts";
import { systemFailure } from "../scope/index.ts";

export function withSystemErrors(handler: JobHandler): JobHandler {
  return async (name, input, job) => {
    try {
      return await handler(name, input, job);
    } catch (thrown) {
      throw systemFailure(thrown);
    }
  };
}
