/**
 * Every foreign call of the program, one safe wrapper each: callers get plain values and errors by name, and never an address
 * to take care of (`ForeignMemory` is the exception, for lists of system calls). No other folder loads a library. A wrapper
 * says what the call does and its C signature; whether a call may be made at all is decided by whoever imports it.
 *
 * Read `libc.ts` first: it explains the one hazard of foreign calls. Then `files/` (names, directories, opening, locks,
 * attributes) and `process/` (pipes, signals, system calls by number, giving birth to a program); neither imports the other.
 * It may import `base`.
 */
export { readDirectory, typeOf, typeOfMode, type DirectoryEntry, type EntryType } from "./files/directory-entries.ts";
export { statEntries, statEntry, type EntryStat } from "./files/entry-stats.ts";
export { copyFileRange } from "./files/copy-file-range.ts";
export { readAttributes, writeAttributes, type Attribute, type UnsetAttribute } from "./files/extended-attributes.ts";
export { lockExclusively } from "./files/flock.ts";
export { fsName, nameFromBytes, nameToBytes } from "./files/name-bytes.ts";
export { loadOpenat, type Openat } from "./files/openat.ts";
export { loadOpenat2, type Openat2 } from "./files/openat2.ts";
export { renameToFreeName } from "./files/renameat2.ts";
export { startWriting } from "./files/sync-file-range.ts";
export { setExactLinkTimes, setExactTimes } from "./files/utimens.ts";
export { errnoError, errnoOf, foreignBytes } from "./libc.ts";
export { openSignals, type CaughtSignals } from "./process/caught-signals.ts";
export { ForeignMemory, memoryForExec } from "./process/foreign-memory.ts";
export { forkProgram, type Step } from "./process/fork-program.ts";
export { callOnOtherThreads } from "./process/other-threads.ts";
export { neverWait, openPipe, widen, type Pipe } from "./process/pipes.ts";
export { openCallListener, type CallListener, type NotifiedCall } from "./process/notified-calls.ts";
export { openPoll, openPollMany, POLL, type PollMany } from "./process/poll.ts";
export { connectedSockets } from "./process/socketpair.ts";
export { openSockets, type SocketKind, type Sockets } from "./process/sockets.ts";
export { openSystemCalls, type Architecture, type SystemCalls } from "./process/system-calls.ts";
