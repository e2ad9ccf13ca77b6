/**
 * Keeps the calls of a host in its state folder, where `keep_calls` is on. A folder that takes no more must not fail the calls
 * that are made, so it is said one time and nothing more is kept.
 */
import { logLine } from "../base/index.ts";
import { SessionStore, type KeptCall } from "../state/index.ts";

/** @param session the id of the session, known with the first line of the record */
export function keepInState(stateDir: string, session: () => string): (kept: KeptCall) => void {
  const store = new SessionStore(stateDir);
  let isBroken = false;
  return (kept) => {
    if (isBroken) return;
    try {
      store.append(session(), kept);
    } catch (thrown) {
      isBroken = true;
      logLine(`calls are not kept any more: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  };
}
