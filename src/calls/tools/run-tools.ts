/**
 * The types of run tools: what they take and what they answer.
 *
 * Written by `bun run docs` from the schemas of src/tools; edit those files, not this one.
 */

/** Open for the person: the arguments of `open_path`. */
export interface OpenPathArguments {
  /** What to show. Relative to the first root, or absolute inside a root. */
  readonly path: string;
}

/** The structured result of `open_path`. */
export interface OpenPathResult {
  readonly path: string;
  readonly shown: boolean;
}

/** Show in file manager: the arguments of `reveal_in_os`. */
export interface RevealInOsArguments {
  /** What to show. Relative to the first root, or absolute inside a root. */
  readonly path: string;
}

/** The structured result of `reveal_in_os`. */
export type RevealInOsResult = OpenPathResult;

/** Shell: the arguments of `shell`. */
export interface ShellArguments {
  /** The command line. */
  readonly command: string;
  /** What it is for, for the person who is asked. */
  readonly description?: string | undefined;
  /** A directory in a root. Default: the first root. */
  readonly cwd?: string | undefined;
  /** Milliseconds after which it is ended; never longer than its declaration says. */
  readonly timeout_ms?: number | undefined;
  /** With a terminal, for programs that need one. */
  readonly pty?: boolean | undefined;
  /** Starts it and returns at once, as process_start does. */
  readonly background?: boolean | undefined;
}

/** The structured result of `shell`. */
export type ShellResult = Readonly<Record<string, unknown>>;

/** Start in the background: the arguments of `process_start`. */
export interface ProcessStartArguments {
  /** Or a bash command line, as for the tool shell. */
  readonly shell?: string | undefined;
  /** Its parameters by name. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** A directory in a root. */
  readonly cwd?: string | undefined;
  /** Text on standard input. Without it there is none. */
  readonly stdin?: string | undefined;
  /** Wait until it is ready. */
  readonly ready_when?:
    | {
        /** This text in its output. */
        readonly text?: string | undefined;
        /** A port that accepts connections. */
        readonly port?: number | undefined;
        /** Default 10000. */
        readonly timeout_ms?: number | undefined;
      }
    | undefined;
}

/** The structured result of `process_start`. */
export interface ProcessStartResult {
  readonly id: string;
  readonly status: "running" | "ended";
  readonly text: string;
  readonly next_offset: number;
}

/** Output of a background program: the arguments of `process_output`. */
export interface ProcessOutputArguments {
  /** Its id, as process_start gave it. */
  readonly id: string;
  /** In bytes. Default: where the last answer ended. */
  readonly offset?: number | undefined;
  /** Default: about 32 KB. */
  readonly max_bytes?: number | undefined;
  /** Wait for this text. */
  readonly wait_for?: string | undefined;
  /** How long to wait. Default 10000. */
  readonly wait_ms?: number | undefined;
}

/** The structured result of `process_output`. */
export type ProcessOutputResult = ProcessStartResult;

/** Background programs: the arguments of `process_list`. */
export type ProcessListArguments = Readonly<Record<string, never>>;

/** The structured result of `process_list`. */
export interface ProcessListResult {
  readonly processes: readonly {
    readonly id: string;
  }[];
}

/** Stop a background program: the arguments of `process_stop`. */
export interface ProcessStopArguments {
  /** Its id, as process_start gave it. */
  readonly id: string;
  /** Default 2000. */
  readonly grace_ms?: number | undefined;
}

/** The structured result of `process_stop`. */
export type ProcessStopResult = ProcessStartResult;
