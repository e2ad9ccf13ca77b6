/**
 * The built-in tools by name: what each takes and what it answers.
 *
 * Written by `bun run docs` from the schemas of src/tools; edit those files, not this one.
 */

import type {
  WriteFileArguments,
  WriteFileResult,
  EditFileArguments,
  EditFileResult,
  AppendFileArguments,
  AppendFileResult,
  CreateDirectoryArguments,
  CreateDirectoryResult,
  MoveArguments,
  MoveResult,
  CopyArguments,
  CopyResult,
  DeleteArguments,
  DeleteResult,
  ApplyPatchArguments,
  ApplyPatchResult,
  ChangeFilesArguments,
  ChangeFilesResult,
} from "./change-tools.ts";
import type {
  ListDirectoryArguments,
  ListDirectoryResult,
  ReadFileArguments,
  ReadFileResult,
  ReadFilesArguments,
  ReadFilesResult,
  StatArguments,
  StatResult,
  DiskUsageArguments,
  DiskUsageResult,
  HashFileArguments,
  HashFileResult,
  TreeArguments,
  TreeResult,
  DiffFilesArguments,
  DiffFilesResult,
  SystemInfoArguments,
  SystemInfoResult,
} from "./read-tools.ts";
import type {
  OpenPathArguments,
  OpenPathResult,
  RevealInOsArguments,
  RevealInOsResult,
  ShellArguments,
  ShellResult,
  ProcessStartArguments,
  ProcessStartResult,
  ProcessOutputArguments,
  ProcessOutputResult,
  ProcessListArguments,
  ProcessListResult,
  ProcessStopArguments,
  ProcessStopResult,
} from "./run-tools.ts";
import type { GlobArguments, GlobResult, GrepArguments, GrepResult } from "./search-tools.ts";

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
  readonly write_file: WriteFileArguments;
  readonly edit_file: EditFileArguments;
  readonly append_file: AppendFileArguments;
  readonly create_directory: CreateDirectoryArguments;
  readonly move: MoveArguments;
  readonly copy: CopyArguments;
  readonly delete: DeleteArguments;
  readonly apply_patch: ApplyPatchArguments;
  readonly change_files: ChangeFilesArguments;
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
  readonly write_file: WriteFileResult;
  readonly edit_file: EditFileResult;
  readonly append_file: AppendFileResult;
  readonly create_directory: CreateDirectoryResult;
  readonly move: MoveResult;
  readonly copy: CopyResult;
  readonly delete: DeleteResult;
  readonly apply_patch: ApplyPatchResult;
  readonly change_files: ChangeFilesResult;
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
