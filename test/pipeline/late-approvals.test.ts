/**
 * Calls that a person approves after their answer: the host that proposed the call makes it, once, and nobody else can. What its
 * tool says of it is shown by every process.
 */
import { afterEach, expect, test } from "bun:test";
import { builtinTools } from "../../src/packs/index.ts";
import { HandClock } from "../host/hand-clock.ts";
import { openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";
import { createSender } from "./send-page.ts";

const LOOK_MS = 1000;

let clock: HandClock;
let host: TestHost;
let terminal: TestHost;
let sender = createSender();

function open(config = {}): void {
  clock = new HandClock();
  host = openTestHost({ tools: [...builtinTools, sender.tool], config, clock });
  terminal = openTestHost({ top: host.top });
}

afterEach(async () => {
  await terminal[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  sender = createSender();
});

const propose = async (text = "hello"): Promise<CallAnswer> => await host.call("send_page", { text });

/** As `ringfence proposals show` and `apply` do. */
async function approve({ proposal }: CallAnswer): Promise<Awaited<ReturnType<TestHost["request"]>>> {
  const { result } = await terminal.request("ringfence/proposals/get", { id: proposal?.id });
  return await terminal.request("ringfence/proposals/approve", { id: `${result.id}@${result.digest}` });
}

const waiting = async (): Promise<number> =>
  (await terminal.request("ringfence/proposals/list")).result.proposals.length as number;

test("a call that was answered already is made once when another process approves it", async () => {
  open();
  expect((await approve(await propose())).result).toMatchObject({ status: "approved" });
  expect(sender.sent).toEqual([]);
  await clock.passWhenAsked(LOOK_MS);
  await until("the call to be made", () => sender.sent.length === 1);
  await until("its proposal to end", async () => (await waiting()) === 0);
  const { text } = await host.call("await_review", { seconds: 0 });
  expect(text).toEndWith("A person approved the call. It answered:\nsent hello");
  expect((await host.call("await_review", { seconds: 0 })).text).toStartWith("Nothing waits");
  expect(sender.sent).toEqual(["hello"]);
});

test("await_review makes an approved call at once, and the host does not make it again", async () => {
  open();
  await approve(await propose());
  expect((await host.call("await_review", { seconds: 0 })).text).toEndWith("sent hello");
  await clock.passWhenAsked(LOOK_MS);
  expect((await host.call("await_review", { seconds: 0 })).text).toStartWith("Nothing waits");
  expect(sender.sent).toEqual(["hello"]);
});

test("a call that fails after its approval waits on, and needs another approval", async () => {
  open();
  sender.isFailing = true;
  const answer = await propose();
  await approve(answer);
  const { text } = await host.call("await_review", { seconds: 0 });
  expect(text).toContain("A person approved the call, and it failed: Cannot send the page: far.example is away");
  sender.isFailing = false;
  await clock.passWhenAsked(LOOK_MS);
  expect(await waiting()).toBe(1);
  expect(sender.sent).toEqual([]);
  await approve(answer);
  expect((await host.call("await_review", { seconds: 0 })).text).toEndWith("sent hello");
});

test("a call whose host has ended is approved by nobody", async () => {
  open();
  const first = openTestHost({ top: host.top, tools: [sender.tool] });
  const answer = await first.call("send_page", { text: "hello" });
  await first[Symbol.asyncDispose]();
  expect((await approve(answer)).error.data).toMatchObject({
    code: "conflict",
    message: expect.stringContaining("the host that proposed it has ended"),
  });
});

test("an approval names what was shown", async () => {
  open();
  const { proposal } = await propose();
  const { error } = await terminal.request("ringfence/proposals/approve", { id: `${proposal?.id}@${"0".repeat(40)}` });
  expect(error.data.code).toBe("conflict");
  expect(sender.sent).toEqual([]);
});

test("what a tool says of its call is shown by a process that does not have the tool", async () => {
  open();
  const { proposal } = await propose();
  const { result } = await terminal.request("ringfence/proposals/get", { id: proposal?.id });
  expect(result.summary).toBe("Send 5 characters to far.example");
  expect(result.text).toContain("The tool says:\n  Send 5 characters to far.example");
  const listed = await terminal.request("ringfence/proposals/list");
  expect(listed.result.proposals[0].summary).toBe("Send 5 characters to far.example");
});
