/**
 * Where a worker's code is. In the compiled binary the absolute address of the embedded file is the only safe form: a
 * relative one that is not embedded would be loaded from the current directory, which the model may write.
 */
export type WorkerEntry = "read" | "change" | "watch" | TestEntry;

/** The absolute address of a worker that misbehaves on purpose; nothing but the tests of this folder names one. */
type TestEntry = `file://${string}`;

const EMBEDDED = import.meta.url.includes("/$bunfs/") || import.meta.url.includes("~BUN");

export function workerUrl(entry: WorkerEntry): URL {
  if (entry.startsWith("file://")) return new URL(entry);
  return EMBEDDED
    ? new URL(`./workers/${entry}.js`, import.meta.url)
    : new URL(`../../workers/${entry}.ts`, import.meta.url);
}
