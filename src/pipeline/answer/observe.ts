/**
 * The observation of a call, for whoever does not read its text: how it ended, one line for a person, whether something was
 * left out and where the whole is. Made of what the steps before know anyway, because every answer has one: no answer is
 * read again for it.
 */
import { shortenMiddle } from "../../approval/index.ts";
import type { FailureData } from "../../base/index.ts";
import type { Observation } from "../../calls/index.ts";
import { FAILURE_KEY, type Outcome } from "../../mcp/index.ts";
import { namesOf, pathsOf } from "../../policy/index.ts";
import { escapeLine } from "../../text/index.ts";
import type { CallRecord, Work } from "../call.ts";
import { PROPOSAL_KEY } from "../proposal/waiting.ts";
import { masked } from "../record.ts";
import type { Services } from "../services.ts";

/** Where clients and scripts look for it in `_meta`. */
export const OBSERVATION_KEY = "dev.ringfence/observation";

const MAX_NAME_CHARS = 120;

/** @param seen absent for a failure, whose message says what it is about */
export function observe(host: Services, { id }: CallRecord, outcome: Outcome, seen: Work | undefined): Observation {
  const failure = outcome.meta?.[FAILURE_KEY] as FailureData | undefined;
  const { ref } = outcome;
  return {
    status: statusOf(outcome, failure),
    summary: failure?.message ?? (seen ? summaryOf(host, seen, outcome) : ""),
    truncated: outcome.isCut === true,
    ...(ref === undefined ? {} : { ref }),
    audit_id: id,
    ...outcome.counts,
  };
}

function statusOf({ meta, isCancelled, isBroken }: Outcome, failure: FailureData | undefined): Observation["status"] {
  if (failure === undefined) return meta?.[PROPOSAL_KEY] ? "needs_approval" : isCancelled || isBroken ? "error" : "ok";
  if (failure.code === "needs_approval") return failure.code;
  return failure.code === "denied" || failure.code === "outside_scope" ? "denied" : "error";
}

/** `Read file: src/sum.ts, lines 1-120 of 300`. */
function summaryOf(host: Services, made: Work, { said, counts }: Outcome): string {
  const { tool, facts } = made;
  const parts = [nameOf(host, made), counts && countWords(counts), said].filter(Boolean);
  const title = tool.title === "" ? facts.name : tool.title;
  return parts.length === 0 ? title : `${title}: ${parts.join(", ")}`;
}

/** What the call is about: its first path, else a line or an address without its secrets. */
function nameOf(host: Services, { tool, input, targets }: Work): string {
  const request = tool.starts?.(input as never).request;
  const [line] = request?.kind === "shell" ? [request.command] : namesOf(targets);
  if (line !== undefined) return shown(masked(host, line));
  const paths = pathsOf(targets);
  const [path = ""] = paths;
  if (paths === "all" || path === "" || path === ".") return "";
  return paths.length === 1 ? shown(path) : `${shown(path)} and ${paths.length - 1} more`;
}

/** As long as fits into a line; a name may hold anything that commands a terminal. */
function shown(name: string): string {
  const short = shortenMiddle(name, MAX_NAME_CHARS);
  return PLAIN.test(short) ? short : escapeLine(short);
}

/** Most names are, and nothing else is asked of them. */
const PLAIN = /^[ -~]*$/;

function countWords({ matched, returned, at_least }: NonNullable<Outcome["counts"]>): string {
  if (matched === returned && !at_least) return `${returned} ${returned === 1 ? "result" : "results"}`;
  return `${returned} of ${at_least ? "at least " : ""}${matched} results`;
}
