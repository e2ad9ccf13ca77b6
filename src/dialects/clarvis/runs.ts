/**
 * The answers of Clarvis' `bash` and `monitor_*`: JSON objects. A command that was ended for its time is a failure there.
 */
import { constants } from "node:os";
import { Failure } from "../../base/index.ts";
import type { Show } from "../dialect-table.ts";

interface Ran {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly stopped_by?: string;
  readonly duration_ms: number;
  readonly timeout_ms?: number;
  readonly max_output_bytes?: number;
  readonly stdout: string;
  readonly stdout_bytes: number;
  readonly stderr: string;
  readonly stderr_bytes: number;
  readonly output: { readonly truncated: boolean; readonly spill?: { readonly id: string } };
}

export const ran: Show = ({ structured }) => {
  const answer = structured as unknown as Ran;
  const { exit_code: code, signal, stopped_by: by, timeout_ms } = answer;
  const stdout = streamOf(answer, "stdout");
  const stderr = streamOf(answer, "stderr");
  if (by === "timed_out") {
    const timeout = { timeout_ms, stdout, stderr };
    throw new Failure("timed_out", "Cannot finish the command: its time was over, and it was ended", {
      details: timeout,
    });
  }
  if (by === "too_much_output")
    throw new Failure("over_budget", "Cannot finish the command: it put out too much, and was ended", {
      details: { max_capture_bytes: answer.max_output_bytes, stdout, stderr },
    });
  const signals: Readonly<Record<string, number>> = constants.signals;
  const exit = code ?? (signal === null ? null : 128 + (signals[signal] ?? 0));
  return JSON.stringify({ exit_code: exit, stdout, stderr, signal, timed_out: false });
};

/** What was left out of a stream is said before it, with the place of all of it, which read_file and grep take as a path. */
function streamOf(answer: Ran, stream: "stdout" | "stderr"): string {
  const text = answer[stream];
  const bytes = answer[`${stream}_bytes`];
  const { truncated, spill } = answer.output;
  if (!truncated || bytes <= Buffer.byteLength(text)) return text;
  const rest = spill ? `; full output written to ${spill.id}` : "";
  return `[... output truncated: a part of ${bytes} bytes is shown${rest} ...]\n${text}`;
}

interface Watched {
  readonly id: string;
  readonly status: string;
  readonly text: string;
  readonly next_offset: number;
  readonly total_bytes: number;
  readonly held_bytes?: number;
  readonly exit_code?: number | null;
  readonly stopped_by?: string;
  readonly found?: boolean;
}

export const started: Show = ({ given, structured }) => {
  const { id, status, text, next_offset: next, found } = structured as unknown as Watched;
  const isAsked = given["ready_when"] !== undefined;
  const output = isAsked ? { output: text, next_offset: next } : { output: "", next_offset: 0 };
  return JSON.stringify({ id, running: status === "running", ready: isAsked ? found === true : null, ...output });
};

export const polled: Show = ({ given, structured }) => {
  const watched = structured as unknown as Watched;
  const { status, total_bytes: total, exit_code: code, stopped_by: by, held_bytes: held = 0 } = watched;
  const running = status === "running";
  let { text: output, next_offset: next } = watched;
  const isMore = next + held < total;
  const end = output.lastIndexOf("\n") + 1;
  // A line that is not whole yet is given with its end; of lines that were picked it is left out already.
  if (!isMore && running && end > 0 && given["match"] === undefined) {
    next -= Buffer.byteLength(output.slice(end));
    output = output.slice(0, end);
  }
  if (isMore) output += `\n[... more output buffered; continue with offset=${next} ...]`;
  const exit = by === undefined ? (code ?? null) : null;
  return JSON.stringify({ running, output, next_offset: next, exit_code: running ? null : exit });
};

export const stopped: Show = ({ structured }) => JSON.stringify({ stopped: true, id: structured["id"] });

interface Listed {
  readonly id: string;
  readonly command: string;
  readonly status: string;
  readonly started: string;
  readonly cwd?: string;
}

export const monitors: Show = ({ structured }) => {
  const listed = (structured["processes"] ?? []) as readonly Listed[];
  const rows = listed.map(({ id, command, status, started: time, cwd }) => ({
    id,
    command,
    running: status === "running",
    started_at: Date.parse(time),
    cwd,
  }));
  return JSON.stringify({ monitors: rows.sort((a, b) => b.started_at - a.started_at) });
};
