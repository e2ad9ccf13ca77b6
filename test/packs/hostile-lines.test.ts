/**
 * The host's end of a helper and of the launcher, against processes that say what no such process should say: each costs the
 * call that it belongs to, and nothing else.
 */
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { limits, StopSource } from "../../src/base/index.ts";
import { withinDeadline } from "../../src/pipeline/execute/deadline.ts";
import { createLaunch } from "../../src/proc/index.ts";
import { connectedSockets } from "../../src/sys/index.ts";
import { Place } from "../binary/serve-process.ts";
import { HandClock } from "../host/hand-clock.ts";
import { settled, until } from "../waits/until.ts";
import { ask, failureOf, openHelper } from "./fake-launcher.ts";

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
