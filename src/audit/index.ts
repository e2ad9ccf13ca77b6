/**
 * The record of what was asked, decided and done.
 */
export { openAuditLog, type AuditLog } from "./audit-log.ts";
