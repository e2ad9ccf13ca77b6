/**
 * The types of search tools: what they take and what they answer.
 *
 * Written by `bun run docs` from the schemas of src/tools; edit those files, not this one.
 */

/** Find files by pattern: the arguments of `glob`. */
export interface GlobArguments {
  /** The glob pattern, matched against the path below `path`. `*` stays in one directory, `**` crosses them. */
  readonly pattern: string;
  /** The directory to look in. Default: the first root. */
  readonly path?: string | undefined;
  /** Include names that begin with a dot. */
  readonly hidden?: boolean | undefined;
  /** Also look into what ignore files and the default skips (.git, node_modules, dist, coverage) leave out. */
  readonly no_ignore?: boolean | undefined;
  /** Leave out what matches one of these globs, and what is below it. */
  readonly exclude?: readonly string[] | undefined;
  /** Also directories and links that match; by path. */
  readonly directories?: boolean | undefined;
  /** mtime: newest first; name: by path. Default mtime. */
  readonly sort?: "mtime" | "name" | undefined;
  /** Paths to return. Default 1000 and about 32 KB of them, at most 20000 and what one message holds. */
  readonly limit?: number | undefined;
  /** Where to go on: the cursor of the last answer. */
  readonly cursor?: string | undefined;
}

/** The structured result of `glob`. */
export interface GlobResult {
  readonly paths: readonly string[];
  readonly truncated: boolean;
  readonly totals?: Readonly<Record<string, unknown>> | undefined;
  readonly next?: Readonly<Record<string, unknown>> | undefined;
}

/** Search file contents: the arguments of `grep`. */
export interface GrepArguments {
  /** The regular expression, or the text when literal is true. */
  readonly pattern: string;
  /** The file or directory to search. Default: the first root. */
  readonly path?: string | undefined;
  /** Only files that match one of these globs, for example *.ts. */
  readonly include?: readonly string[] | undefined;
  /** No files that match one of these globs. */
  readonly exclude?: readonly string[] | undefined;
  /** Only files of these types, for example ts, py, rust. */
  readonly type?: readonly string[] | undefined;
  /** Take the pattern as plain text. */
  readonly literal?: boolean | undefined;
  /** smart: insensitive unless the pattern has a capital. Default sensitive. */
  readonly case?: "smart" | "sensitive" | "insensitive" | undefined;
  /** Match whole words only. */
  readonly word?: boolean | undefined;
  /** Match whole lines only. */
  readonly line?: boolean | undefined;
  /** Let a match span lines. */
  readonly multiline?: boolean | undefined;
  /** With multiline: let . match line ends. */
  readonly dotall?: boolean | undefined;
  /** Lines that do not match. */
  readonly invert?: boolean | undefined;
  /** Lines to show before each match. */
  readonly before?: number | undefined;
  /** Lines to show after each match. */
  readonly after?: number | undefined;
  /** Lines to show before and after each match. */
  readonly context?: number | undefined;
  /** content: the lines; files: only paths; count: matches a file. Default content. */
  readonly output?: "content" | "files" | "count" | undefined;
  /** Only the matched part of each line. */
  readonly only_matching?: boolean | undefined;
  /** At most this many matching lines a file. */
  readonly max_count?: number | undefined;
  /** Follow links that stay inside the roots. */
  readonly follow?: boolean | undefined;
  /** search: look into files with NUL bytes as into any other. Default skip. */
  readonly binary?: "skip" | "search" | undefined;
  /** auto: linear time, and PCRE2 (backtracking) only for look-around and back-references; the answer says which. */
  readonly engine?: "auto" | "rust" | "backtracking" | undefined;
  /** Include names that begin with a dot. */
  readonly hidden?: boolean | undefined;
  /** Also look into what ignore files and the default skips (.git, node_modules, dist, coverage) leave out. */
  readonly no_ignore?: boolean | undefined;
  /** Results to return. Default 200 lines, which is also the most, or 1000 files of at most 20000; without a limit about 32 KB of them. */
  readonly limit?: number | undefined;
  /** Where to go on: the cursor of the last answer. */
  readonly cursor?: string | undefined;
}

/** The structured result of `grep`. */
export interface GrepResult {
  readonly matches?:
    | readonly {
        readonly path: string;
        readonly line: number;
        readonly column: number;
        readonly text: string;
      }[]
    | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly counts?:
    | readonly {
        readonly path: string;
        readonly count: number;
      }[]
    | undefined;
  readonly truncated: boolean;
  readonly totals?: Readonly<Record<string, unknown>> | undefined;
  readonly next?: Readonly<Record<string, unknown>> | undefined;
}
