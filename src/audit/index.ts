/**
 * The record of what was asked, decided and done; whether it was tampered with; and its forms for people and collectors. It
 * may import `base`, `files` and `state`.
 */
export { openAuditLog, type AuditFields, type AuditLog, type AuditOptions } from "./audit-log.ts";
export { EXPORT_FORMATS, exportAudit, type ExportFormat } from "./export.ts";
export { AuditReader, readAudit, type AuditFilter, type AuditLine } from "./segment.ts";
export { makeReceipt, type Receipt } from "./receipt.ts";
export { checkPublicKey, verifyReceipt, type ReceiptReport } from "./verify-receipt.ts";
export { hasSigningKey, openSigningKey } from "./chain.ts";
export { verifyAudit, type AuditReport } from "./verify.ts";
export { findSessions, readSession, type SessionFacts, type SessionSegments } from "./sessions.ts";
export { readEvents } from "./read-events.ts";
export { eventOf, fieldsOf, isSegmentId, linesOf } from "./read-lines.ts";
