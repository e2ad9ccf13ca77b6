/**
 * What a worker makes of failures on their way out: an error of the system that no step has given a meaning to is told in
 * words, and what a failure quotes (the nearest text, a diff) is redacted like an answer.
 */
import { Failure } from "../base/index.ts";
import { createRedactor, redactFailure, type Redactor } from "../policy/index.ts";
import type { JobHandler } from "../pool/index.ts";
import { systemFailure } from "../scope/index.ts";
import type { WorkerPolicy } from "./worker-config.ts";

export function redactorOf({ redactionKey }: WorkerPolicy): Redactor | undefined {
  return redactionKey === undefined ? undefined : createRedactor(Buffer.from(redactionKey, "base64"));
}

export function withRedaction(handler: JobHandler, redactor: Redactor | undefined): JobHandler {
  if (!redactor) return handler;
  return async (name, input, job) => {
    try {
      return await handler(name, input, job);
    } catch (thrown) {
      throw thrown instanceof Failure ? redactFailure(thrown, redactor) : thrown;
    }
  };
}

export function withSystemErrors(handler: JobHandler): JobHandler {
  return async (name, input, job) => {
    try {
      return await handler(name, input, job);
    } catch (thrown) {
      throw systemFailure(thrown);
    }
  };
}
