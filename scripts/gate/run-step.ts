/**
 * One step of the gate as a child process of the same Bun: its output is kept, and shown when it fails. A step that hangs
 * is killed and counts as failed.
 */
import { endGroup, running } from "./process-groups.ts";

export async function runStep(root: string, step: Step): Promise<StepResult> {
  const started = performance.now();
  const child = Bun.spawn([process.execPath, ...step.args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, so that a step that hangs is ended with all that it started.
    detached: true,
  });
  running.add(child.pid);
  const timer = setTimeout(() => endGroup(child.pid), HANG_MS);
  const reading = Promise.all([child.stdout.text(), child.stderr.text()]);
  const code = await child.exited;
  clearTimeout(timer);
  // Nothing that it has left may keep the output open.
  endGroup(child.pid);
  const [stdout, stderr] = await reading;
  running.delete(child.pid);
  const isOk = code === 0;
  if (!isOk) process.stdout.write(`${stdout}${stderr}`.trimEnd() + "\n");
  const ms = Math.round(performance.now() - started);
  const how = child.signalCode === null ? `exit code ${code}` : `ended by ${child.signalCode}`;
  console.log(`${isOk ? "ok  " : "FAIL"} ${step.name.padEnd(8)} ${ms} ms${isOk ? "" : `, ${how}`}`);
  return { name: step.name, isOk };
}

/** A step takes seconds, or minutes on half a core; what takes this long hangs. */
const HANG_MS = 20 * 60_000;

export interface Step {
  readonly name: string;
  /** Arguments for Bun: a script and its own. */
  readonly args: readonly string[];
}

export interface StepResult {
  readonly name: string;
  readonly isOk: boolean;
}
