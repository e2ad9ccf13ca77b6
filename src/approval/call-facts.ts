/**
 * A call that waits for approval, as data: what would be carried out, with everything that it is given. The host makes it anew
 * whenever it shows or applies the call; what lies in the state folder serves only those who do not have the tool.
 */

/** A program as it would be started. What is different in each start (its temporary folder) has a name instead. */
export interface ProgramFacts {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Absent: nothing, and the end at once. */
  readonly stdin?: string | undefined;
  /** Values of secrets are left out. */
  readonly environment: Readonly<Record<string, string>>;
  readonly pty: boolean;
  readonly fence: string;
  /** Below them it may read or write; "r" and "rw". */
  readonly reach: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly limits: Readonly<Record<string, number>>;
  /** Which of the changed paths can be undone. */
  readonly kept: readonly string[];
}

export type CallFacts =
  /** `name`: of the command, or the command line. */
  | {
      readonly kind: "run";
      readonly name: string;
      readonly start?: ProgramFacts | undefined;
      /** As it is declared. */
      readonly risk?: string;
      /** The program goes on after the call. */
      readonly background?: boolean;
    }
  | { readonly kind: "foreign"; readonly owner: string; readonly name: string }
  | { readonly kind: "own" };

/** A call as it is kept. */
export interface WaitingCall {
  readonly input: unknown;
  /** Files that it named, which must be as they were. */
  readonly paths: readonly { readonly path: string; readonly hash: string }[];
  readonly facts: CallFacts;
}
