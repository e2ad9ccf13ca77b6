/**
 * A tool that is carried out elsewhere, through the whole host: asked about as a proposal, made when it is applied, bounded,
 * redacted, cancelled and on record.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { Failure, type Clock } from "../../src/base/index.ts";
import type { RawConfig } from "../../src/config/index.ts";
import { defineRemoteTool, type RemoteToolGiven } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { HandClock } from "../host/hand-clock.ts";
import { labelOf, openTestHost, type TestHost } from "../host/in-memory-host.ts";
import { settled, until } from "../waits/until.ts";

let host: TestHost | undefined;
let made: unknown[] = [];

afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  host = undefined;
  made = [];
});

function open(given: Partial<RemoteToolGiven> = {}, config: RawConfig = {}, clock?: Clock): TestHost {
  const tool = defineRemoteTool({
    name: "mcp_far_say",
    aliases: ["mcp:far:say"],
    owner: 'the MCP server "far"',
    tool: "say",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    async execute(args) {
      made.push(args);
      return { content: [{ type: "text", text: `said ${String(args["text"])}` }] };
    },
    ...given,
  });
  host = openTestHost({ tools: [...builtinTools, tool], config, ...(clock ? { clock } : {}) });
  return host;
}

describe("a tool of nobody knows what", () => {
  test("a remote tool is proposed with server, tool and arguments, and made when it is applied", async () => {
    const opened = open();
    const answer = await opened.call("mcp:far:say", { text: "hi" });
    expect(answer.proposal).toMatchObject({ risk: "R4", summary: 'Call say of the MCP server "far"' });
    expect(answer.all).toContain('"text": "hi"');
    expect(made).toEqual([]);
    const { result } = await opened.apply(answer);
    expect(result).toMatchObject({ status: "applied", result: { text: "said hi" } });
    expect(made).toEqual([{ text: "hi" }]);
    const record = opened.audit();
    expect(record).toContain('"called":"say"');
    expect((await opened.apply(answer)).error).toBeDefined();
    expect(made).toHaveLength(1);
  });

  test("a remote call is not made by a host that does not have the tool, which says who can", async () => {
    const opened = open();
    const answer = await opened.call("mcp_far_say", { text: "hi" });
    await using other = openTestHost({ top: opened.top });
    const { error } = await other.apply(answer, { id: labelOf(answer) });
    expect(error.data).toMatchObject({ code: "unsupported" });
    expect(error.data.message).toContain('a call of "mcp_far_say", which is not here');
    expect(error.data.hint).toContain("lets the host that proposed it make it, while that runs");
    const forHost = `--root ${opened.root} --state-dir ${opened.stateDir}`;
    expect(error.data.hint).toContain(`\`ringfence grants add mcp_far_say ${forHost}\``);
    expect((await opened.apply(answer)).result).toMatchObject({ status: "applied" });
  });

  test("a remote tool is called at once where a rule allows it", async () => {
    const opened = open({}, { rules: [{ allow: "mcp_far_*" }] });
    expect((await opened.call("mcp_far_say", { text: "hi" })).text).toBe("said hi");
  });

  test("a remote tool is not there in a host that only reads, nor called in the mode plan", async () => {
    const { result } = await open({}, { readOnly: true }).request("tools/list", {});
    expect(JSON.stringify(result)).not.toContain("mcp_far_say");
    await host?.[Symbol.asyncDispose]();
    const planning = open({}, { mode: "plan", rules: [{ allow: "mcp_far_*" }] });
    expect((await planning.call("mcp_far_say", { text: "hi" })).proposal).toBeDefined();
    expect(made).toEqual([]);
  });
});

test("a schema that is none is completed with nothing", async () => {
  const inputSchema = {
    type: "object",
    properties: { a: { enum: "no" }, b: { items: { enum: {} } }, c: true },
  };
  const opened = open({ inputSchema });
  for (const name of ["a", "b", "c"]) {
    const params = { ref: { type: "ref/tool", name: "mcp_far_say" }, argument: { name, value: "" } };
    const { result } = await opened.modern("completion/complete", params);
    expect(result.completion).toEqual({ values: [], hasMore: false });
  }
});

describe("a tool that the operator calls reading", () => {
  test("a remote tool that the operator calls reading is called at once, checked before", async () => {
    const opened = open({ effect: "read" });
    expect((await opened.call("mcp_far_say", { text: "hi" })).text).toBe("said hi");
    expect((await opened.call("mcp_far_say", {})).failure).toMatchObject({ code: "invalid_input" });
  });

  test("a remote tool is told when its caller leaves, and when its time is over", async () => {
    const seen = { begun: 0, told: 0 };
    const execute: RemoteToolGiven["execute"] = async (_args, { signal }) => {
      signal.addEventListener("abort", () => seen.told++);
      seen.begun++;
      return await new Promise(() => undefined);
    };
    const clock = new HandClock();
    const slow = open({ effect: "read", timeoutMs: 50, execute }, {}, clock);
    const calling = slow.call("mcp_far_say", { text: "" });
    await clock.passWhenAsked(50);
    expect((await calling).failure?.code).toBe("timed_out");
    expect(seen).toEqual({ begun: 1, told: 1 });
    await slow[Symbol.asyncDispose]();
    const waiting = open({ effect: "read", execute });
    void waiting.request("tools/call", { name: "mcp_far_say", arguments: { text: "" } }, "x");
    await until("the call to begin", () => seen.begun === 2);
    waiting.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x","reason":"no"}}');
    await until("its owner to be told", () => seen.told === 2);
    await settled("the call that was cancelled", waiting.session.settled());
  });

  test("a remote answer has its secrets replaced and its size bounded", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const opened = open({
      effect: "read",
      execute: async () => ({ content: [{ type: "text", text: `${token} ${"x".repeat(3_000_000)}` }] }),
    });
    const { all, result } = await opened.call("mcp_far_say", { text: "" });
    expect(all).not.toContain(token);
    expect(Buffer.byteLength(all)).toBeLessThan(1_100_000);
    expect(JSON.stringify(result.content)).toContain("ringfence://spill/");
  });

  test("a failure that a remote call throws has its secrets replaced wherever it quotes them, and nothing else", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN";
    let says = token;
    const opened = open({
      execute: async () => {
        throw new Failure("command_failed", `Cannot say it: the server answers\n${says}`, {
          hint: `Do not send ${says} again.`,
          candidates: [`use ${says}`, "use another word"],
          details: { line: 7, said: [says], api_key: "k3Jx9QpLm2Zr8TvW" },
        });
      },
      effect: "read",
    });
    const first = await opened.call("mcp_far_say", { text: "" });
    expect(JSON.stringify(first.result)).not.toContain(token);
    const [placeholder = ""] = /\[secret:[0-9a-f]{6}\]/.exec(first.text) ?? [];
    expect(first.failure).toEqual({
      code: "command_failed",
      message: `Cannot say it: the server answers\n${placeholder}`,
      hint: `Do not send ${placeholder} again.`,
      retry: "changed",
      candidates: [`use ${placeholder}`, "use another word"],
      details: { line: 7, said: [placeholder], api_key: expect.stringMatching(/^\[secret:[0-9a-f]{6}\]$/) },
    });
    // A key without an end goes as far as its text does, and no further.
    says = key;
    const { failure } = await opened.call("mcp_far_say", { text: "" });
    expect(failure?.code).toBe("command_failed");
    expect(failure?.message).toMatch(/answers\n\[secret:[0-9a-f]{6}\]$/);
    expect(failure?.candidates?.[1]).toBe("use another word");
    expect(opened.audit()).not.toContain(token);
  });

  test("an approved call that throws has its secrets replaced in the error of apply", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const opened = open({
      execute: async () => {
        throw new Failure("denied", `Cannot say it: the server refuses ${token}`);
      },
    });
    const { error } = await opened.apply(await opened.call("mcp_far_say", { text: "hi" }));
    expect(JSON.stringify(error)).toMatch(/refuses \[secret:[0-9a-f]{6}\]/);
    expect(JSON.stringify(error)).not.toContain(token);
  });

  test("a failure is left as it was thrown where secrets are shown", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const execute = async (): Promise<never> => {
      throw new Failure("denied", `Cannot say it: the server refuses ${token}`);
    };
    const opened = open({ effect: "read", execute }, { secrets: { redact: false } });
    expect((await opened.call("mcp_far_say", { text: "" })).text).toContain(token);
  });

  test("a remote tool that says it failed is a failure, in its own words", async () => {
    const opened = open({
      effect: "read",
      execute: async () => ({ isError: true, content: [{ type: "text", text: "no such thing" }] }),
    });
    const { text, failure, result } = await opened.call("mcp_far_say", { text: "" });
    expect([text, failure?.code, result.isError]).toEqual(["no such thing", "command_failed", true]);
  });
});
