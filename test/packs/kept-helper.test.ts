/**
 * A process that several calls share, as the broker is: what one call does, or what becomes of it, costs no other call.
 */
import { describe, expect, test } from "bun:test";
import { limits, StopSource } from "../../src/base/index.ts";
import { settled } from "../waits/until.ts";
import { ask, failureOf, openHelper } from "./fake-launcher.ts";

describe("a process that several calls share", () => {
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

  test.each([[false], [true]])(
    "a call that is cancelled before its process runs is never asked, and costs the others nothing (kept: %p)",
    async (isKept) => {
      const { fake, helper, clock } = openHelper(isKept);
      fake.isSlow = true;
      const stop = new StopSource();
      const call = { timeoutMs: 60_000, answerBytes: 4096 };
      const left = helper.call("find", { of: "left" }, { ...call, signal: stop });
      const other = helper.call("find", { of: "other" }, { ...call, signal: new StopSource() });
      stop.abort();
      expect((await failureOf(left)).code).toBe("cancelled");
      clock.pass(2 * limits.HELPER_GRACE_MS);
      expect([fake.processes.length, fake.last.isStopped]).toEqual([1, false]);
      fake.last.start();
      expect(fake.last.told.slice(1)).toEqual(['{"id":2,"call":"find","ask":{"of":"other"},"answerBytes":4096}']);
      fake.last.say('{"id":2,"answer":"other"}');
      expect(await settled("the other call", other)).toBe("other");
    },
  );

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

  test("a process that nobody uses ends in its time, also when one before it is still asked by who holds that", async () => {
    const { fake, helper, clock } = openHelper(true);
    const call = { signal: new StopSource(), timeoutMs: 1000, answerBytes: 4096 };
    using held = helper.hold();
    const [asked, other] = [held.call("exchange", {}, call), helper.hold()];
    const renewed = other.call("exchange", {}, call);
    for (const id of [1, 2]) fake.last.say(`{"id":${id},"answer":${id}}`);
    expect(await settled("the exchanges", Promise.all([asked, renewed]))).toEqual([1, 2]);
    other.renew();
    other[Symbol.dispose]();
    const newer = ask(helper);
    fake.last.say('{"id":1,"answer":"new"}');
    expect(await settled("the newer call", newer)).toBe("new");
    const more = held.call("more", {}, call);
    fake.processes[0]?.say('{"id":3,"answer":"rest"}');
    expect(await settled("the rest", more)).toBe("rest");
    clock.pass(limits.HELPER_IDLE_MS);
    expect(fake.processes.map(({ isStopped }) => isStopped)).toEqual([false, true]);
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

  test("an outdated process goes on where no other one could be started", async () => {
    const { fake, helper, clock } = openHelper(true);
    const call = { signal: new StopSource(), timeoutMs: 600_000, answerBytes: 4096 };
    const held = [0, 1, 2].map(() => {
      const one = helper.hold();
      void one.call("exchange", {}, call).catch(() => undefined);
      one.renew();
      clock.pass(limits.HELPER_RENEW_MS);
      return one;
    });
    expect(fake.processes.length).toBe(3);
    const more = ask(helper);
    fake.last.say('{"id":2,"answer":"still"}');
    expect(await settled("one more", more)).toBe("still");
    for (const one of held) one[Symbol.dispose]();
    expect(fake.processes.length).toBe(3);
  });
});
