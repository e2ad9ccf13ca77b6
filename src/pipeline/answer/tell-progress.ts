/**
 * The progress of a call for those who follow the events of the host (`ringfence/events`), whether its own caller asked for
 * progress or not. It is told and not recorded: so many lines would prove nothing later.
 */
import type { Tool } from "../../contract/index.ts";
import { EFFECTS } from "../../policy/index.ts";
import type { Call, CallRecord } from "../call.ts";
import type { Services } from "../services.ts";

/** For each call. */
const EVERY_MS = 200;

/** What a program has put out last is no part of it. */
export function withProgressEvents(host: Services, call: Call, { id }: CallRecord, { name, effect }: Tool): Call {
  if (!host.audit.isHeard) return call;
  const { namesPathsOnly } = EFFECTS[effect];
  let notBefore = -Infinity;
  return {
    ...call,
    onProgress(done, total, what) {
      call.onProgress?.(done, total, what);
      const now = host.clock.monotonicMs();
      if (now < notBefore) return;
      notBefore = now + EVERY_MS;
      host.audit.tell("progress", { call: id, tool: name, done, total, what: namesPathsOnly ? what : undefined });
    },
  };
}
