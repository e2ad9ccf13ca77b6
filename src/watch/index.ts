/**
 * The thread that watches the main thread, so that a process whose main thread is stuck still ends. It sleeps while the main
 * thread has nothing to do, and otherwise sees it count. When that has not counted for 5 s it is stuck: the record says so,
 * and the end of input or a signal, also one that came before, ends the process, because nobody else can. A signal to a main
 * thread that counts reaches it a moment later.
 *
 * Usual mistake: an event loop in here. Everything this thread waits for is in shared memory or in the kernel. It may import
 * `base`, `sys`, `wire`, `pool` and `audit`.
 */
import { openAuditLog } from "../audit/index.ts";
import { logLine } from "../base/index.ts";
import { WATCHED_AT_WORK as AT_WORK, WATCHED_COUNT as COUNT, WATCHED_HELD as HELD } from "../pool/index.ts";
import { type CaughtSignals, openSignals } from "../sys/index.ts";
import { openReaderCheck } from "../wire/index.ts";

export interface WatchInput {
  /** Whether the main thread is at work, how often it has counted, and whether this thread has the signals. */
  readonly cells: SharedArrayBuffer;
  /** Folders of the record. */
  readonly audit: string;
  readonly checkpoints: string;
  readonly keys: string;
}

const LOOK_MS = 250;
/** 5 s. */
const STUCK_LOOKS = 20;
/** 60 s, as for a call: input that has ended may still hold requests, which a host that is only slow answers. */
const UNREAD_LOOKS = 240;
/** As for what failed. */
const ENDED_STUCK = 1;
const SIGNAL_BASE = 128;

/** Never returns where the kernel can be asked. @param begun told whether it can; it watches from then on */
export function watchMain(input: WatchInput, begun: (watches: boolean) => void): void {
  const signals = openSignals();
  const cells = new Int32Array(input.cells);
  if (!signals) return begun(false);
  const kernel: Kernel = { signals, isReaderGone: openReaderCheck(), passedOn: 0 };
  begun(true);
  for (;;) {
    watchWork(cells, kernel, input);
    Atomics.wait(cells, AT_WORK, 0);
  }
}

/** What is asked of the kernel. */
interface Kernel {
  readonly signals: CaughtSignals;
  readonly isReaderGone: () => boolean;
  /** The last signal that the main thread was given. It may have become stuck since it was last seen to count, and not have heard it. */
  passedOn: number;
}

/** Until the main thread has nothing to do. What it would not hear while it is stuck is kept here, and else passed on. */
function watchWork(cells: Int32Array, kernel: Kernel, input: WatchInput): void {
  let signal = 0;
  kernel.signals.hold();
  do {
    Atomics.store(cells, HELD, 1);
    Atomics.notify(cells, HELD);
    signal = watchCounts(cells, kernel, input, signal);
    // Taken back before it is looked whether there is work again: whoever has begun some has seen that the signals are held.
    Atomics.store(cells, HELD, 0);
  } while (Atomics.load(cells, AT_WORK) === 1);
  passOn(kernel, signal);
}

/** @param signal one that has come and was not passed on. @returns the same at the end */
function watchCounts(cells: Int32Array, kernel: Kernel, input: WatchInput, signal: number): number {
  const { signals, isReaderGone } = kernel;
  let known = Atomics.load(cells, COUNT);
  let silent = 0;
  let kept = signal;
  while (Atomics.wait(cells, AT_WORK, 1, LOOK_MS) === "timed-out") {
    // Asked each time: whatever is left of the alarm would end the process later.
    const came = signals.taken();
    kept ||= came;
    const counted = Atomics.load(cells, COUNT);
    if (counted !== known) {
      [known, silent] = [counted, 0];
      if (kept === 0) continue;
      passOn(kernel, kept);
      signals.hold();
      kept = 0;
    } else if (++silent >= STUCK_LOOKS) {
      if (silent === STUCK_LOOKS) noteStuck(input);
      const asked = kept || kernel.passedOn;
      if (asked > 0) endStuck(signals, input, SIGNAL_BASE + asked, `signal ${asked}`);
      const state = signals.inputState();
      if (state === "ended" || (state === "unread" && silent >= UNREAD_LOOKS))
        endStuck(signals, input, ENDED_STUCK, "the end of its input");
      if (isReaderGone()) endStuck(signals, input, ENDED_STUCK, "the loss of its reader");
    }
  }
  return kept;
}

function passOn(kernel: Kernel, signal: number): void {
  kernel.signals.release();
  const late = kernel.signals.taken();
  const known = signal || late;
  if (known === 0) return;
  kernel.passedOn = known;
  process.kill(process.pid, known);
}

function noteStuck(input: WatchInput): void {
  logLine("the main thread has not answered for 5 seconds; the end of input or a signal ends this host");
  record(input, "stuck", {});
}

function endStuck(signals: CaughtSignals, input: WatchInput, code: number, why: string): void {
  logLine(`ended by ${why}, while the main thread did not answer`);
  record(input, "ended_stuck", { why, code });
  signals.end(code);
}

/** In a segment of this thread's own: the main thread may be in the middle of a line. */
function record(
  { audit, checkpoints, keys }: WatchInput,
  event: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  try {
    using log = openAuditLog({ audit, checkpoints, keys, isBestEffort: true });
    log.record(event, fields);
  } catch (thrown) {
    logLine(`cannot put it on record: ${String(thrown)}`);
  }
}
