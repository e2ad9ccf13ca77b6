/**
 * The types of read tools: what they take and what they answer.
 *
 * Written by `bun run docs` from the schemas of src/tools; edit those files, not this one.
 */

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
}

/** The structured result of `stat`. */
export interface StatResult {
  readonly path: string;
  readonly type: string;
  readonly size: number;
  readonly mtime: string;
  readonly mode: string;
  readonly hash?: string | undefined;
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
