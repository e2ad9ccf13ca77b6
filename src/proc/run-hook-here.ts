/**
 * The same as `run-hook` where there is no launcher: a host in a program without one, or on a platform that has none. The
 * program is started as it is, without a fence, and ends with this process unless that is killed.
 */
const MAX_ANSWER_BYTES: number = 64 * 1024;
const running: Set<Bun.Subprocess> = new Set();
let endsWithUs = false;

/** @throws Error when it cannot be started, fails, or takes too long */
export async function runHookHere(
  command: readonly string[],
  input: string,
  timeoutMs: number,
): Promise<string> {
  const child = Bun.spawn([...command], {
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "ignore",
    maxBuffer: MAX_ANSWER_BYTES,
  });
  running.add(child);
  if (!endsWithUs) process.on("exit", () => running.forEach((one) => one.kill("SIGKILL")));
  endsWithUs = true;
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    reject(new Error(`it took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    // What it has started may hold its stdout after its end, so the limit is for both.
    const [text, code] = await Promise.race([Promise.all([child.stdout.text(), child.exited]), tooLate]);
    if (code === 0) return text.trim();
    throw new Error(`it ended with exit code ${code}`);
  } finally {
    clearTimeout(timer);
    running.delete(child);
  }
}
