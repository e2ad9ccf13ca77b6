/**
 * How a command ended, as text and as data: how first, then its output, then what else there is to know.
 */
import * as z from "zod";
import type { ProcessAnswer, RunAnswer, ToolResult, TrackedFile } from "../../contract/index.ts";
import { count, formatBytes } from "../../text/index.ts";
import { noteOf } from "../answer.ts";

export const runResult = (): z.ZodObject =>
  z.looseObject({
    command: z.string(),
    cwd: z.string(),
    exit_code: z.number().nullable(),
    signal: z.string().nullable(),
    duration_ms: z.number(),
    stdout: z.string(),
    stderr: z.string(),
    output: z.looseObject({ text: z.string(), total_bytes: z.number(), truncated: z.boolean() }),
  });

export const processResult = (): z.ZodObject =>
  z.looseObject({
    id: z.string(),
    pid: z.number(),
    command: z.string(),
    cwd: z.string(),
    status: z.enum(["running", "ended"]),
    duration_ms: z.number(),
    text: z.string(),
    stdout: z.string().optional(),
    stderr: z.string().optional(),
    next_offset: z.number(),
  });

export function showRun(answer: RunAnswer): ToolResult {
  const { output } = answer;
  const errors =
    output.truncated && output.errors.length > 0
      ? `\nLines left out above that look like errors:\n${output.errors.join("\n")}`
      : "";
  const body = output.text === "" ? "[no output]" : output.text.replace(/\n$/, "");
  return {
    text: `${howItEnded(answer)}\n${body}${errors}`,
    note: noteOf(whole(output), held(answer), left(answer), files(answer), `Fence: ${answer.fence}`),
    structured: { ...answer },
    ...(output.truncated ? { truncated: true } : {}),
  };
}

export function showProcess(answer: ProcessAnswer): ToolResult {
  const { id, pid, status, text, next_offset, total_bytes, found } = answer;
  const ended = status === "ended" ? ` with ${codeOf(answer.exit_code, answer.signal)}` : "";
  const waited = found === undefined ? "" : found ? "What was waited for is there" : "What was waited for did not come";
  return {
    text: `${id} ${status}${ended}, pid ${pid}\n${text === "" ? "[no new output]" : text.replace(/\n$/, "")}`,
    note: noteOf(
      waited,
      next_offset < total_bytes &&
        // Some dialects know a program by its number only.
        `${total_bytes - next_offset} bytes more: process_output {"id":"${id}","pid":${pid},"offset":${next_offset}}`,
    ),
    structured: { ...answer },
  };
}

const STOPPED: Readonly<Record<string, string>> = {
  timed_out: "Ended because its time was over",
  cancelled: "Ended because the call was cancelled",
  stopped: "Stopped",
  too_many_processes: "Ended because it started too many processes",
  too_much_output: "Ended because it put out too much",
};

function howItEnded({ exit_code, signal, duration_ms, stopped_by }: RunAnswer): string {
  const how = codeOf(exit_code, signal);
  const time = duration_ms < 1000 ? `${duration_ms} ms` : `${(duration_ms / 1000).toFixed(1)} s`;
  return stopped_by === undefined ? `${how}, ${time}` : `${STOPPED[stopped_by]} (${how}, ${time})`;
}

/** How a program ended. */
export function codeOf(code: number | null | undefined, signal: string | null | undefined): string {
  return signal ? `signal ${signal}` : `exit code ${code ?? "unknown"}`;
}

function whole({ truncated, total_bytes, total_lines, spill }: RunAnswer["output"]): string | undefined {
  if (!truncated) return undefined;
  const size = `${formatBytes(total_bytes)}${total_lines === undefined ? "" : `, ${total_lines} lines`}`;
  if (!spill) return `The output was cut: ${size} in all`;
  const kept = spill.bytes < total_bytes ? `The first ${formatBytes(spill.bytes)}` : "All of it";
  return `The output was cut: ${size} in all. ${kept}: read_file {"path":"${spill.id}"}, or grep with that path`;
}

function held({ holders }: RunAnswer): string | undefined {
  if (holders.length === 0) return undefined;
  return `It ended, but ${holders.join(", ")} held its output and was ended too; process_start is for what goes on`;
}

function left(answer: RunAnswer): string | undefined {
  return answer.left.length === 0 ? undefined : `It left ${answer.left.join(", ")}, which was ended`;
}

function files({ files: tracked, undo }: RunAnswer): string | undefined {
  if (tracked === undefined) return undefined;
  const undone = undo && `${count(undo.files.length, "file")} can be undone as ${undo.transaction}`;
  if (tracked === "untracked") {
    const why = "Which files it changed was not found out: there are too many (untracked)";
    return undone === undefined ? why : `${why}. Of what was kept before, ${undone}`;
  }
  if (tracked.total === 0) return "It changed no files";
  const parts = [
    named("created", tracked.created),
    named("changed", tracked.changed),
    named("removed", tracked.removed),
  ];
  const all = `${count(tracked.total, "file")}: ${parts.filter(Boolean).join("; ")}`;
  if (undone === undefined) return `${all}. This cannot be undone by the host`;
  if (undo && undo.files.length >= tracked.total) return `${all}. ${undone}`;
  return `${all}. ${undone}, the others cannot`;
}

function named(what: string, found: readonly TrackedFile[]): string {
  if (found.length === 0) return "";
  const names = found.slice(0, MAX_NAMED).map((file) => `${file.path} (${statOf(file)})`);
  return `${what} ${names.join(", ")}${found.length > MAX_NAMED ? ", ..." : ""}`;
}

/** `+3 -1` of a text that was kept, else its sizes. */
function statOf({ added = 0, removed = 0, size_before: before, size_after: after }: TrackedFile): string {
  if (added + removed > 0) return `+${added} -${removed}`;
  const sizes = [before, after].filter((size) => size !== undefined).map(formatBytes);
  return [...new Set(sizes)].join(" to ");
}

const MAX_NAMED = 20;
