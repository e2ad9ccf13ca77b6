/**
 * The clients that people use, as data (`client.ts` says what a row is, `table` has one file for each), and what is made of it:
 * edits of their files that change nothing else (`edit`), a judgement of what their files say (`judge-client.ts`), and the
 * words of the hooks by which they ask about their own tools (`guard`). It may import `base` and `text`.
 */
export type { ClientFile, ClientName, ClientRow, ClientScope, GuardForm, Json, ClientPlaces, Setup } from "./client.ts";
export type { EditPiece } from "./edit/edit-text.ts";
export { judgeClient, type ClientJudgement } from "./judge-client.ts";
export { freshText, planFile, takeOut, type PlannedFile } from "./plan-file.ts";
export { CLIENTS } from "./table/client-table.ts";
export { OTHER_CLIENTS, type PrintedClient } from "./table/other-clients.ts";
