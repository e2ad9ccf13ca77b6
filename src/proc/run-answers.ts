/**
 * What the launcher answers about a program that it has started: how it ended, what it put out, which files it changed. The
 * names of members are those of the structured answers that clients get.
 */

/** Why it was ended before it ended by itself. */
export type RunStoppedBy = "timed_out" | "cancelled" | "stopped" | "too_many_processes" | "too_much_output";

export interface RunOutcome {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly duration_ms: number;
  readonly stopped_by?: RunStoppedBy;
  /** `name (pid)` of what held its output after its end. */
  readonly holders: readonly string[];
  /** What else it left running, which was ended too. */
  readonly left: readonly string[];
}

export interface DescribedOutput {
  /** Beginning, what was left out, and end. */
  readonly text: string;
  readonly binary: boolean;
  readonly truncated: boolean;
  readonly total_bytes: number;
  readonly total_lines?: number;
  /** Lines that look like errors, of what is not shown. */
  readonly errors: readonly string[];
  /** The whole of it, or its beginning: `read_file` and `grep` take this id as a path. */
  readonly spill?: { readonly id: string; readonly bytes: number };
}

/** Where results are structured: each stream alone, cut like the text of both; together they are never longer than that. */
export interface ApartOutput {
  readonly stdout: string;
  readonly stdout_bytes: number;
  readonly stderr: string;
  readonly stderr_bytes: number;
}

export interface TrackedFile {
  /** Relative to the first root, absolute in the others. */
  readonly path: string;
  readonly size_before?: number;
  readonly size_after?: number;
  /** Lines, of a text whose content was kept before. */
  readonly added?: number;
  readonly removed?: number;
}

export interface TrackedChanges {
  /** At most `MAX_NAMED` each, by name. */
  readonly created: readonly TrackedFile[];
  readonly changed: readonly TrackedFile[];
  readonly removed: readonly TrackedFile[];
  readonly total: number;
}

export interface RunAnswer extends RunOutcome, Partial<ApartOutput> {
  /** The limit of a command that was ended for its output. */
  readonly max_output_bytes?: number | undefined;
  /** The limit of a command that was ended for its time. */
  readonly timeout_ms?: number;
  /** The command line, or the program with its arguments; bounded. */
  readonly command: string;
  readonly output: DescribedOutput;
  readonly fence: string;
  readonly cwd: string;
  /** Absent for a command that changes nothing. */
  readonly files?: TrackedChanges | "untracked";
  /** How to undo what it changed of the files that its declaration had kept; added by the host. */
  readonly undo?: { readonly transaction: string; readonly files: readonly string[] };
}

export interface ProcessState {
  readonly id: string;
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
  readonly status: "running" | "ended";
  /** ISO 8601. */
  readonly started: string;
  /** So far, or in all. */
  readonly duration_ms: number;
  readonly exit_code?: number | null;
  readonly signal?: string | null;
  readonly stopped_by?: RunStoppedBy;
  readonly total_bytes: number;
  readonly processes: number;
  readonly cpu_ms: number;
  readonly memory_bytes: number;
}

export interface ProcessAnswer extends ProcessState {
  readonly text: string;
  /** Absent where they are not kept apart, or where a program changed the stream so often that they cannot be any more. */
  readonly stdout?: string;
  readonly stderr?: string;
  readonly offset: number;
  readonly next_offset: number;
  /** Whether `wait_for` or `ready_when` came. */
  readonly found?: boolean;
  readonly fence?: string;
  /** Behind `next_offset`: the beginning of a line that is not whole, left out where only some lines were asked for. */
  readonly held_bytes?: number;
}
