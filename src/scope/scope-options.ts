/**
 * What a scope is opened with: the roots, and everything that is taken away from them.
 */
import type { Containment } from "./choose-backend.ts";
import type { Closes, MayClose } from "./deny-by-root.ts";
import type { RootSpec } from "./roots.ts";

export interface ScopeOptions {
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
  /** Canonical directories that are left of the roots; all of them by default, nothing when it is empty. */
  readonly within?: readonly string[] | undefined;
  readonly containment?: Containment;
  /** Descriptors of the roots that somebody else opened, holds and closes, by index. */
  readonly rootFds?: readonly number[];
}
