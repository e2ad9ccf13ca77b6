/**
 * The published JSON schemas, compiled definition by definition when they are first needed.
 */
import Ajv, { type ValidateFunction } from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Version = "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25" | "2026-07-28";

const FOLDER = join(import.meta.dir, "../fixtures/schemas");
const OPTIONS = { strict: false, validateFormats: false, allErrors: false } as const;

/** By method: the definition of its result, and of the message itself where this side sends it. */
const RESULTS: Readonly<Record<string, string>> = {
  initialize: "InitializeResult",
  "server/discover": "DiscoverResult",
  ping: "EmptyResult",
  "logging/setLevel": "EmptyResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "resources/subscribe": "EmptyResult",
  "resources/unsubscribe": "EmptyResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "completion/complete": "CompleteResult",
  "subscriptions/listen": "SubscriptionsListenResult",
  "tasks/get": "GetTaskResult",
  "tasks/update": "UpdateTaskResult",
  "tasks/cancel": "CancelTaskResult",
};
const MESSAGES: Readonly<Record<string, string>> = {
  "roots/list": "ListRootsRequest",
  "elicitation/create": "ElicitRequest",
  "notifications/cancelled": "CancelledNotification",
  "notifications/progress": "ProgressNotification",
  "notifications/message": "LoggingMessageNotification",
  "notifications/tools/list_changed": "ToolListChangedNotification",
  "notifications/resources/list_changed": "ResourceListChangedNotification",
  "notifications/resources/updated": "ResourceUpdatedNotification",
  "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
  "notifications/tasks": "TaskStatusNotification",
  "ringfence/events": "JSONRPCNotification",
  "ringfence/bridge/call": "JSONRPCRequest",
};
/** Shapes of the tasks extension, which has a schema of its own. */
const OF_TASKS: ReadonlySet<string> = new Set([
  "CreateTaskResult",
  "GetTaskResult",
  "UpdateTaskResult",
  "CancelTaskResult",
  "TaskStatusNotification",
]);

/** @throws Error for a message that this project is not known to send: it has no definition here */
export function definitionOf(method: string, what: "message" | "result" = "message"): string {
  if (what === "result") return RESULTS[method] ?? "Result";
  const definition = MESSAGES[method];
  if (definition === undefined) throw new Error(`no definition is known for ${method}`);
  return definition;
}

/** What is wrong with it, or `undefined`. */
export function schemaProblem(version: Version, definition: string, value: unknown): string | undefined {
  const name = OF_TASKS.has(definition) ? "tasks" : version;
  const validate = validatorOf(name, definition);
  if (validate(value)) return undefined;
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`).join("; ");
}

const engines = new Map<string, Ajv>();
const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string, definition: string): ValidateFunction {
  const key = `${name}#${definition}`;
  const known = validators.get(key);
  if (known) return known;
  const made = engineOf(name).getSchema(`${name}#/${placeOf(name)}/${definition}`);
  if (!made) throw new Error(`the schema of ${name} has no ${definition}`);
  validators.set(key, made);
  return made;
}

function engineOf(name: string): Ajv {
  const known = engines.get(name);
  if (known) return known;
  const schema = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as object;
  const engine = placeOf(name) === "$defs" ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  engine.addSchema(schema, name);
  engines.set(name, engine);
  return engine;
}

function placeOf(name: string): "$defs" | "definitions" {
  return name < "2025-11-25" ? "definitions" : "$defs";
}
