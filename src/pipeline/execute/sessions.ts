/**
 * The power `sessions`: what the record and the state folder have of earlier runs. Its code is loaded with its first call.
 */
import type { SessionsApi } from "../../contract/index.ts";
import type * as recorded from "../../recorded/index.ts";
import { openStateFolder } from "../../state/index.ts";
import type { Services } from "../services.ts";

const load = async (): Promise<typeof recorded> => await import("../../recorded/index.ts");

export function createSessions(host: Services): SessionsApi {
  const folder = openStateFolder(host.config.stateDir);
  return {
    async list({ limit }) {
      // This session is among them, with all that it has recorded.
      host.audit.write();
      return await (await load()).listSessions(folder, limit);
    },
    async kept({ id }) {
      const { keptOf, refuseRunning, sessionById } = await load();
      const session = await sessionById(folder, id);
      refuseRunning(session);
      return keptOf(folder, session);
    },
    async delete({ id }) {
      const { deleteSession, sessionById } = await load();
      const deleted = deleteSession(folder, await sessionById(folder, id));
      host.audit.record("session_deleted", { session: id, calls_bytes: deleted.calls_bytes, outputs: deleted.outputs });
      return deleted;
    },
  };
}
