/**
 * Which protocol revision one request speaks, and what is known of its client. It is decided per request: one process
 * serves both eras and scripts at once, and nothing that came before makes a modern request anything else.
 */
import type { About } from "./about.ts";
import { modernClient, SCRIPT, type ClientFacts } from "./client-facts.ts";
import { handshakeRevision, scriptRevision } from "./handshake/index.ts";
import { checkModernMeta, createModernRevision, hasModernMeta, missingMeta, type MetaProblem } from "./modern/index.ts";
import type { Revision } from "./revision.ts";

export interface EraState {
  /** Who `initialize` was answered to in this process. */
  handshake: ClientFacts | undefined;
  readonly strict: boolean;
}

export type Choice = { readonly revision: Revision; readonly client: ClientFacts } | { readonly problem: MetaProblem };

export function createRevisionChooser(
  about: About,
): (method: string, params: Readonly<Record<string, unknown>>, state: EraState) => Choice {
  const modern = createModernRevision(about);
  const script: Choice = { revision: scriptRevision, client: SCRIPT };
  return (method, params, state) => {
    const meta = params["_meta"];
    const known = typeof meta === "object" && meta !== null ? (meta as Readonly<Record<string, unknown>>) : undefined;
    if (known && hasModernMeta(known)) {
      const problem = checkModernMeta(known);
      return problem ? { problem } : { revision: modern, client: modernClient(known) };
    }
    if (state.handshake) return { revision: handshakeRevision, client: state.handshake };
    if (method === "initialize") return { revision: handshakeRevision, client: SCRIPT };
    return state.strict ? { problem: missingMeta() } : script;
  };
}
