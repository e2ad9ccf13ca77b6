/**
 * The command line as a person or a script uses it: the compiled binary, its output and its exit code. Never with a
 * terminal, and with a state folder of the test's own.
 */
import { binaryPath } from "../binary/build-binary.ts";
import type { Place } from "../binary/serve-process.ts";
import { HANG_MS } from "../waits/until.ts";

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs in the place's root with its state folder; every output is checked for what no user should see. */
export async function runRingfence(
  place: Place,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const child = Bun.spawn([await binaryPath(), ...args], {
    cwd: place.root,
    env: { PATH: process.env["PATH"], HOME: place.path, XDG_STATE_HOME: place.path, ...options.env },
    stdin: Buffer.from(options.input ?? ""),
    stdout: "pipe",
    stderr: "pipe",
    timeout: HANG_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const code = await child.exited;
  const stack = /\n\s+at .*[:(]|bunfs|internal error|\u001b/.exec(stdout + stderr);
  if (stack) throw new Error(`ringfence ${args.join(" ")} shows a stack trace or colours:\n${stdout}${stderr}`);
  return { code, stdout, stderr };
}
