/**
 * The names that the parameters of the extension methods may have. Another one is refused and not passed over: who writes
 * `file` for `files`, or `dryRun` for `dry_run`, asked for less than what would be done without it.
 */
import { Failure } from "../base/index.ts";
import { nearestNames } from "../text/index.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "ringfence/proposals/list": ["check"],
  "ringfence/proposals/get": ["id", "page", "page_bytes"],
  "ringfence/proposals/apply": ["id", "ids", "request", "files", "hunks"],
  "ringfence/proposals/reject": ["id", "reason"],
  "ringfence/history/list": ["check"],
  "ringfence/history/undo": ["transaction", "dry_run"],
  "ringfence/policy/explain": ["name", "arguments"],
  "ringfence/bridge/offer": ["tools"],
  "ringfence/bridge/tools": [],
  "ringfence/grants/list": [],
  "ringfence/grants/add": ["rule", "remember"],
  "ringfence/grants/revoke": ["id"],
};

/** Members that every request may have: what goes with it, and what a client brings back with an answer. */
const EVERYWHERE: readonly string[] = ["_meta", "requestState", "inputResponses"];

/** @throws Failure `invalid_input` */
export function refuseUnknownParams(method: string, params: Readonly<Record<string, unknown>>): void {
  const names = NAMES[method] ?? [];
  const unknown = Object.keys(params).find((name) => !EVERYWHERE.includes(name) && !names.includes(name));
  if (unknown === undefined) return;
  const shown = JSON.stringify(unknown.slice(0, 60));
  const [near] = nearestNames(unknown, names, 1);
  const known = names.length === 0 ? "It takes none." : `It takes ${names.join(", ")}.`;
  throw invalid(`${method} has no ${shown}`, near === undefined ? known : `Did you mean ${near}? ${known}`);
}

export function invalid(state: string, hint?: string): Failure {
  return new Failure("invalid_input", `Cannot read the parameters: ${state}`, hint === undefined ? {} : { hint });
}
