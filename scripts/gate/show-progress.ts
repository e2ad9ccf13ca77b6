/**
 * How far the tests are: on a terminal one line that is written over, with the time left; elsewhere a line a minute, so
 * that a log stays short and whoever waits sees that something happens.
 *
 * Invariant: what is said in between stands on lines of its own.
 */
export interface Progress extends Disposable {
  ended(path: string): void;
  /** A text that stays. */
  say(text: string): void;
}

/** @param times milliseconds that files took the last time; unknown ones count as the average of the known */
export function showProgress(
  files: readonly string[],
  times: Readonly<Record<string, number>>,
  out: ProgressSink = process.stdout,
): Progress {
  const started = performance.now();
  const known = files.flatMap((path) => times[path] ?? []);
  const average = known.reduce((sum, ms) => sum + ms, 0) / Math.max(1, known.length) || 1;
  const weigh = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + (times[path] ?? average), 0);
  const all = weigh(files);
  const done: string[] = [];
  const line = (): string => {
    const spentMs = performance.now() - started;
    const part = weigh(done) / all;
    const left = done.length === 0 ? "" : `, about ${formatTime((spentMs / part) * (1 - part))} left`;
    return `test     ${done.length} of ${files.length} files, ${formatTime(spentMs)}${left}`;
  };
  const isTerminal = out.isTTY === true;
  const show = (): void => void out.write(isTerminal ? `\r\x1b[2K${line()}` : `${line()}\n`);
  const timer = setInterval(show, isTerminal ? 1000 : 60_000);
  return {
    ended: (path) => void done.push(path),
    say: (text) => void out.write(isTerminal ? `\r\x1b[2K${text}\n` : `${text}\n`),
    [Symbol.dispose]: () => {
      clearInterval(timer);
      if (isTerminal) out.write("\r\x1b[2K");
    },
  };
}

export interface ProgressSink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** `40 s`, `3 min 20 s`. */
export function formatTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
