/**
 * Calls start in the order they came: a change is a barrier for later calls on its paths, reads pass each other. First
 * the rule itself, as a property; then what a client sees of it.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import type { Target } from "../../src/policy/index.ts";
import { createOrder, type Order, type PlaceInOrder } from "../../src/session/order.ts";
import { createRealNames } from "../../src/session/real-names.ts";
import { openTestHost } from "../host/in-memory-host.ts";
import { fc } from "../property.ts";

const NAMES = createRealNames([{ path: "/r", readOnly: false }]);
const PATHS = ["a", "a/b", "a/b/c", "ab", "./a", "a/../d", "/r/a", "/r", "d", "/elsewhere"];
const request = fc.record({
  paths: fc.oneof(fc.subarray(PATHS, { minLength: 1, maxLength: 3 }), fc.constant("all" as const)),
  exclusive: fc.boolean(),
});

const namesOf = (path: string): string[] => new URL(path, "file:///r/").pathname.split("/").filter(Boolean);

/** Said another way than in the source: by the names on the way down. */
function meets(a: readonly string[] | "all", b: readonly string[] | "all"): boolean {
  if (a === "all" || b === "all") return true;
  return a.some((one) =>
    b.some((other) => {
      const [x, y] = [namesOf(one), namesOf(other)];
      return x.slice(0, y.length).join("/") === y.slice(0, x.length).join("/");
    }),
  );
}

type Names = readonly string[] | "all";

const targets = (paths: Names): readonly Target[] | "all" =>
  paths === "all" ? paths : paths.map((path) => ({ path, mode: "write" }));

function enter(order: Order, paths: Names, exclusive: boolean): PlaceInOrder {
  const turn = order.arrive();
  turn.enter(targets(paths), exclusive);
  return turn;
}

async function isReady({ ready }: PlaceInOrder): Promise<boolean> {
  let done = false;
  void Promise.resolve(ready).then(() => (done = true));
  await immediate();
  return done;
}

describe("the order", () => {
  test("the order holds a call back until an earlier one says what it touches", async () => {
    const order = createOrder(NAMES);
    const first = order.arrive();
    const second = enter(order, ["a"], false);
    expect(await isReady(second)).toBe(false);
    first.enter(targets(["b"]), true);
    expect(await isReady(second)).toBe(true);
  });

  test("the order holds a call back until an earlier change is over, whenever that has said what it touches", async () => {
    const order = createOrder(NAMES);
    const first = order.arrive();
    const second = enter(order, ["a"], false);
    first.enter(targets(["a"]), true);
    expect(first.ready).toBeUndefined();
    expect(await isReady(second)).toBe(false);
    first.leave();
    expect(await isReady(second)).toBe(true);
  });

  test("the order lets later calls pass one that stands aside, and puts it behind them", async () => {
    const order = createOrder(NAMES);
    const first = order.arrive();
    const second = enter(order, ["a"], true);
    expect(await isReady(second)).toBe(false);
    first.stepAside();
    expect(await isReady(second)).toBe(true);
    first.enter(targets(["a"]), false);
    expect(await isReady(first)).toBe(false);
    second.leave();
    expect(await isReady(first)).toBe(true);
  });

  test("the order does not wait for a call that left without saying what it touches", async () => {
    const order = createOrder(NAMES);
    const first = order.arrive();
    const second = enter(order, "all", true);
    first.leave();
    expect(await isReady(second)).toBe(true);
  });

  test("never lets two start together that conflict, and holds back nobody else", () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
        const order = createOrder(NAMES);
        const turns = requests.map(({ paths, exclusive }) => enter(order, paths, exclusive));
        turns.forEach((turn, index) => {
          const mine = requests[index]!;
          const waits = requests
            .slice(0, index)
            .some((earlier) => (earlier.exclusive || mine.exclusive) && meets(earlier.paths, mine.paths));
          expect(turn.ready !== undefined).toBe(waits);
        });
      }),
    );
  });

  test("the order lets everybody go in the end, whoever leaves first", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 8 }), fc.infiniteStream(fc.nat()), async (requests, picks) => {
        const order = createOrder(NAMES);
        const running: PlaceInOrder[] = [];
        let done = 0;
        const all = requests.map(async ({ paths, exclusive }) => {
          const turn = enter(order, paths, exclusive);
          if (turn.ready) await turn.ready;
          running.push(turn);
        });
        while (done < requests.length) {
          await immediate();
          const [turn] = running.splice(Number(picks.next().value) % Math.max(1, running.length), 1);
          turn?.leave();
          if (turn) done++;
        }
        await Promise.all(all);
      }),
      { numRuns: 30 },
    );
  });
});

const call = (id: number, name: string, args: object): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

describe("a client that does not wait", () => {
  test("a client that does not wait reads what it has just written, over and over", async () => {
    await using host = openTestHost({ files: { "a.txt": "v0\n" }, config: { mode: "bypass" } });
    const messages: object[] = [];
    for (let round = 1; round <= 10; round++) {
      messages.push(call(round * 2, "write_file", { path: "a.txt", content: `v${round}\n` }));
      messages.push(call(round * 2 + 1, "read_file", { path: round % 2 ? "./a.txt" : "a.txt" }));
    }
    host.burst(messages);
    for (let round = 1; round <= 10; round++) {
      const { result } = await host.answerTo(round * 2 + 1);
      expect(result.content.at(-1).text).toBe(`v${round}\n`);
    }
  });

  test("a client that does not wait sees the file as it was in a read that it sent before the change", async () => {
    await using host = openTestHost({ files: { "a.txt": "old\n" }, config: { mode: "accept_edits" } });
    host.burst([
      call(1, "read_file", { path: "a.txt" }),
      call(2, "write_file", { path: "a.txt", content: "new\n" }),
      call(3, "read_file", { path: "a.txt" }),
    ]);
    expect((await host.answerTo(1)).result.content.at(-1).text).toBe("old\n");
    expect((await host.answerTo(3)).result.content.at(-1).text).toBe("new\n");
  });

  test("a client that does not wait sees in a listing and a search what it changed below", async () => {
    await using host = openTestHost({ config: { mode: "accept_edits" } });
    host.burst([
      call(1, "write_file", { path: "src/new.ts", content: "needle\n" }),
      call(2, "list_directory", { path: "src" }),
      call(3, "grep", { pattern: "needle" }),
    ]);
    expect((await host.answerTo(2)).result.content.at(-1).text).toContain("src/new.ts");
    expect((await host.answerTo(3)).result.content.at(-1).text).toContain("src/new.ts");
  });

  test("a client that does not wait sees what an apply in the same burst has written", async () => {
    await using host = openTestHost({ files: { "a.txt": "old\n" } });
    host.burst([
      call(1, "write_file", { path: "a.txt", content: "new\n" }),
      { jsonrpc: "2.0", id: 2, method: "ringfence/proposals/apply", params: { request: 1 } },
      call(3, "read_file", { path: "a.txt" }),
    ]);
    expect((await host.answerTo(2)).result?.status).toBe("applied");
    expect((await host.answerTo(3)).result.content.at(-1).text).toBe("new\n");
  });

  test("a client that does not wait has a short read answered while a long one goes on", async () => {
    await using host = openTestHost({ files: { "a.txt": "short\n" } });
    writeFileSync(`${host.root}/large.bin`, "");
    // A hole, of which nobody sees the end.
    truncateSync(`${host.root}/large.bin`, 4 * 1024 ** 4);
    host.burst([call(1, "hash_file", { path: "large.bin" }), call(2, "read_file", { path: "a.txt" })]);
    await host.answerTo(2);
    expect(host.messages.map((message) => message.id)).toEqual([2]);
  });
});

/** Two calls in the order of their names, the first of them a change: whether the second waits. */
function isHeldBack(root: string, first: string, second: string): boolean {
  const order = createOrder(createRealNames([{ path: root, readOnly: false }]));
  enter(order, [first], true);
  return enter(order, [second], false).ready !== undefined;
}

describe("two names of one file", () => {
  let top: string;
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-order-")));
  });
  afterEach(() => rmSync(top, { recursive: true }));

  /** A root with links, odd names and a second name of a file, and a link that leads to the root. */
  function layNames(): string {
    const root = join(top, "root");
    mkdirSync(join(root, "d"), { recursive: true });
    mkdirSync(join(top, "outside"));
    for (const name of ["a", "b", "d/x", "n\n"]) writeFileSync(join(root, name), "text");
    symlinkSync("a", join(root, "l"));
    symlinkSync("../l", join(root, "d/far"));
    symlinkSync(join(root, "d"), join(root, "e"));
    symlinkSync("loop", join(root, "loop"));
    symlinkSync("../outside", join(root, "out"));
    symlinkSync("../outside", join(root, "out2"));
    linkSync(join(root, "a"), join(root, "h"));
    symlinkSync(root, join(top, "link"));
    return root;
  }

  test("a call waits for a change of the file by whatever name it has", () => {
    const root = layNames();
    const link = join(top, "link");
    const same = [
      ["l", "a"],
      ["a", "l"],
      ["d/far", "a"],
      ["h", "a"],
      ["l", "h"],
      ["bytes:a", "a"],
      ["bytes:n%0A", "n\n"],
      ["e/x", "d/x"],
      ["e/new", "d/new"],
      ["e", "d/x"],
      ["l", "l"],
      ["loop", "loop"],
    ] as const;
    const spelled = [
      [join(link, "a"), "a"],
      [join(link, "l"), join(root, "a")],
    ] as const;
    for (const [first, second] of spelled) expect([first, isHeldBack(link, first, second)]).toEqual([first, true]);
    for (const at of [root, link])
      for (const [first, second] of same)
        expect([at === link, first, second, isHeldBack(at, first, second)]).toEqual([at === link, first, second, true]);
  });

  test("calls on other files go on, and nothing outside of the root tells two links apart", () => {
    const root = layNames();
    const other = [
      ["l", "b"],
      ["b", "a"],
      ["e/x", "d/y"],
      ["loop", "a"],
      ["out/x", "out2/x"],
      ["../outside", "out"],
    ] as const;
    for (const [first, second] of other)
      expect([first, second, isHeldBack(root, first, second)]).toEqual([first, second, false]);
  });

  test("a path of a hundred thousand names is looked up no further than there is something", () => {
    const root = layNames();
    const names = createRealNames([{ path: root, readOnly: false }]);
    expect(names.real(`none/${"a/".repeat(100)}b`)).toEqual([join(root, "none", "a/".repeat(100), "b")]);
    expect(names.real("a/".repeat(100_000))).toEqual([]);
    expect(isHeldBack(root, "l/".repeat(100_000), "a")).toBe(false);
  });

  test("reads that wait for nobody never ask what a path leads to", () => {
    const asked: string[] = [];
    const order = createOrder({ plain: (path) => `/r/${path}`, real: (path) => (asked.push(path), []) });
    for (const path of ["a", "b", "a"]) enter(order, [path], false);
    expect(asked).toEqual([]);
    enter(order, ["c"], true);
    enter(order, ["d"], false);
    expect(asked.toSorted()).toEqual(["a", "a", "b", "c", "d"]);
  });
});
