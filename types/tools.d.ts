/**
 * The built-in tools by name: what each takes and what it answers; and what the methods of the host take.
 *
 * Written by `bun run docs` from the schemas of src/packs and src/methods; edit those files, not this one.
 */

/** By the name of a tool: its arguments. */
export interface ToolArguments {
  readonly list_directory: ListDirectoryArguments;
  readonly read_file: ReadFileArguments;
  readonly read_files: ReadFilesArguments;
  readonly stat: StatArguments;
  readonly glob: GlobArguments;
  readonly grep: GrepArguments;
  readonly disk_usage: DiskUsageArguments;
  readonly hash_file: HashFileArguments;
  readonly tree: TreeArguments;
  readonly diff_files: DiffFilesArguments;
  readonly system_info: SystemInfoArguments;
  readonly await_review: AwaitReviewArguments;
  readonly write_file: WriteFileArguments;
  readonly edit_file: EditFileArguments;
  readonly append_file: AppendFileArguments;
  readonly create_directory: CreateDirectoryArguments;
  readonly move: MoveArguments;
  readonly copy: CopyArguments;
  readonly delete: DeleteArguments;
  readonly apply_patch: ApplyPatchArguments;
  readonly change_files: ChangeFilesArguments;
  readonly replace: ReplaceArguments;
  readonly open_path: OpenPathArguments;
  readonly reveal_in_os: RevealInOsArguments;
  readonly shell: ShellArguments;
  readonly process_start: ProcessStartArguments;
  readonly process_output: ProcessOutputArguments;
  readonly process_list: ProcessListArguments;
  readonly process_stop: ProcessStopArguments;
}

/** By the name of a tool: its structured result. Later versions may add members. */
export interface ToolResults {
  readonly list_directory: ListDirectoryResult;
  readonly read_file: ReadFileResult;
  readonly read_files: ReadFilesResult;
  readonly stat: StatResult;
  readonly glob: GlobResult;
  readonly grep: GrepResult;
  readonly disk_usage: DiskUsageResult;
  readonly hash_file: HashFileResult;
  readonly tree: TreeResult;
  readonly diff_files: DiffFilesResult;
  readonly system_info: SystemInfoResult;
  readonly await_review: AwaitReviewResult;
  readonly write_file: WriteFileResult;
  readonly edit_file: EditFileResult;
  readonly append_file: AppendFileResult;
  readonly create_directory: CreateDirectoryResult;
  readonly move: MoveResult;
  readonly copy: CopyResult;
  readonly delete: DeleteResult;
  readonly apply_patch: ApplyPatchResult;
  readonly change_files: ChangeFilesResult;
  readonly replace: ReplaceResult;
  readonly open_path: OpenPathResult;
  readonly reveal_in_os: RevealInOsResult;
  readonly shell: ShellResult;
  readonly process_start: ProcessStartResult;
  readonly process_output: ProcessOutputResult;
  readonly process_list: ProcessListResult;
  readonly process_stop: ProcessStopResult;
}

/** The name of a built-in tool. */
export type ToolName = keyof ToolArguments;

/** By the name of a method: its parameters. */
export interface MethodParams {
  readonly "ringfence/proposals/list": {
    /** Whether the files are looked at too, for the lines and the problem of each */
    readonly check?: boolean | undefined;
    /** Only these, by their ids; default: all */
    readonly ids?: readonly string[] | undefined;
  };
  readonly "ringfence/proposals/get": {
    /** The proposal, as `ID@DIGEST` or `ID` */
    readonly id: string;
    /** Which page of the text; default: the first */
    readonly page?: number | undefined;
    /** How long a page is; default: 64 KiB */
    readonly page_bytes?: number | undefined;
    /** Whether diffs are whole, up to 4 Mi characters in all; one that has no room is left out */
    readonly whole_diffs?: boolean | undefined;
  };
  readonly "ringfence/proposals/diff": {
    /** The proposal, as `ID@DIGEST` or `ID` */
    readonly id: string;
    /** The index of the file in `files` */
    readonly file: number;
    /** Where to begin, in UTF-16 units; default: at the beginning */
    readonly from?: number | undefined;
  };
  readonly "ringfence/proposals/compare": {
    /** The proposal, as `ID@DIGEST` or `ID` */
    readonly id: string;
  };
  readonly "ringfence/proposals/text": {
    /** The proposal, as `ID@DIGEST` or `ID` */
    readonly id: string;
    /** The file, as the proposal names it */
    readonly path: string;
    /** Only these files of it, as `path` or `absolute` of the proposal names them */
    readonly files?: readonly string[] | undefined;
    /** For each file, the numbers of the hunks to apply, from 1; `"2.1"` is the first place of change in hunk 2. A file that neither `files` nor `hunks` names is left out */
    readonly hunks?: Readonly<Record<string, readonly (number | string)[]>> | undefined;
  };
  readonly "ringfence/proposals/edit": {
    /** The proposal, as `ID@DIGEST` */
    readonly id: string;
    /** The file, as the proposal names it */
    readonly path: string;
    /** Only these files of it, as `path` or `absolute` of the proposal names them */
    readonly files?: readonly string[] | undefined;
    /** For each file, the numbers of the hunks to apply, from 1; `"2.1"` is the first place of change in hunk 2. A file that neither `files` nor `hunks` names is left out */
    readonly hunks?: Readonly<Record<string, readonly (number | string)[]>> | undefined;
    /** The whole text of the file, instead of the one that was proposed */
    readonly text: string;
  };
  readonly "ringfence/proposals/images": {
    /** The proposal, as `ID@DIGEST` or `ID` */
    readonly id: string;
  };
  readonly "ringfence/proposals/apply": {
    /** The proposal, as `ID@DIGEST`, or as `ID` alone for what this process has proposed */
    readonly id?: string | undefined;
    /** Several of them, applied one after the other; a failure among them stops none */
    readonly ids?: readonly string[] | undefined;
    /** The id of the `tools/call` of this process that made the proposal */
    readonly request?: string | number | undefined;
    /** Only these files of it, as `path` or `absolute` of the proposal names them */
    readonly files?: readonly string[] | undefined;
    /** For each file, the numbers of the hunks to apply, from 1; `"2.1"` is the first place of change in hunk 2. A file that neither `files` nor `hunks` names is left out */
    readonly hunks?: Readonly<Record<string, readonly (number | string)[]>> | undefined;
    /** What the person says about it; the model reads it with the decision */
    readonly comments?:
      | readonly {
          /** The file, as the proposal names it */
          readonly path?: string | undefined;
          /** The line, from 1 */
          readonly line?: number | undefined;
          /** The last line of a range that begins there */
          readonly to?: number | undefined;
          /** The text in which the line counts; default: after */
          readonly side?: "before" | "after" | undefined;
          /** The line itself */
          readonly quote?: string | undefined;
          /** What is said about it */
          readonly text: string;
        }[]
      | undefined;
  };
  readonly "ringfence/proposals/approve": {
    /** The proposal, as `ID@DIGEST` */
    readonly id: string;
  };
  readonly "ringfence/proposals/reject": {
    /** The proposal, as `ID@DIGEST` or `ID` */
    readonly id: string;
    /** Why; it is shown to whoever asks for the same again */
    readonly reason?: string | undefined;
    /** What the person says about it; the model reads it with the decision */
    readonly comments?:
      | readonly {
          /** The file, as the proposal names it */
          readonly path?: string | undefined;
          /** The line, from 1 */
          readonly line?: number | undefined;
          /** The last line of a range that begins there */
          readonly to?: number | undefined;
          /** The text in which the line counts; default: after */
          readonly side?: "before" | "after" | undefined;
          /** The line itself */
          readonly quote?: string | undefined;
          /** What is said about it */
          readonly text: string;
        }[]
      | undefined;
  };
  readonly "ringfence/history/list": {
    /** Whether each can be undone too, which looks at its files */
    readonly check?: boolean | undefined;
  };
  readonly "ringfence/history/undo": {
    /** The id of the change; default: the last that can be undone */
    readonly transaction?: string | undefined;
    /** Whether only to say what would be done; nothing changes then */
    readonly dry_run?: boolean | undefined;
  };
  readonly "ringfence/policy/explain": {
    /** The name of the tool */
    readonly name: string;
    /** The arguments of the call, or some of them */
    readonly arguments?: unknown | undefined;
  };
  readonly "ringfence/grants/list": Readonly<Record<string, never>>;
  readonly "ringfence/grants/add": {
    /** What is allowed */
    readonly rule: string;
    /** Whether the grant is kept, for hosts with the same roots */
    readonly remember?: boolean | undefined;
    /** The roots of the hosts for which it holds; only a host without roots takes them. Default: those of this host */
    readonly roots?: readonly string[] | undefined;
    /** Only in this session, as a proposal and the record name it */
    readonly session?: string | undefined;
    /** For so long; default: until it is revoked */
    readonly minutes?: number | undefined;
  };
  readonly "ringfence/grants/preview": {
    /** The rule that is looked at */
    readonly rule: string;
    /** The roots of the hosts for which it holds; only a host without roots takes them. Default: those of this host */
    readonly roots?: readonly string[] | undefined;
  };
  readonly "ringfence/grants/revoke": {
    /** The id of the grant */
    readonly id: string;
  };
  readonly "ringfence/bridge/offer": {
    /** The tools, as `tools/list` of an MCP server has them */
    readonly tools: readonly unknown[];
  };
  readonly "ringfence/bridge/tools": Readonly<Record<string, never>>;
  readonly "ringfence/spaces/list": Readonly<Record<string, never>>;
  readonly "ringfence/spaces/reload": Readonly<Record<string, never>>;
  readonly "ringfence/spaces/load": {
    /** The id of the space */
    readonly id: string;
  };
  readonly "ringfence/spaces/unload": {
    /** The id of the space */
    readonly id: string;
  };
  readonly "ringfence/events/subscribe": Readonly<Record<string, never>>;
}

/** List directory: the arguments of `list_directory`. */
export interface ListDirectoryArguments {
  /** The directory to look in. Default: the first root. */
  readonly path?: string | undefined;
  /** Also list what is below. Default false. */
  readonly recursive?: boolean | undefined;
  /** Levels of directories. */
  readonly depth?: number | undefined;
  /** Include names that begin with a dot. */
  readonly hidden?: boolean | undefined;
  /** Also look into what ignore files and the default skips (.git, node_modules, dist, coverage) leave out. */
  readonly no_ignore?: boolean | undefined;
  /** Leave out what matches one of these globs, and what is below it. */
  readonly exclude?: readonly string[] | undefined;
  /** name: by path; size: largest first; mtime: newest first. Default name. */
  readonly sort?: "name" | "size" | "mtime" | undefined;
  /** Entries to return. Default and most: 1000; without a limit about 32 KB of them. */
  readonly limit?: number | undefined;
  /** Where to go on: the cursor of the last answer. */
  readonly cursor?: string | undefined;
}

/** The structured result of `list_directory`. */
export interface ListDirectoryResult {
  readonly entries: readonly {
    readonly path: string;
    readonly type: string;
  }[];
  readonly matched?: number | undefined;
  readonly returned?: number | undefined;
  readonly truncated: boolean;
  readonly totals?: Readonly<Record<string, unknown>> | undefined;
  readonly next?: Readonly<Record<string, unknown>> | undefined;
}

/** Read file: the arguments of `read_file`. */
export interface ReadFileArguments {
  /** The file. Relative to the first root, or absolute inside a root. */
  readonly path: string;
  /** First line, 1-based; negative counts from the end (-20: the last 20 lines). With encoding base64: first byte. Default 1. */
  readonly offset?: number | undefined;
  /** Lines to return (with encoding base64: bytes), at most 1 MB. Default 2000, and about 32 KB of them. */
  readonly limit?: number | undefined;
  /** Put the line number and a tab before each line. Never copy these into an edit. */
  readonly line_numbers?: boolean | undefined;
  /** auto finds UTF-8 and UTF-16 by itself; base64 returns raw bytes. Default auto. */
  readonly encoding?:
    | "auto"
    | "utf-8"
    | "utf-8-bom"
    | "utf-16le"
    | "utf-16be"
    | "windows-1252"
    | "iso-8859-1"
    | "windows-1251"
    | "shift_jis"
    | "gbk"
    | "euc-kr"
    | "euc-jp"
    | "big5"
    | "iso-8859-15"
    | "windows-1250"
    | "base64"
    | undefined;
  /** Answer only `unchanged` when the content still has this hash; known: that of the last read. */
  readonly unless_hash?: string | undefined;
}

/** The structured result of `read_file`. */
export interface ReadFileResult {
  readonly text?: string | undefined;
  readonly encoding?: string | undefined;
  readonly first_line?: number | undefined;
  readonly lines?: number | undefined;
  readonly total_lines?: number | undefined;
  readonly hash?: string | undefined;
  readonly truncated?: boolean | undefined;
}

/** Read files: the arguments of `read_files`. */
export interface ReadFilesArguments {
  /** The files, with a range of lines each if wanted. */
  readonly files: readonly {
    /** The file. Relative to the first root, or absolute inside a root. */
    readonly path: string;
    /** First line, 1-based; negative counts from the end. Default 1. */
    readonly offset?: number | undefined;
    /** Lines to return. Default 2000, and a share of about 32 KB. */
    readonly limit?: number | undefined;
  }[];
}

/** The structured result of `read_files`. */
export interface ReadFilesResult {
  readonly files: readonly {
    readonly path: string;
  }[];
  readonly truncated: boolean;
}

/** File status: the arguments of `stat`. */
export interface StatArguments {
  /** The file, directory or link. Relative to the first root, or absolute inside a root. */
  readonly path: string;
  /** Also compute the content hash. Default false. */
  readonly hash?: boolean | undefined;
  /** Also say whether a file is binary, and its MIME type. Default false. */
  readonly kind?: boolean | undefined;
}

/** The structured result of `stat`. */
export interface StatResult {
  readonly path: string;
  readonly type: string;
  readonly size: number;
  readonly mtime: string;
  readonly mode: string;
  readonly hash?: string | undefined;
  readonly binary?: boolean | undefined;
  readonly mime?: string | undefined;
}

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
  readonly matched?: number | undefined;
  readonly returned?: number | undefined;
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
  /** Results to pass over first. Default 0. */
  readonly skip?: number | undefined;
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
  readonly matched?: number | undefined;
  readonly returned?: number | undefined;
  readonly truncated: boolean;
  readonly totals?: Readonly<Record<string, unknown>> | undefined;
  readonly next?: Readonly<Record<string, unknown>> | undefined;
}

/** Disk usage: the arguments of `disk_usage`. */
export interface DiskUsageArguments {
  /** The directory to look in. Default: the first root. */
  readonly path?: string | undefined;
  /** Levels of children to name. Default 1. */
  readonly depth?: number | undefined;
  /** Children to name, largest first. Default 20. */
  readonly limit?: number | undefined;
}

/** The structured result of `disk_usage`. */
export interface DiskUsageResult {
  readonly bytes: number;
  readonly files: number;
  readonly directories: number;
  readonly children: readonly {
    readonly path: string;
    readonly bytes: number;
  }[];
  readonly matched?: number | undefined;
  readonly returned?: number | undefined;
}

/** Hash files: the arguments of `hash_file`. */
export interface HashFileArguments {
  /** The file. Give this or paths. */
  readonly path?: string | undefined;
  /** The files. Give this or path. */
  readonly paths?: readonly string[] | undefined;
  /** blake2b is BLAKE2b-256. Default sha256. */
  readonly algorithm?: "sha256" | "sha1" | "md5" | "blake2b" | undefined;
}

/** The structured result of `hash_file`. */
export interface HashFileResult {
  readonly hashes: readonly {
    readonly path: string;
    readonly algorithm?: string | undefined;
    readonly hash?: string | undefined;
  }[];
}

/** Directory tree: the arguments of `tree`. */
export interface TreeArguments {
  /** The directory to look in. Default: the first root. */
  readonly path?: string | undefined;
  /** Levels of directories. Default 4. */
  readonly depth?: number | undefined;
  /** Include names that begin with a dot. */
  readonly hidden?: boolean | undefined;
  /** Also look into what ignore files and the default skips (.git, node_modules, dist, coverage) leave out. */
  readonly no_ignore?: boolean | undefined;
  /** Entries to return. Default and most: 1000; without a limit about 32 KB of them. */
  readonly limit?: number | undefined;
}

/** The structured result of `tree`. */
export interface TreeResult {
  readonly text: string;
  readonly matched?: number | undefined;
  readonly returned?: number | undefined;
  readonly truncated: boolean;
  readonly totals?: Readonly<Record<string, unknown>> | undefined;
  readonly next?: Readonly<Record<string, unknown>> | undefined;
}

/** Compare files: the arguments of `diff_files`. */
export interface DiffFilesArguments {
  /** The first file. Relative to the first root, or absolute inside a root. */
  readonly a: string;
  /** The second file. Give this or text. */
  readonly b?: string | undefined;
  /** The text to compare with. Give this or b. */
  readonly text?: string | undefined;
  /** Unchanged lines around each change. Default 3. */
  readonly context?: number | undefined;
}

/** The structured result of `diff_files`. */
export interface DiffFilesResult {
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly identical: boolean;
  readonly truncated: boolean;
}

/** About this host: the arguments of `system_info`. */
export type SystemInfoArguments = Readonly<Record<string, never>>;

/** The structured result of `system_info`. */
export interface SystemInfoResult {
  readonly version: string;
  readonly platform: string;
  readonly fence: string;
  readonly containment: string;
  readonly durability: string;
  readonly roots: readonly {
    readonly path: string;
    readonly access: string;
  }[];
  readonly within?: readonly string[] | undefined;
  readonly narrowed?: string | undefined;
  readonly limits: Readonly<Record<string, number>>;
}

/** Wait for a review: the arguments of `await_review`. */
export interface AwaitReviewArguments {
  /** Ids of proposals. Default: all that this host has proposed and that are undecided. */
  readonly ids?: readonly string[] | undefined;
  /** How long to wait at most. Default 50; 0 only looks. */
  readonly seconds?: number | undefined;
}

/** The structured result of `await_review`. */
export interface AwaitReviewResult {
  readonly proposals: readonly {
    readonly id: string;
    readonly status: string;
    readonly text: string;
  }[];
}

/** Write file: the arguments of `write_file`. */
export interface WriteFileArguments {
  /** The file. Relative to the first root, or absolute inside a root. */
  readonly path: string;
  /** The whole new content; base64 when encoding is base64. */
  readonly content: string;
  /** How to store the text. Default: what the file has, else utf-8. */
  readonly encoding?:
    | "utf-8"
    | "utf-8-bom"
    | "utf-16le"
    | "utf-16be"
    | "windows-1252"
    | "iso-8859-1"
    | "windows-1251"
    | "shift_jis"
    | "gbk"
    | "euc-kr"
    | "euc-jp"
    | "big5"
    | "iso-8859-15"
    | "windows-1250"
    | "base64"
    | undefined;
  /** false: fail when the file exists. Default true. */
  readonly overwrite?: boolean | undefined;
  /** The content hash that the file must have now, as read_file gave it; otherwise the call fails as stale. */
  readonly if_hash?: string | undefined;
}

/** The structured result of `write_file`. */
export interface WriteFileResult {
  readonly status: "proposed" | "applied" | "unchanged";
  readonly proposal?: string | undefined;
  readonly suggested_rules?: readonly string[] | undefined;
  readonly transaction?: string | undefined;
  readonly files: readonly {
    readonly path: string;
    readonly operation: string;
    readonly hash?: string | undefined;
  }[];
}

/** Edit file: the arguments of `edit_file`. */
export interface EditFileArguments {
  /** The file. Relative to the first root, or absolute inside a root. */
  readonly path: string;
  /** The text to replace, exactly as it stands in the file, with enough lines around it to be unique. */
  readonly old_text?: string | undefined;
  /** What to put in its place. */
  readonly new_text?: string | undefined;
  /** Replace every occurrence instead of requiring exactly one. Default false. */
  readonly replace_all?: boolean | undefined;
  /** Several edits of this file. Give these, or old_text and new_text. */
  readonly edits?:
    | readonly {
        /** The text to replace, exactly as it stands in the file, with enough lines around it to be unique. */
        readonly old_text: string;
        /** What to put in its place. */
        readonly new_text: string;
        /** Replace every occurrence instead of requiring exactly one. Default false. */
        readonly replace_all?: boolean | undefined;
      }[]
    | undefined;
  /** The content hash that the file must have now, as read_file gave it; otherwise the call fails as stale. */
  readonly if_hash?: string | undefined;
  /** Write into the same inode, which keeps hard links together but is not atomic. Default false. */
  readonly in_place?: boolean | undefined;
}

/** The structured result of `edit_file`. */
export type EditFileResult = WriteFileResult;

/** Append to file: the arguments of `append_file`. */
export interface AppendFileArguments {
  /** The file. Relative to the first root, or absolute inside a root. */
  readonly path: string;
  /** The text to add. */
  readonly content: string;
  /** The content hash that the file must have now, as read_file gave it; otherwise the call fails as stale. */
  readonly if_hash?: string | undefined;
}

/** The structured result of `append_file`. */
export type AppendFileResult = WriteFileResult;

/** Create directory: the arguments of `create_directory`. */
export interface CreateDirectoryArguments {
  /** The directory. Relative to the first root, or absolute inside a root. */
  readonly path: string;
}

/** The structured result of `create_directory`. */
export type CreateDirectoryResult = WriteFileResult;

/** Move or rename: the arguments of `move`. */
export interface MoveArguments {
  /** What to move. Relative to the first root, or absolute inside a root. */
  readonly source: string;
  /** The new path. Relative to the first root, or absolute inside a root. */
  readonly destination: string;
  /** Replace a file that is there. Default false. */
  readonly overwrite?: boolean | undefined;
  /** The content hash that the file must have now, as read_file gave it; otherwise the call fails as stale. */
  readonly if_hash?: string | undefined;
}

/** The structured result of `move`. */
export type MoveResult = WriteFileResult;

/** Copy: the arguments of `copy`. */
export interface CopyArguments {
  /** What to copy. Relative to the first root, or absolute inside a root. */
  readonly source: string;
  /** The path of the copy. Relative to the first root, or absolute inside a root. */
  readonly destination: string;
  /** Replace a file that is there. Default false. */
  readonly overwrite?: boolean | undefined;
  /** Copy a directory. Default false. */
  readonly recursive?: boolean | undefined;
  /** The content hash that the file must have now, as read_file gave it; otherwise the call fails as stale. */
  readonly if_hash?: string | undefined;
}

/** The structured result of `copy`. */
export type CopyResult = WriteFileResult;

/** Delete: the arguments of `delete`. */
export interface DeleteArguments {
  /** What to delete. Relative to the first root, or absolute inside a root. */
  readonly path: string;
  /** Delete a directory that is not empty. Default false. */
  readonly recursive?: boolean | undefined;
  /** The content hash that the file must have now, as read_file gave it; otherwise the call fails as stale. */
  readonly if_hash?: string | undefined;
}

/** The structured result of `delete`. */
export type DeleteResult = WriteFileResult;

/** Apply patch: the arguments of `apply_patch`. */
export interface ApplyPatchArguments {
  /** The patch as text. */
  readonly patch: string;
  /** Files that must be as they were read; otherwise the call fails as stale. */
  readonly if_hashes?:
    | readonly {
        /** A file of the patch, as the patch names it. */
        readonly path: string;
        /** The content hash that it must have now, as read_file gave it. */
        readonly hash: string;
      }[]
    | undefined;
  /** Let an added or moved file replace one that is there. Default false. */
  readonly overwrite?: boolean | undefined;
}

/** The structured result of `apply_patch`. */
export type ApplyPatchResult = WriteFileResult;

/** Change several files: the arguments of `change_files`. */
export interface ChangeFilesArguments {
  /** The changes in the order in which they are made, at most 500. */
  readonly operations: readonly {
    /** The tool whose change it is. */
    readonly op:
      | "write_file"
      | "edit_file"
      | "append_file"
      | "create_directory"
      | "move"
      | "copy"
      | "delete"
      | "apply_patch";
    /** write_file, edit_file, append_file: The file. Relative to the first root, or absolute inside a root. create_directory: The directory. Relative to the first root, or absolute inside a root. delete: What to delete. Relative to the first root, or absolute inside a root. */
    readonly path?: string | undefined;
    /** write_file: The whole new content; base64 when encoding is base64. append_file: The text to add. */
    readonly content?: string | undefined;
    /** write_file: How to store the text. Default: what the file has, else utf-8. */
    readonly encoding?:
      | "utf-8"
      | "utf-8-bom"
      | "utf-16le"
      | "utf-16be"
      | "windows-1252"
      | "iso-8859-1"
      | "windows-1251"
      | "shift_jis"
      | "gbk"
      | "euc-kr"
      | "euc-jp"
      | "big5"
      | "iso-8859-15"
      | "windows-1250"
      | "base64"
      | undefined;
    /** write_file: false: fail when the file exists. Default true. move, copy: Replace a file that is there. Default false. apply_patch: Let an added or moved file replace one that is there. Default false. */
    readonly overwrite?: boolean | undefined;
    /** write_file, edit_file, append_file, move, copy, delete: The content hash that the file must have now, as read_file gave it; otherwise the call fails as stale. */
    readonly if_hash?: string | undefined;
    /** edit_file: The text to replace, exactly as it stands in the file, with enough lines around it to be unique. */
    readonly old_text?: string | undefined;
    /** edit_file: What to put in its place. */
    readonly new_text?: string | undefined;
    /** edit_file: Replace every occurrence instead of requiring exactly one. Default false. */
    readonly replace_all?: boolean | undefined;
    /** edit_file: Several edits of this file. Give these, or old_text and new_text. */
    readonly edits?:
      | readonly {
          /** The text to replace, exactly as it stands in the file, with enough lines around it to be unique. */
          readonly old_text: string;
          /** What to put in its place. */
          readonly new_text: string;
          /** Replace every occurrence instead of requiring exactly one. Default false. */
          readonly replace_all?: boolean | undefined;
        }[]
      | undefined;
    /** edit_file: Write into the same inode, which keeps hard links together but is not atomic. Default false. */
    readonly in_place?: boolean | undefined;
    /** move: What to move. Relative to the first root, or absolute inside a root. copy: What to copy. Relative to the first root, or absolute inside a root. */
    readonly source?: string | undefined;
    /** move: The new path. Relative to the first root, or absolute inside a root. copy: The path of the copy. Relative to the first root, or absolute inside a root. */
    readonly destination?: string | undefined;
    /** copy: Copy a directory. Default false. delete: Delete a directory that is not empty. Default false. */
    readonly recursive?: boolean | undefined;
    /** apply_patch: The patch as text. */
    readonly patch?: string | undefined;
    /** apply_patch: Files that must be as they were read; otherwise the call fails as stale. */
    readonly if_hashes?:
      | readonly {
          /** A file of the patch, as the patch names it. */
          readonly path: string;
          /** The content hash that it must have now, as read_file gave it. */
          readonly hash: string;
        }[]
      | undefined;
  }[];
}

/** The structured result of `change_files`. */
export type ChangeFilesResult = WriteFileResult;

/** Replace in files: the arguments of `replace`. */
export interface ReplaceArguments {
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
  /** The replacement for each match. With literal: true, $ has no special meaning. */
  readonly replacement: string;
  /** Include names that begin with a dot. */
  readonly hidden?: boolean | undefined;
  /** Also files that ignore files and the default skips leave out, and generated ones. */
  readonly no_ignore?: boolean | undefined;
  /** How many matches there must be in all; with another number the call fails and changes nothing. */
  readonly expect?: number | undefined;
  /** true: only show the change. false: make it where no approval is needed. Default: propose it, or only show it where it would be made at once. */
  readonly dry_run?: boolean | undefined;
}

/** The structured result of `replace`. */
export interface ReplaceResult {
  readonly status: "proposed" | "applied" | "unchanged" | "tried";
  readonly proposal?: string | undefined;
  readonly suggested_rules?: readonly string[] | undefined;
  readonly transaction?: string | undefined;
  readonly files: readonly {
    readonly path: string;
    readonly operation: string;
    readonly hash?: string | undefined;
  }[];
  readonly matches?: number | undefined;
  readonly empty_matches?: number | undefined;
  readonly left?:
    | readonly {
        readonly path: string;
        readonly why: string;
      }[]
    | undefined;
  readonly totals?: Readonly<Record<string, unknown>> | undefined;
}

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
  /** Or a program, started without a shell. */
  readonly program?: string | undefined;
  /** The arguments of the program. */
  readonly args?: readonly string[] | undefined;
  /** A directory in a root. */
  readonly cwd?: string | undefined;
  /** Text on standard input. Without it there is none. */
  readonly stdin?: string | undefined;
  /** Wait until it is ready. */
  readonly ready_when?:
    | {
        /** This text in its output. */
        readonly text?: string | undefined;
        /** A line of its output that has this regular expression. */
        readonly pattern?: string | undefined;
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
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
  readonly status: "running" | "ended";
  readonly duration_ms: number;
  readonly text: string;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
  readonly next_offset: number;
}

/** Output of a background program: the arguments of `process_output`. */
export interface ProcessOutputArguments {
  /** The id that process_start gave. */
  readonly id?: string | undefined;
  /** Or its process id. */
  readonly pid?: number | undefined;
  /** In bytes. Default: where the last answer ended. */
  readonly offset?: number | undefined;
  /** Default: about 32 KB. */
  readonly max_bytes?: number | undefined;
  /** Wait for this text. */
  readonly wait_for?: string | undefined;
  /** How long to wait. Default 10000. */
  readonly wait_ms?: number | undefined;
  /** Only lines that have this regular expression. */
  readonly match?: string | undefined;
}

/** The structured result of `process_output`. */
export type ProcessOutputResult = ProcessStartResult;

/** Background programs: the arguments of `process_list`. */
export interface ProcessListArguments {
  /** The id that process_start gave. */
  readonly id?: string | undefined;
  /** Or its process id. */
  readonly pid?: number | undefined;
}

/** The structured result of `process_list`. */
export interface ProcessListResult {
  readonly processes: readonly {
    readonly id: string;
  }[];
}

/** Stop a background program: the arguments of `process_stop`. */
export interface ProcessStopArguments {
  /** The id that process_start gave. */
  readonly id?: string | undefined;
  /** Or its process id. */
  readonly pid?: number | undefined;
  /** How it is asked to end; SIGKILL does not ask. Default SIGTERM. */
  readonly signal?: "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGKILL" | undefined;
  /** Default 2000. */
  readonly grace_ms?: number | undefined;
}

/** The structured result of `process_stop`. */
export type ProcessStopResult = ProcessStartResult;
