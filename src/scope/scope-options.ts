/**
 * What a scope is opened with: the roots, and everything that is taken away from them.
 */
import type { Containment } from "./choose-backend.ts";
import type { Closes, MayClose } from "./deny-by-root.ts";
import type { RootSpec } from "./roots.ts";

/** What the roots of a client leave of the roots. */
export interface Narrowed {
  /** Canonical directories that are left; all of them by default, nothing when it is empty. */
  readonly within?: readonly string[] | undefined;
  /** What the client named as its roots; for the words of a failure. */
  readonly offered?: readonly string[] | undefined;
}

export interface ScopeOptions extends Narrowed {
  readonly roots: readonly RootSpec[];
  /** Patterns relative to each root. */
  readonly deny?: readonly string[];
  /** Absolute directories that no tool may see, for example the state folder. */
  readonly hidden?: readonly string[];
  /** What holds secrets. */
  readonly isSecret?: Closes | undefined;
  readonly maySecretsBeIn?: MayClose | undefined;
  /** What a rule of the policy keeps from the tool that this scope is for. */
  readonly closes?: Closes | undefined;
  readonly containment?: Containment;
  /** Descriptors of the roots that somebody else opened, holds and closes, by index. */
  readonly rootFds?: readonly number[];
}
