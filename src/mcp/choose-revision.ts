/**
 * Which protocol revision one request speaks. It is decided per request: one process serves both eras and scripts at
 * once, and nothing that came before makes a modern request anything else.
 */
import type { About } from "./about.ts";
import { handshakeRevision, scriptRevision } from "./handshake/index.ts";
import {
  checkModernMeta,
  createModernRevision,
  hasModernMeta,
  missingMeta,
  type MetaProblem,
} from "./modern/index.ts";
import type { Revision } from "./revision.ts";

export interface EraState {
  /** `initialize` was answered in this process. */
  shookHands: boolean;
  readonly strict: boolean;
}

export type Choice = { readonly revision: Revision } | { readonly problem: MetaProblem };

export function createRevisionChooser(
  about: About,
): (method: string, params: Readonly<Record<string, unknown>>, state: EraState) => Choice {
  const modern: Choice = { revision: createModernRevision(about) };
  const handshake: Choice = { revision: handshakeRevision };
  const script: Choice = { revision: scriptRevision };
  return (method, params, state) => {
    const meta = params["_meta"];
    const known =
      typeof meta === "object" && meta !== null ? (meta as Readonly<Record<string, unknown>>) : undefined;
    if (known && hasModernMeta(known)) {
      const problem = checkModernMeta(known);
      return problem ? { problem } : modern;
    }
    if (method === "initialize" || state.shookHands) return handshake;
    return state.strict ? { problem: missingMeta() } : script;
  };
}
