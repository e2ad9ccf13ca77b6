/**
 * A call waits while somebody reviews: it is answered with the decision of another process, with what was left out and with
 * what the person said. Without a reviewer nothing waits, and a reviewer who is killed is gone.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openStateFolder, ReviewBoard } from "../../src/state/index.ts";
import { until } from "../waits/until.ts";
import { openTestHost, type CallAnswer, type Json, type TestHost } from "../host/in-memory-host.ts";

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join("");
const FILES = { "a.txt": LINES, "b.txt": "password=none\n" };

let host: TestHost;
let reviewer: TestHost;
let attached: Disposable | undefined;

function open(config = {}): void {
  host = openTestHost({ files: FILES, config: { ask: "both", ...config } });
  reviewer = openTestHost({ top: host.top });
  attached = new ReviewBoard(openStateFolder(host.stateDir).review).attach();
}

function leave(): void {
  attached?.[Symbol.dispose]();
  attached = undefined;
}

async function close(): Promise<void> {
  leave();
  await reviewer[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
}

beforeEach(() => open());
afterEach(close);

/** A search that a person is asked about. */
const search = async (): Promise<CallAnswer> => await host.call("grep", { pattern: "password=" });

const edit = async (...pairs: readonly [from: string, to: string][]): Promise<CallAnswer> =>
  await host.call("edit_file", {
    path: "a.txt",
    edits: pairs.map(([old_text, new_text]) => ({ old_text, new_text })),
  });

async function waiting(): Promise<Json> {
  const id = await until("a proposal waits", async () => {
    const { result } = await reviewer.request("ringfence/proposals/list");
    return result.proposals[0]?.id as string | undefined;
  });
  const { result } = await reviewer.request("ringfence/proposals/get", { id });
  return { ...result, label: `${result.id}@${result.digest}` };
}

test("a waiting call is answered with what was applied, what was left out, and the comments", async () => {
  const answer = edit(["line 2\n", "line two\n"], ["line 6\n", "line six\n"], ["line 29\n", "line last\n"]);
  const { label } = await waiting();
  const comments = [
    { path: "a.txt", line: 6, quote: "line six", text: "Numbers stay numbers.\nAll of them." },
    { text: "Otherwise fine." },
  ];
  const applied = await reviewer.request("ringfence/proposals/apply", {
    id: label,
    hunks: { "a.txt": ["1.1", 2] },
    comments,
  });
  expect(applied.result.left_out).toEqual([{ path: "a.txt", operation: "edit", hunks: ["1.2"] }]);
  const { text, result } = await answer;
  expect(text).toStartWith("Applied: Edit a.txt");
  expect(text).toContain("A person approved it, and left out parts of it.");
  expect(text).toContain("Left out: a.txt, hunk 1.2.\n");
  expect(text).toContain('a.txt:6 "line six": Numbers stay numbers.\n  All of them.\nOtherwise fine.\n');
  expect(text).toEndWith(`Transaction ${applied.result.transaction}`);
  expect(result.isError).toBeUndefined();
  expect(host.read("a.txt")).toBe(LINES.replace("line 2\n", "line two\n").replace("line 29\n", "line last\n"));
});

test("after a reviewer applied a change, the next edit of the file needs no new read", async () => {
  await host.call("read_file", { path: "a.txt" });
  const first = edit(["line 2\n", "line two\n"]);
  const { label } = await waiting();
  await reviewer.request("ringfence/proposals/apply", { id: label });
  await first;
  const second = edit(["line 3\n", "line three\n"]);
  const next = await waiting();
  await reviewer.request("ringfence/proposals/reject", { id: next.id, reason: "no", comments: [{ text: "Why?" }] });
  const { failure } = await second;
  expect(failure).toMatchObject({ code: "denied", retry: "changed" });
  expect(failure?.message).toEndWith("a person rejected it: no");
  expect(failure?.hint).toStartWith("The person says:\nWhy?\n");
});

test("a call that is no change waits too, and goes on when it is approved", async () => {
  const answer = search();
  const { label, text } = await waiting();
  expect(text).toContain("grep");
  const approved = await reviewer.request("ringfence/proposals/approve", { id: label });
  expect(approved.result).toMatchObject({ status: "approved" });
  expect((await answer).text).toContain("b.txt");
  expect((await reviewer.request("ringfence/proposals/list")).result.proposals).toEqual([]);
});

test("a call that a reviewer rejects is not made, and its model reads why", async () => {
  const answer = search();
  const { id } = await waiting();
  await reviewer.request("ringfence/proposals/reject", { id, reason: "secrets stay here" });
  expect((await answer).failure).toMatchObject({
    code: "denied",
    message: expect.stringContaining("secrets stay here"),
  });
});

test("without a reviewer nothing waits", async () => {
  leave();
  const { text } = await edit(["line 2\n", "line two\n"]);
  expect(text).toContain("Nothing is written yet.");
  expect((await search()).failure?.code).toBe("needs_approval");
});

test("a call waits no longer than review.wait_ms, and says how to go on", async () => {
  await close();
  open({ review: { wait_ms: 1 } });
  const { all } = await edit(["line 2\n", "line two\n"]);
  expect(all).toContain("await_review waits for the decision");
  const { failure } = await search();
  expect(failure).toMatchObject({ code: "needs_approval", hint: expect.stringContaining("has not decided in time") });
  expect((await reviewer.request("ringfence/proposals/list")).result.proposals).toHaveLength(1);
});

test("await_review tells a decision that came after the call had ended", async () => {
  leave();
  const { proposal } = await edit(["line 2\n", "line two\n"]);
  const { text: undecided } = await host.call("await_review", { seconds: 0 });
  expect(undecided).toBe(`${proposal?.id}: Nobody has decided yet: ${proposal?.summary}.`);
  const news = host.call("await_review", {});
  const { label } = await waiting();
  await reviewer.request("ringfence/proposals/apply", { id: label, comments: [{ path: "a.txt", text: "Good." }] });
  expect((await news).text).toBe(
    `${proposal?.id}: A person approved it, and it is applied: ${proposal?.summary}.\nThe person says:\na.txt: Good.`,
  );
  expect((await host.call("await_review", {})).text).toStartWith("Nothing waits for a person");
  const { result } = await host.call("await_review", { ids: [`${proposal?.id}@${proposal?.digest}`] });
  expect(result.isError).toBeUndefined();
});

test("await_review refuses what is no id", async () => {
  const { failure } = await host.call("await_review", { ids: ["../x"] });
  expect(failure?.code).toBe("not_found");
});

test("a call that was cancelled while it waited leaves its proposal", async () => {
  const { digest, id } = await (async () => {
    void host.request("tools/call", { name: "write_file", arguments: { path: "n.txt", content: "x" } }, 77);
    return await waiting();
  })();
  host.send(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 77 } })}\n`);
  await until("the wait is over", () => host.audit().includes('"answered"'));
  const applied = await reviewer.request("ringfence/proposals/apply", { id: `${id}@${digest}` });
  expect(applied.result.status).toBe("applied");
});

test("an approval of a call that nobody waits for is refused", async () => {
  leave();
  const { proposal } = await edit(["line 2\n", "line two\n"]);
  const { error } = await reviewer.request("ringfence/proposals/approve", {
    id: `${proposal?.id}@${proposal?.digest}`,
  });
  expect(error.data).toMatchObject({ code: "conflict" });
});

test("a place of change that is not in a hunk is refused, and nothing is written", async () => {
  leave();
  const { proposal } = await edit(["line 2\n", "line two\n"]);
  const { error } = await host.request("ringfence/proposals/apply", { id: proposal?.id, hunks: { "a.txt": ["1.2"] } });
  expect(error.data.message).toContain("there is no hunk 1.2");
  expect(host.read("a.txt")).toBe(LINES);
});

test("await_review holds back neither the approval that it waits for nor other calls", async () => {
  leave();
  const { proposal } = await edit(["line 2\n", "line two\n"]);
  const news = host.call("await_review", { seconds: 3000 });
  const applied = await host.request("ringfence/proposals/apply", { id: proposal?.id });
  expect(applied.result.status).toBe("applied");
  expect((await host.call("read_file", { path: "a.txt", limit: 2 })).text).toContain("line two");
  expect((await news).text).toContain("A person approved it, and it is applied");
});

test("a call that is approved while it waits is answered itself, and await_review makes it no second time", async () => {
  const answer = search();
  const { id, label } = await waiting();
  expect((await host.call("await_review", { ids: [id], seconds: 0 })).text).toContain("Nobody has decided yet");
  await reviewer.request("ringfence/proposals/approve", { id: label });
  // They look at every moment between the approval and the answer.
  let isAnswered = false;
  const look = async (): Promise<void> => {
    while (!isAnswered) {
      const { text } = await host.call("await_review", { ids: [id], seconds: 0 });
      expect(text).toMatch(/: (?:Nobody has decided yet|A person approved it, and it is applied): /);
    }
  };
  const looks = Promise.all(Array.from({ length: 4 }, look));
  const { text } = await answer;
  isAnswered = true;
  expect(text).toContain("b.txt");
  await looks;
  expect((await host.call("await_review", { ids: [id], seconds: 0 })).text).toContain("it is applied");
});

test("a model that speaks a dialect reads what was left out and said", async () => {
  await close();
  open({ dialect: "claude", mode: "accept_edits", rules: [{ ask: "edit_file(**)" }] });
  const answer = host.call("MultiEdit", {
    file_path: "a.txt",
    edits: [2, 29].map((at) => ({ old_string: `line ${at}\n`, new_string: `new ${at}\n` })),
  });
  const { label } = await waiting();
  await reviewer.request("ringfence/proposals/apply", {
    id: label,
    hunks: { "a.txt": [1] },
    comments: [{ path: "a.txt", line: 29, text: "Leave the end." }],
  });
  expect((await answer).text).toContain("Left out: a.txt, hunk 2.\nThe person says:\na.txt:29: Leave the end.\n");
});
