/**
 * The broker of this host's programs, as the launcher has it: started with the first program whose list has names, started
 * again when it ends, ended with the launcher. Keepers register the connections of their programs in a pipe of which both
 * ends stay open here, so that it outlives a broker.
 *
 * Invariant: no program is started later because of the broker. Its keeper is told where the broker is as soon as that is known,
 * and lets the program's connections wait until then. Where there is no broker they are refused.
 *
 * Usual mistake: a line longer than the kernel writes as a whole. Several processes write into that pipe.
 */
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { CLOCK, logLine, type Clock } from "../../base/index.ts";
import type { ControlWord } from "../../fence/index.ts";
import { MAX_BROKER_LINE_BYTES, parseReach, type BrokerWord } from "../../reach/index.ts";
import { neverWait, openPipe, type Pipe } from "../../sys/index.ts";
import { hasNames } from "./plan-network.ts";

/** A broker that runs. */
export interface RunningBroker {
  readonly port: number;
  readonly gone: Promise<unknown>;
}

export interface BrokerLease {
  /** The number of the program's list. */
  readonly list: number;
  /** Where its keeper registers. It stays this class's. */
  readonly register: number;
}

/** @param input what it is told comes from this descriptor @throws when it cannot be started */
export type StartBroker = (input: number) => Promise<RunningBroker>;

/** One that ends at once is not started for ever. */
const MAX_STARTS_IN_A_ROW = 3;
/** One that has lived for so long did not end at once. */
const LIVED_MS = 60_000;
/** As much as Linux lets wait in a pipe; keepers may write meanwhile, though not for ever. */
const PIPE_BYTES: number = 64 * 1024;
const MAX_DROPS = 4;
const NO_BROKER = -1;
const NOT_YET = 0;

export class ReachBroker {
  readonly #start: StartBroker;
  readonly #order: Readonly<Record<string, unknown>>;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #lists = new Map<string, { readonly number: number; readonly entries: readonly string[] }>();
  readonly #keepers = new Set<number>();
  #pipe: Pipe | undefined;
  #port: number = NOT_YET;
  #isRunning = false;
  #starts = 0;
  #isOver = false;

  /** @param order what the configuration says of the network */
  constructor(
    start: StartBroker,
    order: Readonly<Record<string, unknown>> = {},
    clock: Pick<Clock, "monotonicMs"> = CLOCK,
  ) {
    this.#start = start;
    this.#order = order;
    this.#clock = clock;
  }

  /** For a program that is about to start. `undefined` for a list of addresses, which needs no broker unless it `hasProxy`. */
  lease(reach: readonly string[], hasProxy = false): BrokerLease | undefined {
    if (!hasProxy && !hasNames(parseReach(reach))) return undefined;
    this.#starts = 0;
    this.#run();
    const pipe = (this.#pipe ??= registrations());
    const key = JSON.stringify(reach);
    let list = this.#lists.get(key);
    if (!list) {
      list = { number: this.#lists.size + 1, entries: reach };
      this.#lists.set(key, list);
      this.#sayList(list);
    }
    return { list: list.number, register: pipe.write };
  }

  /** @param control where its keeper hears us. @returns what ends that, before the descriptor is closed */
  follow(control: number): () => void {
    this.#keepers.add(control);
    tell(control, this.#port);
    return () => this.#keepers.delete(control);
  }

  end(): void {
    this.#isOver = true;
    if (this.#pipe) for (const fd of [this.#pipe.read, this.#pipe.write]) closeSync(fd);
    this.#pipe = undefined;
  }

  #run(): void {
    if (this.#isRunning || this.#isOver) return;
    this.#isRunning = true;
    void this.#keepRunning();
  }

  async #keepRunning(): Promise<void> {
    const pipe = (this.#pipe ??= registrations());
    while (!this.#isOver && this.#starts < MAX_STARTS_IN_A_ROW) {
      this.#starts++;
      this.#tellAll(NOT_YET);
      try {
        dropWaiting(pipe.read);
        if (!this.#say({ order: this.#order })) throw new Error("it cannot be told how connections leave");
        for (const list of this.#lists.values()) this.#sayList(list);
        const { port, gone } = await this.#start(pipe.read);
        this.#tellAll(port);
        const began = this.#clock.monotonicMs();
        await gone;
        if (this.#clock.monotonicMs() - began >= LIVED_MS) this.#starts = 0;
      } catch (thrown) {
        logLine(
          `the broker of programs cannot be started: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        );
      }
    }
    this.#isRunning = false;
    this.#tellAll(NO_BROKER);
  }

  #tellAll(port: number): void {
    this.#port = port;
    for (const control of this.#keepers) tell(control, port);
  }

  /** In as many lines as it takes. */
  #sayList({ number, entries }: { readonly number: number; readonly entries: readonly string[] }): void {
    let part: string[] = [];
    for (const entry of entries) {
      if (lineOf({ lists: { [number]: [...part, entry] } }).length > MAX_BROKER_LINE_BYTES) {
        this.#say({ lists: { [number]: part } });
        part = [];
      }
      part.push(entry);
    }
    this.#say({ lists: { [number]: part } });
  }

  /** @returns whether it was said. Where it was not, the broker knows less and refuses more. */
  #say(word: BrokerWord): boolean {
    const line = lineOf(word);
    // A longer one could be written in part, and the next line would go on with it.
    if (!this.#pipe || line.length > MAX_BROKER_LINE_BYTES) return false;
    try {
      return writeSync(this.#pipe.write, line) === line.length;
    } catch {
      // The pipe is full, because the broker does not read.
      return false;
    }
  }
}

function registrations(): Pipe {
  const pipe = openPipe();
  neverWait(pipe.write);
  return pipe;
}

/** What was written for a broker that has ended is for no other one, and may fill the pipe. */
function dropWaiting(read: number): void {
  // Opened anew, because whether it waits is shared with the broker.
  const own = openSync(`/proc/self/fd/${read}`, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(PIPE_BYTES);
    for (let left = MAX_DROPS; left > 0 && readSync(own, bytes) > 0; left--);
  } catch {
    // Nothing is left in it.
  } finally {
    closeSync(own);
  }
}

function lineOf(word: BrokerWord): Buffer {
  return Buffer.from(`${JSON.stringify(word)}\n`);
}

function tell(control: number, broker: number): void {
  try {
    writeSync(control, `${JSON.stringify({ broker } satisfies ControlWord)}\n`);
  } catch {
    // The keeper has ended.
  }
}
