/**
 * The host's end of a helper and of the launcher, against processes that say what no such process should say: each costs the
 * call that it belongs to, and nothing else.
 */
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Failure, limits, StopSource } from "../../src/base/index.ts";
import { withinDeadline } from "../../src/pipeline/execute/deadline.ts";
import { createLaunch, Helper, type AskOptions, type Launch, type UpstreamEnd } from "../../src/proc/index.ts";
import { connectedSockets } from "../../src/sys/index.ts";
import { Place } from "../binary/serve-process.ts";
import { HandClock } from "../host/hand-clock.ts";
import { settled, until } from "../waits/until.ts";

interface FakeProcess {
  readonly told: string[];
  /** Whether the launcher was told to end it. */
  readonly isStopped: boolean;
  readonly say: (line: string) => void;
  readonly end: (end: Partial<UpstreamEnd>) => void;
}

/** A launcher whose processes are played by the test. */
class FakeLauncher {
  readonly processes: FakeProcess[] = [];
  readonly launch: Launch = Object.assign(
    async (_action: string, _ask: unknown, { signal, onLine, onSay }: AskOptions = {}) => {
      const { promise, resolve } = Promise.withResolvers<UpstreamEnd>();
      const told: string[] = [];
      onSay?.((text) => told.push(text) > 0);
      this.processes.push({
        told,
        get isStopped() {
          return signal?.aborted ?? false;
        },
        say: (line) => onLine?.(line),
        end: (end) => resolve({ exit_code: null, signal: null, errors: "", ...end }),
      });
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

function openHelper(isKept = false): {
  readonly fake: FakeLauncher;
  readonly helper: Helper;
  readonly clock: HandClock;
} {
  const [fake, clock] = [new FakeLauncher(), new HandClock()];
  return { fake, clock, helper: new Helper(fake.launch, { power: "finder", settings: {} }, clock, isKept) };
}

async function ask(helper: Helper, what: unknown = {}, signal = new StopSource()): Promise<unknown> {
  return await helper.call("find", what, { signal, timeoutMs: 1000, answerBytes: 4096 });
}

/** What a call fails with. */
async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const thrown = await settled("the call", call).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (thrown instanceof Failure) return thrown;
  throw new Error("the call was not failed", { cause: thrown });
}

describe("a line of a helper", () => {
  test.each([
    ['{"id":1}'],
    ['{"id":1,"bug":5}'],
    ['{"id":1,"bug":null}'],
    ['{"id":1,"failure":5}'],
    ['{"id":1,"failure":null}'],
    ['{"id":1,"failure":{"code":"nope","message":"","hint":""}}'],
    ['{"id":1,"failure":{"code":"toString","message":"","hint":""}}'],
    ['{"id":1,"failure":{"code":"denied","message":5,"hint":""}}'],
    ['{"id":1,"failure":{"code":"denied","message":"","hint":{}}}'],
  ])("the line %s fails its call and no other", async (line) => {
    const { fake, helper } = openHelper();
    const [first, second] = [ask(helper), ask(helper)];
    fake.last.say(line);
    expect((await failureOf(first)).code).toBe("command_failed");
    fake.last.say('{"id":2,"answer":"two"}');
    expect(await settled("the second call", second)).toBe("two");
  });

  test("a failure of a helper keeps its words, bounded, and loses its details", async () => {
    const { fake, helper } = openHelper();
    const call = ask(helper);
    const failure = { code: "not_found", message: "m".repeat(9000), hint: "h", retry: "soon", details: { a: 1 } };
    fake.last.say(JSON.stringify({ id: 1, failure: { ...failure, candidates: [5] } }));
    const { data } = await failureOf(call);
    expect(data).toEqual({ code: "not_found", message: "m".repeat(4000), hint: "h", retry: "changed" });
  });
});

describe("a call of a helper", () => {
  test("a question that is no JSON fails, and keeps no process from its rest", async () => {
    const { fake, helper, clock } = openHelper();
    expect(await ask(helper, { big: 1n }).catch((thrown: unknown) => thrown)).toBeInstanceOf(TypeError);
    const call = ask(helper);
    fake.last.say('{"id":1,"answer":1}');
    expect(await settled("the call", call)).toBe(1);
    await until("the rest", () => clock.asked.includes(limits.HELPER_IDLE_MS));
  });

  test("a call fails as busy while three processes have not ended, and no longer", async () => {
    const { fake, helper } = openHelper();
    for (let count = 0; count < 3; count++) {
      const stop = new StopSource();
      const call = ask(helper, {}, stop);
      stop.abort();
      expect((await failureOf(call)).code).toBe("cancelled");
    }
    expect((await failureOf(ask(helper))).data).toMatchObject({ code: "busy", retry: "later" });
    expect(fake.processes.length).toBe(3);
    fake.last.end({ signal: "SIGKILL" });
    const next = await until("another process", async () => {
      const call = ask(helper);
      if (fake.processes.length === 3) return void (await failureOf(call));
      return { call };
    });
    fake.last.say('{"id":1,"answer":"here"}');
    expect(await settled("the call", next.call)).toBe("here");
  });

  test("a process that is kept goes on with the calls of others when one is cancelled, and ends when it does not stop that one", async () => {
    const { fake, helper, clock } = openHelper(true);
    const [stop, other] = [new StopSource(), ask(helper)];
    const cancelled = [ask(helper, {}, stop), ask(helper, {}, stop)];
    stop.abort();
    for (const one of cancelled) expect((await failureOf(one)).code).toBe("cancelled");
    expect(fake.last.told.slice(-2)).toEqual(['{"id":2,"cancel":true}', '{"id":3,"cancel":true}']);
    fake.last.say('{"id":2,"failure":{"code":"cancelled","message":"","hint":""}}');
    fake.last.say('{"id":1,"answer":"one"}');
    expect(await settled("the other call", other)).toBe("one");
    const later = ask(helper);
    expect(fake.processes.length).toBe(1);
    clock.pass(limits.HELPER_GRACE_MS);
    expect((await failureOf(later)).code).toBe("command_failed");
    void ask(helper).catch(() => undefined);
    expect(fake.processes.length).toBe(2);
  });

  test("a process that is held has all calls of its holder, and ends when it is renewed and let go", async () => {
    const { fake, helper } = openHelper(true);
    const call = { signal: new StopSource(), timeoutMs: 1000, answerBytes: 4096 };
    const [one, two] = [helper.hold(), helper.hold()];
    const asked = [one.call("exchange", {}, call), two.call("exchange", {}, call)];
    for (const id of [1, 2]) fake.last.say(`{"id":${id},"answer":${id}}`);
    expect(await settled("the exchanges", Promise.all(asked))).toEqual([1, 2]);
    two.renew();
    two[Symbol.dispose]();
    const [old] = fake.processes;
    const more = one.call("more", {}, call);
    expect([fake.processes.length, old?.isStopped]).toEqual([1, false]);
    old?.say('{"id":3,"answer":"rest"}');
    expect(await settled("the rest", more)).toBe("rest");
    void ask(helper).catch(() => undefined);
    expect([fake.processes.length, old?.isStopped]).toEqual([2, false]);
    one[Symbol.dispose]();
    expect(fake.processes.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  });

  test("another process is told anew for the next call or for a call again, and no more than once in ten seconds", async () => {
    const { fake, helper, clock } = openHelper(true);
    const call = { signal: new StopSource(), timeoutMs: 600_000, answerBytes: 4096 };
    let [lastId, processes] = [0, 0];
    /** How many processes there were, and whether another one would have the call again. */
    const answered = async (answer: number): Promise<unknown> => {
      using held = helper.hold();
      const asked = held.call("exchange", {}, call);
      lastId = fake.processes.length > processes ? 1 : lastId + 1;
      processes = fake.processes.length;
      fake.last.say(`{"id":${lastId},"answer":${answer}}`);
      expect(await settled("the exchange", asked)).toBe(answer);
      return [processes, answer === 401 && held.renew()];
    };
    expect(await answered(401)).toEqual([1, false]);
    for (let count = 0; count < 8; count++) expect(await answered(401)).toEqual([2, false]);
    clock.pass(limits.HELPER_RENEW_MS - 1);
    expect(await answered(401)).toEqual([2, false]);
    clock.pass(1);
    expect(await answered(200)).toEqual([3, false]);
    for (const old of fake.processes.slice(0, 2)) old.end({});
    clock.pass(limits.HELPER_RENEW_MS);
    expect(await answered(401)).toEqual([3, true]);
    expect(await answered(200)).toEqual([4, false]);
    expect(fake.processes.map(({ isStopped }) => isStopped)).toEqual([true, true, true, false]);
  });

  test("a call fails as busy when its question has no room beside those that are not answered", async () => {
    const { fake, helper } = openHelper();
    const large = { text: "x".repeat(6 * 1024 * 1024) };
    const [first, second] = [ask(helper, large), ask(helper, large)];
    expect((await failureOf(ask(helper, large))).data).toMatchObject({ code: "busy", retry: "later" });
    const small = ask(helper);
    for (const id of [1, 2, 3]) fake.last.say(`{"id":${id},"answer":${id}}`);
    expect(await settled("the calls", Promise.all([first, second, small]))).toEqual([1, 2, 3]);
    const again = ask(helper, large);
    fake.last.say('{"id":4,"answer":4}');
    expect(await settled("the fourth call", again)).toBe(4);
  });

  test("a call says why its process was stopped", async () => {
    const { fake, helper } = openHelper();
    const call = ask(helper);
    fake.last.end({ signal: "SIGKILL", stopped_by: "flood" });
    const { code, message } = await failureOf(call);
    expect([code, message]).toEqual([
      "command_failed",
      'Cannot finish the call: the helper of "finder" ended (it was stopped, because it wrote too much or had too many processes)',
    ]);
  });
});

test("a deadline ends work whose caller has left before it began", async () => {
  const work = new Promise<never>(() => undefined);
  const deadline = { timeoutMs: 1000, signal: AbortSignal.abort(), clock: new HandClock() };
  expect((await failureOf(withinDeadline(work, deadline))).code).toBe("cancelled");
});

describe("the connection to the launcher", () => {
  test("what is said after its end is not written, whoever has its descriptor by then", async () => {
    using place = new Place();
    const [ours, theirs] = connectedSockets() ?? [-1, -1];
    const launch = createLaunch(ours);
    const stop = new StopSource();
    const said: ((text: string) => boolean)[] = [];
    const connected = launch("connect", { helper: "finder" }, { signal: stop, onSay: (say) => said.push(say) });
    const failed = failureOf(connected);
    await launch.end();
    const path = join(place.root, "other.txt");
    const opened = [openSync(path, "a")];
    while (opened.at(-1) !== ours && opened.length < 64) opened.push(openSync(path, "a"));
    expect(opened).toContain(ours);
    expect(said.map((say) => say("a line"))).toEqual([false]);
    stop.abort();
    expect(readFileSync(path, "utf8")).toBe("");
    expect((await failed).code).toBe("unsupported");
    for (const fd of [...opened, theirs]) closeSync(fd);
  });

  test("a listener that throws fails its own request and no other", async () => {
    const [ours, theirs] = connectedSockets() ?? [-1, -1];
    const launch = createLaunch(ours);
    const thrown = new Error("nobody expected this");
    const onLine = (): void => {
      throw thrown;
    };
    const first = launch("connect", { helper: "finder" }, { onLine });
    const second = launch("commands", {});
    writeSync(theirs, '{"id":1,"line":"{}"}\n{"id":2,"answer":{"programs":{},"filters":{}}}\n');
    expect(await settled("the second request", second)).toEqual({ programs: {}, filters: {} });
    expect((await failureOf(first)).code).toBe("internal");
    await launch.end();
    closeSync(theirs);
  });

  test.each([["nope"], ["toString"]])("a failure of the code %s fails its own request and no other", async (code) => {
    const [ours, theirs] = connectedSockets() ?? [-1, -1];
    const launch = createLaunch(ours);
    const [first, second] = [launch("commands", {}), launch("commands", {})];
    writeSync(theirs, `{"id":1,"failure":{"code":"${code}"}}\n{"id":2,"answer":{"programs":{},"filters":{}}}\n`);
    expect(await settled("the second request", second)).toEqual({ programs: {}, filters: {} });
    expect((await failureOf(first)).code).toBe("internal");
    await launch.end();
    closeSync(theirs);
  });
});

test("a host never waits for a launcher that does not read what it is told", async () => {
  const [ours, theirs] = connectedSockets() ?? [-1, -1];
  const launch = createLaunch(ours);
  const path = "x".repeat(64 * 1024);
  // More than a socket holds: were this to wait, nothing after it would come.
  const asked = Array.from({ length: 64 }, async () => await launch("git_find", { path }));
  closeSync(theirs);
  for (const one of await settled("the answers", Promise.allSettled(asked))) expect(one.status).toBe("rejected");
});
