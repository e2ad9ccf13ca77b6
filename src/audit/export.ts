/**
 * The record in the forms that collectors take: OpenTelemetry log records as OTLP/JSON, and OCSF events of the class API
 * Activity. https://opentelemetry.io/docs/specs/otlp/ · https://schema.ocsf.io/1.4.0/classes/api_activity
 */
import type { AuditLine } from "./segment.ts";

export type ExportFormat = "otlp" | "ocsf";

export const EXPORT_FORMATS: readonly ExportFormat[] = ["otlp", "ocsf"];

/** One JSON document for OTLP; one event a line for OCSF. */
export function exportAudit(lines: readonly AuditLine[], format: ExportFormat, version: string): string {
  if (format === "ocsf") return lines.map((line) => JSON.stringify(ocsfEvent(line, version))).join("\n");
  const resource = {
    attributes: [attribute("service.name", "ringfence"), attribute("service.version", version)],
  };
  const scopeLogs = [{ scope: { name: "ringfence.audit" }, logRecords: lines.map(otlpRecord) }];
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] });
}

const isBad = (line: AuditLine): boolean => line.event === "failed" || line["decision"] === "deny";

function otlpRecord(line: AuditLine): object {
  const { time, event, id, ...fields } = line;
  return {
    timeUnixNano: `${Date.parse(time)}000000`,
    severityNumber: isBad(line) ? 13 : 9,
    severityText: isBad(line) ? "WARN" : "INFO",
    eventName: `ringfence.${event}`,
    body: { stringValue: event },
    attributes: [
      attribute("ringfence.id", id),
      ...Object.entries(fields).map(([key, value]) => attribute(`ringfence.${key}`, value)),
    ],
  };
}

function attribute(key: string, value: unknown): object {
  if (typeof value === "boolean") return { key, value: { boolValue: value } };
  if (Number.isInteger(value)) return { key, value: { intValue: String(value) } };
  if (typeof value === "number") return { key, value: { doubleValue: value } };
  return { key, value: { stringValue: typeof value === "string" ? value : JSON.stringify(value) } };
}

/** The activities of the class: create, read, update, delete, other. */
const READ = 2;
const OTHER = 99;
const API_ACTIVITY = 6003;

function ocsfEvent(line: AuditLine, version: string): object {
  const { time, event, id, ...fields } = line;
  const activity = event === "completed" && fields["changes"] !== true ? READ : OTHER;
  return {
    metadata: {
      version: "1.4.0",
      uid: id,
      product: { name: "ringfence", vendor_name: "ringfence", version },
    },
    time: Date.parse(time),
    category_uid: 6,
    class_uid: API_ACTIVITY,
    activity_id: activity,
    type_uid: API_ACTIVITY * 100 + activity,
    severity_id: isBad(line) ? 3 : 1,
    status_id: isBad(line) ? 2 : 1,
    message: event,
    api: { operation: typeof fields["tool"] === "string" ? fields["tool"] : event },
    actor: { app_name: typeof fields["client"] === "string" ? fields["client"] : "unknown" },
    src_endpoint: { name: "stdio" },
    unmapped: fields,
  };
}
