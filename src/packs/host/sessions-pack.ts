/**
 * The sessions on record. Off unless it is asked for: its tools are for people who tidy up, and every listed tool costs a model
 * its attention.
 */
import { definePack, type Pack } from "../../contract/index.ts";
import { sessionsDelete } from "./sessions-delete.ts";
import { sessionsList } from "./sessions-list.ts";
import { SESSIONS_PLAN } from "../plans.ts";

export const sessionsPack: Pack = definePack({ ...SESSIONS_PLAN, tools: [sessionsList, sessionsDelete], powers: [] });
