/**
 * The clients that people use, as data (`client.ts` says what a row is, `table` has one file for each), and what is made of it:
 * edits of their files that change nothing else (`edit`), a judgement of what their files say (`judge-client.ts`), and what their
 * hooks mean (`guard`). It may import `base` and `text`.
 */
export type { ClientFile, ClientName, ClientRow, ClientScope, Json, ClientPlaces, Setup } from "./client.ts";
export type { EditPiece } from "./edit/edit-text.ts";
export { judgeClient, type ClientJudgement } from "./judge-client.ts";
export { freshText, planFile, takeOut, type PlannedFile } from "./plan-file.ts";
export type { GuardedName, GuardRow, HookAnswer } from "./guard/guard-row.ts";
export { GUARDS } from "./guard/guard-table.ts";
export type { GuardCall } from "./guard/own-calls.ts";
export { readHook, type ToldHook, type ToolMeaning } from "./guard/read-hook.ts";
export { CLIENTS } from "./table/client-table.ts";
export { SERVER } from "./table/entry.ts";
export { OTHER_CLIENTS, printedText, type PrintedClient } from "./table/other-clients.ts";
