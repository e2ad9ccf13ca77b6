/**
 * Hooks by the operator's words: "Executed before a tool is invoked. Can validate input, modify parameters, or block execution",
 * "modified_input?: object; Modified tool input (pre_tool only)". What is changed is parsed and decided like any other call.
 */
import { describe, expect, test } from "bun:test";
import { openTestHost, type TestHost } from "../../host/in-memory-host.ts";

/** A hook that says this, whatever the call. */
function says(tool: string, answer: object): { tool: string; before: string[] } {
  return { tool, before: ["/bin/sh", "-c", `cat >/dev/null; printf '%s' '${JSON.stringify(answer)}'`] };
}

function open(hooks: readonly object[], config: object = {}): TestHost {
  return openTestHost({
    files: { "a.txt": "one\ntwo\nthree\n", "b.txt": "bee\n", "secret/x.txt": "hidden\n" },
    config: { hooks: hooks as never, ...config },
  });
}

function decidedOf(host: TestHost): readonly { readonly event: string; readonly [name: string]: unknown }[] {
  const lines = host.audit().split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as { event: string });
}

describe.skipIf(process.platform !== "linux")("a hook that changes arguments", () => {
  test.each(["modified", "modified_input"])("the call is made with the arguments of the hook: %s", async (key) => {
    await using host = open([says("read_file", { decision: "allow", [key]: { path: "a.txt", offset: 2, limit: 1 } })]);
    const { text } = await host.call("read_file", { path: "a.txt" });
    expect(text).toBe("two\n");
  });

  test("the record has the arguments that came and those that were put in their place, with the hook", async () => {
    await using host = open([says("read_file", { modified: { path: "b.txt" } })]);
    expect((await host.call("read_file", { path: "a.txt" })).text).toBe("bee\n");
    const lines = decidedOf(host);
    const proposed = lines.find(({ event }) => event === "proposed");
    const decided = lines.find(({ event }) => event === "decided") as { modified?: { by: string; input: string } };
    expect(decided).toMatchObject({ paths: ["b.txt"], modified: { by: "read_file" } });
    expect(decided.modified?.input).toMatch(/^[0-9a-f]{32}$/);
    expect(decided.modified?.input).not.toBe(proposed?.["input"] as string);
  });

  test("the changed call is decided anew: a rule that denies it holds", async () => {
    await using host = open([says("read_file", { decision: "allow", modified: { path: "secret/x.txt" } })], {
      rules: [{ deny: "read_file(secret/**)" }],
    });
    expect((await host.call("read_file", { path: "a.txt" })).failure?.code).toBe("denied");
  });

  test("a hook cannot lead out of the roots", async () => {
    await using host = open([says("read_file", { modified: { path: "/etc/passwd" } })]);
    expect((await host.call("read_file", { path: "a.txt" })).failure?.code).toBe("outside_scope");
  });

  test("what was asked about is still asked about when the changed call would be allowed", async () => {
    await using host = open([says("read_file", { modified: { path: "b.txt" } })], {
      rules: [{ ask: "read_file(a.txt)" }, { allow: "read_file(b.txt)" }],
    });
    expect((await host.call("read_file", { path: "a.txt" })).failure?.code).toBe("needs_approval");
  });

  test("arguments that the tool does not take mean that a person is asked", async () => {
    for (const modified of [{ pth: "b.txt" }, { path: 7 }, "b.txt", []]) {
      await using host = open([says("read_file", { modified })]);
      expect((await host.call("read_file", { path: "a.txt" })).failure?.code).toBe("needs_approval");
    }
  });

  test("a hook that denies has changed nothing", async () => {
    await using host = open([says("read_file", { decision: "deny", reason: "no", modified: { path: "b.txt" } })]);
    const { failure } = await host.call("read_file", { path: "a.txt" });
    expect(failure).toMatchObject({ code: "denied" });
    expect(JSON.stringify(failure)).toContain("no");
  });

  test("the next hook sees the changed arguments, and may be stricter about them", async () => {
    const second = {
      tool: "read_file",
      before: [
        "/bin/sh",
        "-c",
        `case "$(cat)" in *b.txt*) printf '{"decision":"deny","reason":"b"}';; *) printf '{}';; esac`,
      ],
    };
    await using host = open([says("read_file", { modified: { path: "b.txt" } }), second]);
    expect((await host.call("read_file", { path: "a.txt" })).failure?.code).toBe("denied");
  });

  test("the proposal of a change is the change of the hook", async () => {
    await using host = open([says("write_file", { modified: { path: "b.txt", content: "from the hook\n" } })], {
      baseline: "if_known",
    });
    const answer = await host.call("write_file", { path: "a.txt", content: "from the model\n" });
    await host.apply(answer);
    expect(host.read("b.txt")).toBe("from the hook\n");
    expect(host.read("a.txt")).toBe("one\ntwo\nthree\n");
  });

  test("a resource is not read from another place than its address says", async () => {
    await using host = open([says("read_file", { modified: { path: "b.txt" } })]);
    const { result } = await host.request("resources/list");
    const uri = (result.resources as { uri: string }[]).find((one) => one.uri.endsWith("/a.txt"))?.uri ?? "";
    const answer = await host.request("resources/read", { uri });
    expect(JSON.stringify(answer)).not.toContain("bee");
    expect(answer.error).toBeDefined();
  });

  test.each([[["deny"]], ["deny"], [1], [null], [{ decison: "deny" }], [{ permission: "deny" }]] as const)(
    "an answer of which nothing is understood means that a person is asked: %j",
    async (answer) => {
      await using host = open([says("read_file", answer as object)]);
      expect((await host.call("read_file", { path: "a.txt" })).failure?.code).toBe("needs_approval");
    },
  );

  test("a hook that says nothing, or only why, leaves the call as it is", async () => {
    await using host = open([says("read_file", {}), says("stat", { reason: "fine" })]);
    expect((await host.call("read_file", { path: "b.txt" })).text).toBe("bee\n");
    expect((await host.call("stat", { path: "b.txt" })).failure).toBeUndefined();
  });
});
