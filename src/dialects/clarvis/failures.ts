/**
 * Clarvis' envelope of a failure, `{"error": code, "message": ...}` with more members by its code. Its codes are finer than
 * ours in one thing: a directory where a file was wanted, and the other way round, is `not_a_file`.
 */
import type { FailureData } from "../../base/index.ts";
import type { FailedCall } from "../dialect-table.ts";

const CODES: Readonly<Record<FailureData["code"], string>> = {
  invalid_input: "invalid_input",
  not_found: "not_found",
  already_exists: "invalid_input",
  outside_scope: "path_escape",
  denied: "denied",
  needs_approval: "denied",
  not_text: "is_binary",
  too_large: "too_large",
  no_match: "no_match",
  ambiguous: "ambiguous_match",
  stale: "io_error",
  conflict: "io_error",
  busy: "io_error",
  timed_out: "timeout",
  cancelled: "aborted",
  command_failed: "io_error",
  unsupported: "invalid_input",
  disk_full: "io_error",
  over_budget: "output_limit",
  internal: "internal",
};

/** As our messages say it, behind the name of what was asked for. */
const OTHER_KIND =
  /: (?:it is a directory|it is a file, not a directory|".*" is not a directory|a directory has that name|something else has that name)/;

/** What the system refuses, as our messages say it. There `denied` is only what a rule refuses. */
const REFUSED_BY_SYSTEM =
  /: (?:the operating system does not permit it|the file system is read-only|something is mounted there)/;

/** No program can be started with it in an argument. */
const NUL = "NUL byte";

export function errorCodeOf({ code, message, details = {} }: FailureData, name: string): string {
  if (code === "denied" && REFUSED_BY_SYSTEM.test(message)) return "io_error";
  if (name === "bash" && message.includes(NUL)) return "io_error";
  if (OTHER_KIND.test(message) || details["reason"] === "not_a_directory") return "not_a_file";
  if (details["reason"] === "not_an_image") return "not_an_image";
  if (name === "apply_patch" && (code === "no_match" || code === "ambiguous")) return "patch_failed";
  if (name.startsWith("monitor_") && code === "not_found" && message.startsWith("Cannot find"))
    return "monitor_not_found";
  if (name === "monitor_start" && code === "busy") return "too_many_monitors";
  return CODES[code];
}

export function envelope(failure: FailureData, { name, given }: FailedCall): string {
  const { message, hint } = failure;
  const stop = /[.!?]$/.test(message) ? "" : ".";
  const error = errorCodeOf(failure, name);
  const said = [`${message}${stop}`, hint, ...adviceOf(error, failure)].filter((one) => one !== "").join(" ");
  return JSON.stringify({ error, message: firstWords(failure, name, error) + said, ...membersOf(failure, given) });
}

/** What their agents are told beside it, in the words that they know. */
function adviceOf(error: string, { message, hint }: FailureData): string[] {
  const isLoose = message.includes("without regard to its blanks");
  if (error === "ambiguous_match" && isLoose) return ["A whitespace-tolerant match must be the only one."];
  if (error !== "no_match") return [];
  const exact = "old_string must match the file byte-for-byte, without the line-number prefixes that read_file shows.";
  return hint.includes("blanks") ? ["Its whitespace differs.", exact] : [exact];
}

/** The reasons of a patch that cannot be read, in the words by which they are known there. */
const PATCH_WORDS: Readonly<Record<string, string>> = {
  not_a_patch: "Malformed patch: ",
  no_hunks: "The patch has no applicable hunks: ",
  bad_header: "The patch is missing a valid file path or has no applicable hunks: ",
};

/** What is wrong in an expression has a place in it. */
function isRegex(details: Readonly<Record<string, unknown>>): boolean {
  return "column" in details;
}

function firstWords({ code, message, details = {} }: FailureData, name: string, error: string): string {
  if (name === "bash" && error === "io_error")
    return message.includes(NUL) ? "Failed to spawn command: " : "Failed to run command: ";
  if (name === "replace" && code === "invalid_input")
    return message.includes("empty text")
      ? "The pattern matches the empty string: "
      : isRegex(details)
        ? "Invalid regex: "
        : "";
  if (code === "already_exists") return "The path already exists: ";
  const reason = details["reason"];
  return name === "apply_patch" && typeof reason === "string" ? (PATCH_WORDS[reason] ?? "") : "";
}

interface Problem {
  readonly file?: string;
  readonly hunk?: number;
}

function membersOf({ details = {}, code }: FailureData, given: Readonly<Record<string, unknown>>): object {
  const { edit, total_lines: lines, problems, reason: _, operation: __, ...rest } = details;
  const [problem] = (problems ?? []) as readonly Problem[];
  return {
    ...(code === "timed_out" || "max_capture_bytes" in details ? rest : {}),
    ...(code === "too_large" ? { size: details["size"], limit: details["limit"] } : {}),
    ...(code === "ambiguous" && "lines" in details ? { lines: details["lines"] } : {}),
    ...(lines === undefined ? {} : { line_count: lines }),
    ...(edit === undefined || !Array.isArray(given["edits"]) ? {} : { index: edit }),
    ...(problem ? { file: problem.file, hunk: problem.hunk } : {}),
  };
}
