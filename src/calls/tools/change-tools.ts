/**
 * The types of change tools: what they take and what they answer.
 *
 * Written by `bun run docs` from the schemas of src/tools; edit those files, not this one.
 */

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
  /** Its new path. Relative to the first root, or absolute inside a root. */
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
    /** move: Its new path. Relative to the first root, or absolute inside a root. copy: The path of the copy. Relative to the first root, or absolute inside a root. */
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
