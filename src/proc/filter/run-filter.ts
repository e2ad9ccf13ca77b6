/**
 * A filter from its file to its text: one program after the other, each behind a fence of its own. What they say on their way is
 * bounded; of one that fails the end of its standard error is told.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { Failure, limits, monotonicMs } from "../../base/index.ts";
import { layFolder } from "../../state/index.ts";
import type { PlanWorld } from "../plan/plan-program.ts";
import type { CollectedOutput } from "../run/output-collector.ts";
import { startRun, type RunWorld } from "../run/run-program.ts";
import type { FilterAnswer, FilterDeclarations, FilterRequest } from "./filter-protocol.ts";
import { planFilter, type FilterFile, type PlannedFilter } from "./plan-filter.ts";

/** How the launcher follows it. */
export interface FilterFollowing {
  readonly onCancel: (stop: () => void) => void;
  readonly isCancelled: () => boolean;
  /** @param recent the latest output of the step */
  readonly onOutput: (step: string, bytes: number, recent: Buffer, inputBytes: number) => void;
}

interface FilterPlace {
  readonly declarations: FilterDeclarations;
  readonly plan: PlanWorld;
  readonly world: RunWorld;
}

const LOOK_EVERY_MS = 250;

/** @throws Failure when a program cannot be started, fails, or takes too long */
export async function runFilter(
  request: FilterRequest,
  { declarations, plan, world }: FilterPlace,
  following: FilterFollowing,
): Promise<FilterAnswer> {
  const began = monotonicMs();
  using ends = new DisposableStack();
  let file: HeldFile = openInput(request, plan, ends);
  const wantsFile = request.wants === "file";
  let said: FilterAnswer | undefined;
  for (const [index, step] of request.steps.entries()) {
    if (following.isCancelled()) throw cancelled(step);
    const declaration = Object.hasOwn(declarations, step) ? declarations[step] : undefined;
    if (!declaration)
      throw new Failure("not_found", `Cannot run "${step.slice(0, 60)}": no such program is configured`);
    const filter = planFilter({ declaration, file, values: request.values ?? {} }, plan);
    ends.defer(() => filter.planned.end());
    const { bytes } = file;
    const text = await runStep(step, filter, { ...world, apart: true }, { ...request, inputBytes: bytes }, following);
    said = {
      ...text,
      input_bytes: bytes,
      duration_ms: Math.round(monotonicMs() - began),
      fence: filter.planned.fence,
    };
    if (wantsFile || index < request.steps.length - 1) file = openMade(step, filter.out, ends);
  }
  const nothing = { text: "", cut: false, input_bytes: file.bytes, duration_ms: 0, fence: "none" };
  if (wantsFile) return { ...(said ?? nothing), file: readHeld(file, request.max_bytes) };
  if (!said) throw new Failure("invalid_input", "Cannot run a filter: it has no step");
  return said;
}

interface HeldFile extends FilterFile {
  readonly fd: number;
  readonly bytes: number;
}

/** One line of the launcher has it, which is read at once by the thread that answers pings. */
const MAX_FILE_BYTES = 25_000_000;

function readHeld({ fd, bytes }: HeldFile, wanted: number): string {
  const most = Math.min(wanted, MAX_FILE_BYTES);
  if (bytes > most)
    throw new Failure("too_large", `Cannot take the file: ${bytes} bytes are more than ${most}`, {
      hint: "Ask for a part of it, or for a smaller file.",
    });
  const read = Buffer.alloc(bytes);
  return read.subarray(0, readSync(fd, read, 0, bytes, 0)).toString("base64");
}

/** A file of a root is held, so that what is decoded is what the scope has opened. */
function openInput(
  { path, data, ending = "bin", ...narrowed }: FilterRequest,
  plan: PlanWorld,
  ends: DisposableStack,
): HeldFile {
  if (path !== undefined) {
    const scope = plan.scopeOf(narrowed);
    const at = scope.locate(path, "read");
    const file = ends.use(scope.openFile(at, "read"));
    const absolute = scope.absolute(scope.resolve(at, "read"));
    return { path: absolute, held: heldBy(file.fd, absolute), fd: file.fd, bytes: fstatSync(file.fd).size };
  }
  const folder = plan.folders.create();
  ends.defer(() => folder.remove());
  const name = `input.${/^[a-z0-9]{1,8}$/.test(ending) ? ending : "bin"}`;
  const bytes = Buffer.from(data ?? "", "base64");
  layFolder(folder.path, { files: { [name]: bytes }, links: {} });
  const own = join(folder.path, name);
  const fd = openSync(own, "r");
  ends.defer(() => closeSync(fd));
  return { path: own, held: own, fd, bytes: bytes.length };
}

/**
 * What a program has made for the next one. It has parsed foreign bytes, and may have left a link to any file of this machine
 * in the place of its own.
 */
function openMade(step: string, path: string, ends: DisposableStack): HeldFile {
  const fd = openOwn(path);
  const made = fd === undefined ? undefined : fstatSync(fd);
  if (fd !== undefined) ends.defer(() => closeSync(fd));
  if (fd === undefined || made?.isFile() !== true || made.nlink !== 1)
    throw new Failure("command_failed", `Cannot finish "${step}": its program has made no file`, {
      hint: "A person can look at how its program is configured.",
    });
  return { path, held: heldBy(fd, path), fd, bytes: made.size };
}

function openOwn(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

function heldBy(fd: number, path: string): string {
  return process.platform === "linux" ? `/proc/${process.pid}/fd/${fd}` : path;
}

async function runStep(
  step: string,
  { planned }: PlannedFilter,
  world: RunWorld,
  { max_bytes: wanted, inputBytes }: { readonly max_bytes: number; readonly inputBytes: number },
  { onCancel, onOutput }: FilterFollowing,
): Promise<Pick<FilterAnswer, "text" | "cut">> {
  const shownBytes = 2 * Math.min(wanted, limits.MAX_FILTER_BYTES);
  const run = await startRun({ ...planned, graceMs: 0 }, { ...world, openSpill: keepNothing, shownBytes });
  onCancel(() => run.stop("cancelled", 0));
  const timer = setInterval(() => onOutput(step, run.output.total, run.output.recent(), inputBytes), LOOK_EVERY_MS);
  const { exit_code: code, signal, stopped_by: by, output } = await run.ended.finally(() => clearInterval(timer));
  if (by === "cancelled") throw cancelled(step);
  if (by === "timed_out")
    throw new Failure("timed_out", `Cannot finish "${step}": it took longer than ${planned.timeoutMs / 1000} s`, {
      hint: "Ask for a shorter part.",
    });
  if (by !== undefined || code !== 0) throw failed(step, by ?? signal ?? `exit code ${code}`, output);
  const { head, tail, total_bytes: total } = output.apart.stdout;
  const isWhole = total === head.length + tail.length;
  return { text: Buffer.concat(isWhole ? [head, tail] : [head]).toString("utf8"), cut: !isWhole };
}

const MAX_ERROR_CHARS = 400;

function failed(step: string, how: string, { apart }: CollectedOutput): Failure {
  const { head, tail } = apart.stderr;
  const said = Buffer.concat([head, tail]).toString("utf8").trim();
  const end = said.slice(-MAX_ERROR_CHARS);
  return new Failure(
    "command_failed",
    `Cannot finish "${step}": its program ended with ${how}${end === "" ? "" : `: ${end}`}`,
    {
      hint: "A person can look at how its program is configured.",
    },
  );
}

function cancelled(step: string): Failure {
  return new Failure("cancelled", `Cannot finish "${step}": the caller cancelled it`);
}

function keepNothing(): never {
  throw new Error("the output of a filter is not kept");
}
