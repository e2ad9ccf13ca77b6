/**
 * A function of the program before every call: it narrows and never widens, and whatever goes wrong with it means deny.
 */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, type Guard, type GuardAnswer, type GuardedCall } from "ringfence";
import { codeOf, Workspace } from "./workspace.ts";

const FILES = { "a.txt": "one\n", "b.txt": "two\n" };
const READ = { path: "a.txt" };

const noReadsAtNight: Guard = ({ tool }) =>
  tool === "read_file" ? { decision: "deny", reason: "not at night" } : "allow";

/** The decisions on record, as tool, verdict, rule and reason. */
function decided({ stateDir }: Workspace): unknown[] {
  const folder = join(stateDir, "audit");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ event }) => event === "decided")
    .map(({ tool, decision, rule, reason }) => [tool, decision, rule, reason]);
}

describe("a guard", () => {
  test("a guard is told of every call, and what it does to what it is told changes nothing", async () => {
    using place = new Workspace(FILES);
    const seen: GuardedCall[] = [];
    const guard: Guard = (call) => {
      seen.push(structuredClone({ ...call, signal: undefined }) as unknown as GuardedCall);
      (call.arguments as { path: string }).path = "b.txt";
      return "allow";
    };
    await using host = await place.open({ guard, client: "my agent" });
    const meta = { "my.key": 1 };
    expect((await host.callTool("read_file", READ, { meta })).text).toBe("one\n");
    expect(seen).toEqual([
      {
        tool: "read_file",
        effect: "read",
        arguments: READ,
        paths: ["a.txt"],
        targets: [],
        decision: expect.objectContaining({ type: "allow", risk: "R1" }) as never,
        client: "my agent",
        meta: expect.objectContaining(meta) as never,
        signal: undefined as never,
      },
    ]);
  });

  test("a guard that denies ends the call with its reason, on record", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open({ guard: noReadsAtNight });
    const { failure } = await host.callTool("read_file", READ);
    expect([failure?.code, failure?.message]).toEqual(["denied", 'Cannot call "read_file": not at night']);
    expect((await host.callTool("stat", READ)).isError).toBe(false);
    await host.close();
    expect(decided(place)[0]).toEqual(["read_file", "deny", "guard:read_file", "not at night"]);
  });

  test("a guard that asks makes a change a proposal, also in the mode bypass, and a read wait for a person", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open({ guard: () => "ask", mode: "bypass" });
    const { proposal } = await host.callTool("write_file", { path: "c.txt", content: "c" });
    expect(proposal?.suggested_rules).toEqual([]);
    expect((await host.callTool("read_file", READ)).failure?.code).toBe("needs_approval");
    // The program itself decides then.
    expect((await host.proposals.apply(proposal?.id ?? "")).status).toBe("applied");
  });

  test("a guard that allows lifts no rule", async () => {
    using place = new Workspace(FILES);
    const rules = [{ deny: "stat" }, { ask: "read_file" }];
    await using host = await place.open({ guard: () => "allow", rules });
    expect((await host.callTool("stat", READ)).failure?.code).toBe("denied");
    expect((await host.callTool("read_file", READ)).failure?.code).toBe("needs_approval");
    expect((await host.callTool("write_file", { path: "c.txt", content: "c" })).proposal).toBeDefined();
  });

  test.skipIf(process.platform === "win32")("a guard sees the arguments as a hook has left them", async () => {
    using place = new Workspace(FILES);
    const seen: unknown[] = [];
    const answer = `cat > /dev/null; echo '{"modified": {"path": "b.txt"}}'`;
    await using host = await place.open({
      hooks: [{ tool: "read_file", before: ["/bin/sh", "-c", answer] }],
      guard: ({ arguments: given }) => (seen.push(given), "allow"),
    });
    expect([(await host.callTool("read_file", READ)).text, seen]).toEqual(["two\n", [{ path: "b.txt" }]]);
  });

  const broken: [what: string, guard: Guard][] = [
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", async () => await Promise.reject(new Error("no"))],
    ["answers nothing", () => undefined as unknown as GuardAnswer],
    ["answers something else", () => "yes" as GuardAnswer],
    ["does not answer in time", async () => await new Promise<never>(() => undefined)],
  ];
  test.each(broken)("a guard that %s denies the call", async (_what, guard) => {
    using place = new Workspace(FILES);
    await using host = await place.open({ guard, guardTimeoutMs: 50 });
    const { failure } = await host.callTool("read_file", READ);
    expect([failure?.code, failure?.message]).toEqual([
      "denied",
      'Cannot call "read_file": the guard of the program could not decide',
    ]);
  });

  test("a guard hears that its time is over, and holds no other call back", async () => {
    using place = new Workspace(FILES);
    const over = Promise.withResolvers<void>();
    const guard: Guard = async ({ tool, signal }): Promise<GuardAnswer> => {
      if (tool !== "stat") return "allow";
      signal.addEventListener("abort", () => over.resolve());
      return await new Promise<never>(() => undefined);
    };
    await using host = await place.open({ guard, guardTimeoutMs: 200 });
    const slow = host.callTool("stat", READ);
    expect((await host.callTool("read_file", READ)).text).toBe("one\n");
    await over.promise;
    expect((await slow).failure?.code).toBe("denied");
  });

  test("a guard stands in what explain() says would be asked, and is not asked by it", async () => {
    using place = new Workspace(FILES);
    let calls = 0;
    await using host = await place.open({ guard: () => (calls++, "deny") });
    const { decision, asked_before: before } = await host.explain("read_file", READ);
    expect([decision.type, before, calls]).toEqual(["allow", ["the guard of the program"], 0]);
  });

  test("a guard with a time that is none is refused at the start", async () => {
    using place = new Workspace(FILES);
    for (const guardTimeoutMs of [0, -1, 1.5, Number.NaN, 1e12])
      expect(await codeOf(createHost({ roots: [place.root], guard: () => "allow", guardTimeoutMs }))).toBe(
        "invalid_input",
      );
  });
});
