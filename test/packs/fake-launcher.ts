/**
 * A launcher whose processes are played by the test, and a helper behind it: what it is told, and what it says, line by line.
 */
import { Failure, StopSource } from "../../src/base/index.ts";
import { Helper, type AskOptions, type Launch, type UpstreamEnd } from "../../src/proc/index.ts";
import { HandClock } from "../host/hand-clock.ts";
import { settled } from "../waits/until.ts";

interface FakeProcess {
  readonly told: string[];
  readonly start: () => void;
  /** Whether the launcher was told to end it. */
  readonly isStopped: boolean;
  readonly say: (line: string) => void;
  readonly end: (end: Partial<UpstreamEnd>) => void;
}

/** A launcher whose processes are played by the test. */
class FakeLauncher {
  /** Whether processes run as soon as they are asked for. */
  isSlow = false;
  readonly processes: FakeProcess[] = [];
  readonly launch: Launch = Object.assign(
    async (_action: string, _ask: unknown, { signal, onStarted, onLine, onSay }: AskOptions = {}) => {
      const { promise, resolve } = Promise.withResolvers<UpstreamEnd>();
      const told: string[] = [];
      onSay?.((text) => told.push(text) > 0);
      this.processes.push({
        told,
        start: () => onStarted?.("no fence"),
        get isStopped() {
          return signal?.aborted ?? false;
        },
        say: (line) => onLine?.(line),
        end: (end) => resolve({ exit_code: null, signal: null, errors: "", ...end }),
      });
      if (!this.isSlow) this.last.start();
      return await (promise as Promise<never>);
    },
    { end: async () => await Promise.resolve() },
  );

  get last(): FakeProcess {
    const last = this.processes.at(-1);
    if (!last) throw new Error("no process was started");
    return last;
  }
}

export function openHelper(isKept = false): {
  readonly fake: FakeLauncher;
  readonly helper: Helper;
  readonly clock: HandClock;
} {
  const [fake, clock] = [new FakeLauncher(), new HandClock()];
  return { fake, clock, helper: new Helper(fake.launch, { power: "finder", settings: {} }, clock, isKept) };
}

export async function ask(helper: Helper, what: unknown = {}, signal: StopSource = new StopSource()): Promise<unknown> {
  return await helper.call("find", what, { signal, timeoutMs: 1000, answerBytes: 4096 });
}

/** What a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const thrown = await settled("the call", call).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (thrown instanceof Failure) return thrown;
  throw new Error("the call was not failed", { cause: thrown });
}
