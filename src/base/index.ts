/**
 * What every other folder stands on: failures as data, limits with their reasons, the clock, cancellation, and the log. It may
 * import `calls`.
 */
export {
  createCancel,
  NEVER_CANCELLED,
  stoppedCall,
  StopSource,
  throwIfStopped,
  keepWhileRunning,
  toEnd,
  type Cancel,
  type InTurns,
  type JobTurn,
  type StopSignal,
} from "./cancel.ts";
export { CLOCK, createSecret, isoTime, monotonicMs, newId, nowMs, type Clock, type Timer } from "./clock.ts";
export { compiledModule, keepCompiled, onCompiled, type CompiledModule } from "./compiled-modules.ts";
export { decodeBase64, unwrapBase64 } from "./decode-base64.ts";
export {
  Failure,
  FAILURE_CODES,
  failureFromData,
  failureSentences,
  failureText,
  toFailure,
  type FailureCode,
  type FailureData,
  type FailureExtra,
  type Retry,
} from "./failure.ts";
export { createSha256, hmacSha256, md5, sha256 } from "./hash.ts";
export { endStartPolicy } from "./jit-policy.ts";
export { canonicalJson, isObject } from "./json.ts";
export * as limits from "./limits.ts";
export { ANSWER_BOUNDS, answerBytes, type AnswerBounds } from "./limits.ts";
export { listenToLog, logLine, reportBug } from "./log.ts";
export { realPathOf } from "./real-path.ts";
