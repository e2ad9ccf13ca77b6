/**
 * The numbers that bound what a caller can meet, and those that several folders share, with their reasons; a bound that is
 * one file's own business stands in that file. A limit that a caller can meet is named in the answer when it is met;
 * nothing here is ever exceeded in silence. Units are in the names.
 */

/** One line of input. Clients cap at 10 MB; a base64 write of 8 MB must still fit. */
export const MAX_FRAME_BYTES: number = 16 * 1024 * 1024;
/** JSON.parse takes a million levels but JSON.stringify does not; no honest call nests deeper than this. */
export const MAX_JSON_DEPTH = 128;
/** Accepted calls that may be unanswered; above it stdin is not read, so that the pipe holds back the sender. */
export const MAX_IN_FLIGHT = 1024;
/** Bytes waiting for a slow reader before new calls stop being accepted. */
export const MAX_OUTPUT_QUEUE_BYTES: number = 8 * 1024 * 1024;

/** One line of output. The SDK clients give up at 10 MB, and their connection with it. */
export const MAX_LINE_BYTES: number = 8 * 1024 * 1024;
/** Text of one result, before it is written as JSON. What is more is spilled, and the result links to it. */
export const MAX_TEXT_BYTES: number = 1024 * 1024;
/** Outputs that were cut, kept whole in the state folder; together, and how long. */
export const MAX_SPILL_BYTES: number = 256 * 1024 * 1024;
export const SPILL_TTL_MS: number = 24 * 60 * 60 * 1000;
/**
 * A client that knows tasks gets one for a call that takes longer, unless the configuration says otherwise. Agents move a
 * task into the background at once, which costs the model a turn; in ten seconds nearly every call has its answer.
 */
export const TASKS_AFTER_MS = 10_000;

/** A path as the kernel takes it (PATH_MAX with its NUL), and one name in it (NAME_MAX). */
export const MAX_PATH_BYTES = 4095;
export const MAX_NAME_BYTES = 255;

/** Entries of one listing; more needs a cursor. */
export const MAX_LIST_ENTRIES = 1000;
/** Matches of one grep; more needs a cursor. */
export const MAX_GREP_MATCHES = 200;
/** Paths of one answer of glob or grep: what is useful to read, and what can be asked for. */
export const USUAL_PATHS = 1000;
export const MAX_PATHS = 20_000;
/** One line of a grep answer; the rest of the line is cut and said. */
export const MAX_GREP_LINE_BYTES = 1024;
/**
 * Text of one answer unless its caller asks for more, of every tool that pages. Agents cut longer ones themselves, most of
 * them from 48 KB on, and what they leave out cannot be gone on with.
 */
export const DEFAULT_ANSWER_BYTES: number = 32 * 1024;
/** What a configuration may say instead: less has no room for a note and a line. */
export const MIN_ANSWER_BYTES = 1024;
/** Lines of one read unless its caller asks for more. */
export const DEFAULT_READ_LINES = 2000;
/** Text of one answer at most, whatever is asked. */
export const MAX_READ_BYTES: number = 1024 * 1024;
/** One line of a read answer: a minified bundle must not fill the answer with one line. */
export const MAX_READ_LINE_BYTES: number = 16 * 1024;
/** Whole-file content hashes are made up to this size; above it a version of the inode's state is given. */
export const MAX_HASHED_READ_BYTES: number = 16 * 1024 * 1024;
/** Files of one read_files call. */
export const MAX_READ_FILES = 64;
/** An image is sent as it is up to here, scaled down above. */
export const MAX_IMAGE_BYTES: number = 1024 * 1024;

/** New content of one write. Refused before it is copied a second time. */
export const MAX_WRITE_BYTES: number = 64 * 1024 * 1024;
/** A file that can be edited as text: it is held in memory a few times over. */
export const MAX_EDIT_FILE_BYTES: number = 64 * 1024 * 1024;
/** One note of the memory: what is longer is no note that anybody reviews. */
export const MAX_NOTE_BYTES: number = 1024 * 1024;
/** Edits in one call. */
export const MAX_EDITS = 1000;
/** Files and matches of one replacement, and its new text: a person is to look at all of it. */
export const MAX_REPLACE_FILES = 1000;
export const MAX_REPLACEMENTS = 20_000;
export const MAX_REPLACE_TEXT_BYTES: number = 8 * 1024 * 1024;
/** A file that is replaced in is held a few times over, by the engine too. Larger ones are counted and left. */
export const MAX_REPLACE_FILE_BYTES: number = 8 * 1024 * 1024;
/** Diff text shown for one file, and for one whole proposal. */
export const MAX_DIFF_BYTES: number = 64 * 1024;
/** Files and directories in one tree operation (copy, delete). */
export const MAX_TREE_ENTRIES = 100_000;

/** How long a proposal waits for a person. */
export const PROPOSAL_TTL_MS: number = 24 * 60 * 60 * 1000;
/** Proposals kept at once; the oldest are dropped. */
export const MAX_PROPOSALS = 1000;
/** Why a person rejected a change: it is kept, and told to the model with its next change of the same file. */
export const MAX_REASON_CHARS = 1000;
/** What a person says about lines of a proposal: it is kept with the decision, and told to the model. */
export const MAX_COMMENTS = 200;
export const MAX_COMMENT_CHARS = 4000;
/** How long a call waits for a reviewer: clients give a call up after 60 s. */
export const REVIEW_WAIT_MS = 50_000;
/** The longest wait for a reviewer that can be configured. */
export const MAX_REVIEW_WAIT_MS: number = 60 * 60 * 1000;

/** One call, whatever it does, unless the tool says otherwise. */
export const DEFAULT_CALL_MS = 60_000;
/** Hashing, sizing and searching large trees. */
export const LONG_CALL_MS = 300_000;
/** A worker that is still busy this long after its deadline is replaced. */
export const WORKER_GRACE_MS = 2000;
/** Work longer than this reports progress when the caller asked for it. */
export const PROGRESS_AFTER_MS = 200;
/** Workers for reading: one a core, because more only compete. */
export const MAX_WORKERS = 4;

/** Directories that recursive tools leave out unless asked: large, made by tools, and rarely what is looked for. */
export const SKIPPED_DIRECTORIES: readonly string[] = [".git", "node_modules", "dist", "coverage"];

/**
 * New files of a change that are open at once, to be flushed together: a process may be given no more than 1024
 * descriptors.
 */
export const MAX_FLUSHED_TOGETHER = 64;

/** How long what a change displaced is kept, so that it can be undone. */
export const UNDO_TTL_MS: number = 7 * 24 * 60 * 60 * 1000;
/** All that is kept for undo, in bytes. The newest transaction is kept whatever its size. */
export const MAX_UNDO_BYTES: number = 1024 * 1024 * 1024;
export const MAX_UNDO_TRANSACTIONS = 1000;
/** The copy that is made where a rename cannot keep: another device than the state folder's. */
export const MAX_KEPT_COPY_BYTES: number = 64 * 1024 * 1024;
/** Files that are kept before a declared command, because its declaration names them: number, each, together. */
export const MAX_SNAPSHOT_FILES = 1000;
export const MAX_SNAPSHOT_FILE_BYTES: number = 16 * 1024 * 1024;
export const MAX_SNAPSHOT_BYTES: number = 64 * 1024 * 1024;
/** How long a repeated call with the same idempotency key gets the first answer. */
export const IDEMPOTENCY_TTL_MS: number = 24 * 60 * 60 * 1000;
/** How long what a client has seen of a file counts after a restart: a long task goes on, and a new day reads again. */
export const BASELINES_TTL_MS: number = 24 * 60 * 60 * 1000;
/** Files of which that is kept, the newest; one that is written whole each time stays below a megabyte. */
export const MAX_KEPT_BASELINES = 1000;

/** With `keep_calls`: one call, the calls of one session, and of all; the oldest sessions go first. */
export const MAX_KEPT_CALL_CHARS: number = 4 * 1024 * 1024;
export const MAX_KEPT_SESSION_CHARS: number = 64 * 1024 * 1024;
export const MAX_KEPT_CALLS_BYTES: number = 512 * 1024 * 1024;

/** One file of the record; a new one is begun above it, or when it is a day old. */
export const MAX_AUDIT_SEGMENT_BYTES: number = 32 * 1024 * 1024;
export const MAX_AUDIT_SEGMENT_MS: number = 24 * 60 * 60 * 1000;
/** All of the record; the oldest files go first, and that they went is on record. */
export const MAX_AUDIT_BYTES: number = 256 * 1024 * 1024;
export const MAX_AUDIT_SEGMENTS = 500;
export const MAX_AUDIT_AGE_MS: number = 90 * 24 * 60 * 60 * 1000;
/** Earlier files that a new one names, so that none can be taken away unnoticed. */
export const AUDIT_SEGMENTS_NAMED = 16;
/** What the spill file takes of one command's output; the rest is counted and dropped, so that `yes` does not fill the disk. */
export const MAX_COMMAND_SPILL_BYTES: number = 32 * 1024 * 1024;
/** A command that has ended may leave a child that holds its output this long. */
export const HELD_OUTPUT_MS = 2000;
/** Between asking a program to end and ending it. */
export const STOP_GRACE_MS = 2000;
/** Longest a command may be given. */
export const MAX_COMMAND_MS: number = 24 * 60 * 60 * 1000;
/** Programs in the background at once. */
export const MAX_PROCESSES = 32;
/** Commands at once; the others wait for their turn. */
export const MAX_RUNNING_COMMANDS = 64;
/** The input schema of a tool that is carried out elsewhere, and what is sent to it in one call. */
export const MAX_FOREIGN_SCHEMA_BYTES: number = 64 * 1024;
export const MAX_FOREIGN_ARGUMENT_BYTES: number = 4 * 1024 * 1024;
/** Tools that one other server, or one client, can offer: more would fill what a model can look at. */
export const MAX_FOREIGN_TOOLS = 128;
/** One line of another MCP server; one that writes a longer one is ended. Escaped, six of it fit into a launcher's line. */
export const MAX_UPSTREAM_LINE_BYTES: number = 8 * 1024 * 1024;
/** What it may write within ten seconds before it is ended: nobody reads that much. Answers of helpers do not count. */
export const MAX_UPSTREAM_LINES = 20_000;
export const MAX_UPSTREAM_CHARS: number = 64 * 1024 * 1024;
/** What waits for one that does not read. */
export const MAX_UPSTREAM_QUEUE_BYTES: number = 16 * 1024 * 1024;
/** To start it, greet it and hear which tools it has. */
export const UPSTREAM_START_MS = 30_000;
/** Calls to one of them at once. */
export const MAX_UPSTREAM_CALLS = 64;
/** Bytes on standard input of one command. */
export const MAX_STDIN_BYTES: number = 8 * 1024 * 1024;
/** Output of one run of git: a status of a hundred thousand files, and the beginning of a diff of gigabytes. */
export const MAX_GIT_BYTES: number = 8 * 1024 * 1024;
/** What a program says of a file that it was given: the text of hours, with the time of each word. */
export const MAX_FILTER_BYTES: number = 4 * 1024 * 1024;
/** One call of a power in a process of its own, where the power does not say. */
export const HELPER_CALL_MS = 30_000;
/** One answer of it, as JSON; it can say less, or more up to a line of its process. */
export const HELPER_ANSWER_BYTES: number = 1024 * 1024;
/** What its process may use, beside what its engine sets aside. */
export const HELPER_MEMORY_MB = 1024;
/** A picture in such a process: to decode the largest that is taken, and to write it anew. */
export const PICTURE_MS = 20_000;
export const PICTURE_MEMORY_MB = 1024;
/** Between telling such a process to stop a call and killing it. */
export const HELPER_GRACE_MS = 1000;
/** After its last call such a process ends; a new one takes some thirty milliseconds. */
export const HELPER_IDLE_MS = 60_000;
/** Between two helpers of one name of which the later one is told everything anew. */
export const HELPER_RENEW_MS = 10_000;

/**
 * How large one answer of a tool that pages may become. What a caller did not ask to be larger stays so small that agents
 * show it to their models whole; a `limit` in the call asks for more.
 */
export interface AnswerBounds {
  /** Bytes of text for a call that names no limit. */
  readonly usualBytes: number;
  /** Bytes of text, whatever the call asks for. */
  readonly mostBytes: number;
  /** Lines, paths or counts of a search, whatever the call asks for. Absent: as many as the tool allows. */
  readonly mostResults?: number | undefined;
  /** A larger file is not read as text and not searched. Absent: as large as the tool can hold. */
  readonly maxFileBytes?: number | undefined;
}

export const ANSWER_BOUNDS: AnswerBounds = { usualBytes: DEFAULT_ANSWER_BYTES, mostBytes: MAX_READ_BYTES };

/** @param limit what the call asked for */
export function answerBytes(
  { usualBytes, mostBytes }: AnswerBounds = ANSWER_BOUNDS,
  limit: number | undefined,
): number {
  return limit === undefined ? Math.min(usualBytes, mostBytes) : mostBytes;
}
