/**
 * The system calls that each path of every pair costs, in their order and with what the kernel answered, by strace. Two
 * paths for which the same calls are made with the same answers take the same time: nothing else of the outside reaches
 * this program. https://man7.org/linux/man-pages/man1/strace.1.html
 *
 * Usual mistake: to compare what other threads do too. Only the one that makes the calls is looked at, and its memory is
 * its own business.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { settled } from "../waits/until.ts";
import { outsidePairs, withoutNames, type Containment } from "./outside-pairs.ts";

export interface TracedPair {
  readonly there: string;
  readonly absent: string;
}

export interface Traces {
  /** In the order of `outsidePairs`. */
  readonly pairs: readonly TracedPair[];
  /** The trace of a program that looks outside before it refuses. */
  readonly control: TracedPair;
}

/** Whether there is an strace that may start something under its eyes. */
export function canTrace(): boolean {
  if (process.platform !== "linux" || component("strace").isMissing) return false;
  return Bun.spawnSync(["strace", "-qq", "-o", "/dev/null", "true"]).exitCode === 0;
}

export async function traceOutsidePairs(top: string, containment: Containment): Promise<Traces> {
  const folder = join(top, `traces-${containment}`);
  mkdirSync(folder);
  const program = join(import.meta.dir, "../fixtures/programs/play-outside-pairs.ts");
  // Each thread into a file of its own, so that no line of one comes between those of another.
  const strace = ["strace", "-qq", "-ff", "-s", "4096", "-e", "trace=file,desc", "-o", join(folder, "thread")];
  const child = Bun.spawn([...strace, process.execPath, program, top, containment], { stderr: "pipe" });
  const said = await settled("the traced program", child.stderr.text());
  if ((await child.exited) !== 0) throw new Error(`Cannot trace the calls: ${said}`);
  const calls = callsBetweenMarks(folder);
  const traced = Array.from({ length: outsidePairs(top).length + 1 }, (_, at) => {
    const [there, absent] = [calls.get(2 * at), calls.get(2 * at + 1)];
    if (there === undefined || absent === undefined) throw new Error(`Cannot find pair ${at} in the trace`);
    return { there, absent };
  });
  return { pairs: traced.slice(0, -1), control: traced.at(-1) ?? { there: "", absent: "" } };
}

/** The engine looks now and then at how much memory the process has, wherever it stands at that moment. */
const LOOK_AT_MEMORY =
  /^openat\(AT_FDCWD, "\/proc\/self\/statm".*\n(?:newfstatat|fstat)\(.*\n(?:read\(.*\n)+close\(.*\n/gm;

/** What stands behind a mark, by the number of the mark. */
function callsBetweenMarks(folder: string): Map<number, string> {
  const threads = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const trace = threads.find((text) => text.includes("/ringfence-mark-0-")) ?? "";
  const [, ...parts] = trace.split(/^.*\/ringfence-mark-\d+-.*\n/m);
  return new Map(
    parts.map((text, at) => {
      const own = text.replaceAll(LOOK_AT_MEMORY, "");
      const lines = own.split("\n").filter((line) => !/^(?:mmap|munmap)\(/.test(line));
      return [at, withoutNames(lines.join("\n"))];
    }),
  );
}
