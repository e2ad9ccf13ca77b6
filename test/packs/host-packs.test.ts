/**
 * What a pack may be, and what a host keeps of it: whatever is wrong with a pack is said at start, and what a pack says of
 * itself has an end.
 */
import { describe, expect, test } from "bun:test";
import * as z from "zod";
import { Failure } from "../../src/base/index.ts";
import { loadPacks } from "../../src/config/index.ts";
import { definePack, definePower, defineTool, type AnyPackPower, type Pack } from "../../src/contract/index.ts";
import { describePack, HostPacks, NO_PACKS, viewPack } from "../../src/session/index.ts";
import { HandClock } from "../host/hand-clock.ts";
import { settled } from "../waits/until.ts";

interface Counter {
  count(ask: { text: string }): Promise<{ count: number }>;
}

function counterOf(given: { readonly name?: string; readonly answerBytes?: number }) {
  return definePower<"counter", Counter>({
    name: "counter",
    runsIn: "host",
    calls: { count: [z.strictObject({ text: z.string() }), z.strictObject({ count: z.number() })] },
    serve: async () => await Promise.resolve({ handlers: { count: ({ text }) => ({ count: text.length }) } }),
    ...(given as object),
  });
}

function toolOf(need: ReturnType<typeof counterOf>) {
  return defineTool({
    name: "count_it",
    title: "Count",
    summary: "Counts characters.",
    effect: "read",
    input: z.strictObject({}),
    output: z.strictObject({ count: z.number() }),
    needs: ["files", need],
    access: () => [],
    async run(_input, ctx) {
      const counted = await ctx.counter.count({ text: "a" });
      return { text: String(counted.count), structured: counted };
    },
  });
}

function packOf(given: Partial<Parameters<typeof definePack>[0]>): Pack {
  return definePack({ name: "counting", title: "Counting", tools: [], config: z.strictObject({}), ...given });
}

/** How a start with the pack ends. */
async function startOf(pack: Pack): Promise<string> {
  try {
    await loadPacks({ packSettings: { counting: {} }, dialect: "ringfence" }, [pack]);
    return "ok";
  } catch (thrown) {
    if (thrown instanceof Failure) return `${thrown.code}: ${thrown.message}`;
    throw thrown;
  }
}

describe("a pack at start", () => {
  const good = counterOf({});

  test("a pack whose tools need its own powers and those of the host is taken", async () => {
    expect(await startOf(packOf({ tools: [toolOf(good)], powers: [good] }))).toBe("ok");
    expect(await startOf(packOf({ powers: [counterOf({ answerBytes: 8 * 1024 * 1024 })] }))).toBe("ok");
  });

  test("a pack is refused when a tool of it needs a power that is not there", async () => {
    const said = 'unsupported: Cannot use the pack "counting": no power "counter", which its tool count_it needs';
    expect(await startOf(packOf({ tools: [toolOf(good)] }))).toBe(said);
  });

  test.each([["Counter"], ["__proto__"], ["a b"], [""]])("a pack is refused when it has a power %j", async (name) => {
    expect(await startOf(packOf({ powers: [counterOf({ name })] }))).toStartWith("invalid_input: ");
  });

  test.each([[8 * 1024 * 1024 + 1], [0], [-1], [Number.NaN], [Infinity]])(
    "a pack is refused when its power answers %d bytes",
    async (answerBytes) => {
      expect(await startOf(packOf({ powers: [counterOf({ answerBytes })] }))).toStartWith("invalid_input: ");
    },
  );
});

describe("the doctor of a pack", () => {
  test("a doctor that never answers is a problem after its time", async () => {
    const clock = new HandClock();
    const pack = packOf({ doctor: async () => await new Promise<never>(() => undefined) });
    const view = viewPack({ pack, isOn: true, settings: {} }, undefined, clock);
    await clock.passWhenAsked(5000);
    expect((await settled("the view", view)).problem).toContain("no answer within 5 s");
  });

  test("a doctor may say so much and no more", async () => {
    const lines = Array.from({ length: 1000 }, () => "x".repeat(10_000));
    const view = await viewPack({ pack: packOf({ doctor: () => lines }), isOn: true, settings: {} });
    expect(view.says.at(-1)).toBe("984 more");
    expect(describePack(view).length).toBeLessThan(8192);
  });

  test("a doctor may fail with so many words and no more", async () => {
    const thrown = new Error("x".repeat(100_000));
    const doctor = (): never => {
      throw thrown;
    };
    const { problem = "" } = await viewPack({ pack: packOf({ doctor }), isOn: true, settings: {} });
    expect(problem.length).toBeLessThan(1024);
  });
});

test("code that could not be imported is imported again by the next call", async () => {
  let tries = 0;
  const power: AnyPackPower = {
    name: "counter",
    runsIn: "host",
    calls: {},
    async serve() {
      if (++tries === 1) throw new Error("not yet");
      return await Promise.resolve({ handlers: { there: true } });
    },
  };
  using packs = new HostPacks(NO_PACKS, undefined, new HandClock());
  expect(await packs.code(power).catch(String)).toBe("Error: not yet");
  expect(await packs.code(power)).toEqual({ there: true });
  expect(await packs.code(power)).toEqual({ there: true });
  expect(tries).toBe(2);
});
