/**
 * One step of the gate as a child process of the same Bun: its output is kept and shown when it fails, or, for the
 * long ones, shown while it runs. A step that exceeds its limit is killed and counts as failed.
 */
export async function runStep(root: string, step: Step): Promise<StepResult> {
  const started = performance.now();
  const child = Bun.spawn([process.execPath, ...step.args], {
    cwd: root,
    env: { ...process.env, ...step.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: step.limitMs ?? DEFAULT_LIMIT_MS,
    killSignal: "SIGKILL",
  });
  const isLive = step.isLive === true;
  const [stdout, stderr] = await Promise.all([read(child.stdout, isLive), read(child.stderr, isLive)]);
  const code = await child.exited;
  const isOk = code === 0;
  if (!isOk && !isLive) process.stdout.write(`${stdout}${stderr}`.trimEnd() + "\n");
  const ms = Math.round(performance.now() - started);
  const how = child.signalCode === null ? `exit code ${code}` : `ended by ${child.signalCode}`;
  console.log(`${isOk ? "ok  " : "FAIL"} ${step.name.padEnd(8)} ${ms} ms${isOk ? "" : `, ${how}`}`);
  return { name: step.name, isOk, output: `${stdout}\n${stderr}` };
}

/** Each quick step takes seconds; what takes this long hangs. */
const DEFAULT_LIMIT_MS = 120_000;

export interface Step {
  readonly name: string;
  /** Arguments for Bun: a script and its own, or `test`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Show the output while it comes, not at the end. */
  readonly isLive?: boolean;
  readonly limitMs?: number;
}

export interface StepResult {
  readonly name: string;
  readonly isOk: boolean;
  readonly output: string;
}

async function read(stream: ReadableStream<Uint8Array>, isLive: boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    const part = decoder.decode(chunk, { stream: true });
    if (isLive) process.stdout.write(part);
    text += part;
  }
  return text;
}
