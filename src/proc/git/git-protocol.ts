/**
 * What the host asks of git and what the launcher answers. The host names a verb with its arguments; where the repository
 * is, what of its configuration counts, the environment and the fence are the launcher's to say.
 */
import type { Narrowed } from "../../scope/index.ts";

export interface GitRequest extends Narrowed {
  /** A file or directory in a root. The repository is the nearest one at it or above it, inside the roots. */
  readonly path: string;
  /** The verb and its arguments. */
  readonly args: readonly string[];
  /** The verb may change the repository. Only where the configuration says so. */
  readonly writes?: boolean | undefined;
  /** So many bytes of its output are answered, and git is ended when there are more. */
  readonly max_bytes: number;
}

/** A repository as it was found. All paths are absolute. */
export interface GitPlace {
  /** The directory of the work tree; of a bare repository that of the repository. */
  readonly top: string;
  readonly isBare: boolean;
  /** The directories of the repository itself: that of this work tree, and the one that all its work trees share. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** What was begun there and is not finished: `merge`, `rebase`, `cherry-pick`, `revert`, `bisect`. */
  readonly doing: readonly string[];
}

export interface GitAnswer {
  readonly exit_code: number | null;
  /** The beginning of its output. A byte that is not UTF-8 stands as a lone surrogate, as in a name. */
  readonly text: string;
  /** There was more of it. */
  readonly cut: boolean;
  /** What it said when it failed, or did more than read. */
  readonly errors: string;
  readonly place: GitPlace;
  readonly fence: string;
}

/** Whether and how git is offered. */
export interface GitUse {
  /** The verbs that change a repository too. */
  readonly write: boolean;
}

/** A request for the repository of a path alone, which starts nothing. */
export interface GitLook extends Narrowed {
  readonly path: string;
}

export interface GitFound {
  readonly place: GitPlace;
  /** The path below the work tree; "" for the whole of it. */
  readonly rel: string;
}

/** Verbs of git that read, with the arguments that the tools give. */
export const GIT_READS: readonly string[] = [
  "status",
  "diff",
  "log",
  "show",
  "blame",
  "for-each-ref",
  "rev-parse",
  "cat-file",
  "ls-files",
  "stash",
];

/** Verbs that change something. */
export const GIT_WRITES: readonly string[] = ["add", "restore", "commit", "switch", "stash"];
