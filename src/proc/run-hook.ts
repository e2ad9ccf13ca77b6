/**
 * A program of the configuration, given JSON on stdin and heard on stdout, within a time limit. It gets a clean
 * environment and no more of the host than that.
 */
const MAX_ANSWER_BYTES: number = 64 * 1024;

/** @throws Error when it cannot be started, fails, or takes too long */
export async function runHook(command: readonly string[], input: string, timeoutMs: number): Promise<string> {
  const child = Bun.spawn([...command], {
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "ignore",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MAX_ANSWER_BYTES,
  });
  const text = await child.stdout.text();
  const code = await child.exited;
  if (child.signalCode !== null) throw new Error(`it was ended after ${timeoutMs} ms`);
  if (code !== 0) throw new Error(`it ended with exit code ${code}`);
  return text.trim();
}
