/**
 * Faults in system calls of a running host, by strace: the n-th call of one kind kills the process before it is made, or
 * fails with an error. Only the thread that changes files is traced, so that the wire stays whole.
 * https://man7.org/linux/man-pages/man1/strace.1.html
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { component } from "../components/component.ts";
import { until } from "../waits/until.ts";

export type Fault = "kill" | "ENOSPC" | "EIO";

/** A spelling that does not exist on a machine is passed over, hence the question marks. */
export const CALLS: readonly string[] = (
  "rename renameat renameat2 link linkat unlink unlinkat rmdir mkdir mkdirat write pwrite64 fsync fdatasync fchmod " +
  "fchmodat fchown ftruncate symlink symlinkat copy_file_range sendfile fsetxattr utimensat openat openat2"
).split(" ");

export interface Injection {
  readonly call: string;
  readonly nth: number;
  readonly fault: Fault;
  /** Every such call from this one on fails, as on a disk that is broken for good. */
  readonly lasts?: true;
  /** After an error: the same process is killed before so many calls of another kind. */
  readonly dies?: { readonly call: string; readonly nth: number };
  /** After a kill: the next host is killed too, before so many calls of a kind in its recovery. */
  readonly again?: { readonly call: string; readonly nth: number };
}

/** The call itself fails too: it must not be made. */
const KILL = "error=EINTR:signal=KILL";

/** A thread under strace until `detach`. */
export interface Tracer {
  /** Lets it go. @returns what strace wrote of it */
  detach(): Promise<string>;
}

/** Whether there is an strace that may look at other processes of ours. */
export function canInject(): boolean {
  if (process.platform !== "linux" || component("strace").isMissing) return false;
  const command = ["strace", "-qq", "-e", "trace=none", "-e", "inject=getppid:error=EIO", "true"];
  return Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
}

/** @param log where strace writes. @throws Error when strace ends without tracing the thread */
export async function attach(pid: number, log: string, injection?: Injection): Promise<Tracer> {
  const thread = changeThread(pid);
  const what = injection ? describeFaults(injection).flatMap((fault) => ["-e", `inject=?${fault}`]) : [];
  const trace = `trace=${CALLS.map((call) => `?${call}`).join(",")}`;
  const strace = Bun.spawn(["strace", "-qq", "-o", log, "-p", String(thread), "-e", trace, ...what], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  await until("strace", () => isTraced(pid, thread) || strace.exitCode !== null);
  if (strace.exitCode !== null) throw new Error(`Cannot trace the thread ${thread}: ${await strace.stderr.text()}`);
  return {
    async detach() {
      // One whose thread is dead ends by itself, when it has written that.
      if (existsSync(`/proc/${pid}`)) strace.kill("SIGINT");
      await strace.exited;
      return readFileSync(log, "utf8");
    },
  };
}

/** A command of which every thread is killed before its n-th call of a kind. */
export function doomed({ call, nth }: { readonly call: string; readonly nth: number }): string[] {
  const inject = `inject=?${call}:${KILL}:when=${nth}`;
  return ["-f", "-qq", "-o", "/dev/null", "-e", `trace=?${call}`, "-e", inject];
}

/**
 * How often each kind of call is made at least. The runtime wakes another thread by a write, once for the answer; how often
 * besides depends on who was asleep, and a fault in one of those would not always come.
 */
export function countCalls(log: string): Map<string, number> {
  const counts = new Map<string, number>();
  let wakes = 0;
  for (const [line, call = ""] of log.matchAll(/^(\w+)\(.*/gm))
    if (!WAKE.test(line) || wakes++ === 0) counts.set(call, (counts.get(call) ?? 0) + 1);
  return counts;
}

/** Into an event descriptor: the number one, in eight bytes. */
const WAKE = /^write\(\d+, "\\1(?:\\0){7}", 8\)/;

function describeFaults({ call, fault, nth, lasts, dies }: Injection): string[] {
  const when = `when=${nth}${lasts ? "+" : ""}`;
  if (fault === "kill") return [`${call}:${KILL}:${when}`];
  return [`${call}:error=${fault}:${when}`, ...(dies ? [`${dies.call}:${KILL}:when=${dies.nth}`] : [])];
}

/** Workers bear the names of what they do. */
function changeThread(pid: number): number {
  for (const task of readdirSync(`/proc/${pid}/task`))
    if (readFileSync(`/proc/${pid}/task/${task}/comm`, "utf8").trim() === "change") return Number(task);
  throw new Error(`Cannot find the thread that changes files in ${pid}: call it once before`);
}

function isTraced(pid: number, thread: number): boolean {
  return !/^TracerPid:\s*0$/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8"));
}
