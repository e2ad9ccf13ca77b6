/**
 * The answers of Clarvis' `bash` and `monitor_*`: JSON objects. A command that was ended for its time is a failure there.
 */
import { constants } from "node:os";
import { Failure } from "../../base/index.ts";
import type { Show } from "../dialect-table.ts";
import { headAsJson, jsonBytes, tailAsJson } from "../fit-answer.ts";

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

export const ran: Show = ({ structured, bytes }) => {
  const answer = structured as unknown as Ran;
  const { exit_code: code, signal, stopped_by: by, timeout_ms } = answer;
  if (by === "timed_out") {
    const timeout = { timeout_ms, ...streamsOf(answer, bytes - ENVELOPE_BYTES) };
    throw new Failure("timed_out", "Cannot finish the command: its time was over, and it was ended", {
      details: timeout,
    });
  }
  if (by === "too_much_output")
    throw new Failure("over_budget", "Cannot finish the command: it put out too much, and was ended", {
      details: { max_capture_bytes: answer.max_output_bytes, ...streamsOf(answer, bytes - ENVELOPE_BYTES) },
    });
  const signals: Readonly<Record<string, number>> = constants.signals;
  const exit = code ?? (signal === null ? null : 128 + (signals[signal] ?? 0));
  const said = (streams: Streams): string => JSON.stringify({ exit_code: exit, ...streams, signal, timed_out: false });
  return said(streamsOf(answer, bytes - said({ stdout: "", stderr: "" }).length));
};

/** What stands around the streams in a failure: its code, its sentences and the limit that was met. */
const ENVELOPE_BYTES = 400;

interface Streams {
  readonly stdout: string;
  readonly stderr: string;
}

function streamsOf(answer: Ran, room: number): Streams {
  const [stdout, stderr] = [jsonBytes(wholeStream(answer, "stdout")), jsonBytes(wholeStream(answer, "stderr"))];
  return {
    stdout: streamOf(answer, "stdout", roomOf(stdout, stderr, room)),
    stderr: streamOf(answer, "stderr", roomOf(stderr, stdout, room)),
  };
}

/** The stream that said less is shown first, with half of the room at most; the other one has what is left. */
function roomOf(own: number, other: number, room: number): number {
  return own <= other ? Math.min(own, Math.max(room / 2, room - other)) : room - roomOf(other, own, room);
}

type Stream = keyof Streams;

function wholeStream(answer: Ran, stream: Stream): string {
  const isCut = answer.output.truncated && answer[`${stream}_bytes`] > Buffer.byteLength(answer[stream]);
  return isCut ? cutNote(answer, stream) + answer[stream] : answer[stream];
}

/** What was left out of a stream is said before it, with the place of all of it, which read_file and grep take as a path. */
function cutNote({ output: { spill }, ...answer }: Ran, stream: Stream): string {
  const rest = spill ? `; full output written to ${spill.id}` : "";
  return `[... output truncated: a part of ${answer[`${stream}_bytes`]} bytes is shown${rest} ...]\n`;
}

/** The beginning and the end of what is too long with its escapes, in whole lines where there are any. */
function streamOf(answer: Ran, stream: Stream, room: number): string {
  const whole = wholeStream(answer, stream);
  if (jsonBytes(whole) <= room) return whole;
  const note = cutNote(answer, stream);
  const half = Math.max(0, (room - jsonBytes(note + LEFT_OUT)) / 2);
  const [head, tail] = [headAsJson(answer[stream], half), tailAsJson(answer[stream], half)];
  const before = head.slice(0, head.lastIndexOf("\n") + 1 || head.length);
  return note + before + LEFT_OUT + tail.slice((tail.indexOf("\n") + 1) % (tail.length || 1));
}

const LEFT_OUT = "[... left out ...]\n";

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

export const started: Show = ({ given, structured, bytes }) => {
  const { id, status, text, next_offset: next, found } = structured as unknown as Watched;
  const isAsked = given["ready_when"] !== undefined;
  const output = isAsked ? { output: text, next_offset: next } : { output: "", next_offset: 0 };
  const said = { id, running: status === "running", ready: isAsked ? found === true : null };
  return JSON.stringify({ ...said, ...output, output: fitOutput(output.output, bytes) });
};

export const polled: Show = ({ given, structured, bytes }) => {
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
  const more = isMore ? `\n[... more output buffered; continue with offset=${next} ...]` : "";
  output = fitOutput(output, bytes - jsonBytes(more)) + more;
  const exit = by === undefined ? (code ?? null) : null;
  return JSON.stringify({ running, output, next_offset: next, exit_code: running ? null : exit });
};

/** The members beside the output. */
const MEMBERS_BYTES = 160;

/** The launcher gives no more than there is room for with every escape, but for bytes that are no text. */
function fitOutput(output: string, bytes: number): string {
  const room = bytes - MEMBERS_BYTES;
  if (jsonBytes(output) <= room) return output;
  return headAsJson(output, room - jsonBytes(UNREADABLE)) + UNREADABLE;
}

const UNREADABLE = "\n[... output truncated: what is no text takes more room; read less of it with match ...]";

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
