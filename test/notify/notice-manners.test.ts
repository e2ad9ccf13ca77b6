/**
 * When a person is told, over hours that pass in no time: the time is a number of the test.
 */
import { expect, test } from "bun:test";
import { NoticeManners, type Notice, type WaitingAsk } from "../../src/cli/notify/notice-manners.ts";
import { noticeText } from "../../src/cli/notify/notice-text.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function ask(id: string, expiresMs = 24 * HOUR): WaitingAsk {
  return { id, change: `Edit ${id}.ts`, risk: "R2", client: "agent", expiresMs };
}

/** Looks every second of the time, as `ringfence notify` does. @param at what waits at a time */
function told(untilMs: number, at: (nowMs: number) => readonly WaitingAsk[]): [number, Notice["kind"], number][] {
  const manners = new NoticeManners();
  const notices: [number, Notice["kind"], number][] = [];
  for (let now = 0; now <= untilMs; now += SECOND) {
    const notice = manners.look(now, at(now));
    if (notice) notices.push([now, notice.kind, notice.waiting.length]);
  }
  return notices;
}

test("a burst is told once, and again after 5 and 15 minutes and 10 minutes before it expires", () => {
  const burst = Array.from({ length: 20 }, (_, at) => ask(`p${at}`));
  const notices = told(24 * HOUR, (now) => burst.slice(0, 1 + Math.floor(now / 100)));
  expect(notices).toEqual([
    [2 * SECOND, "new", 20],
    [2 * SECOND + 5 * MINUTE, "again", 20],
    [2 * SECOND + 15 * MINUTE, "again", 20],
    [24 * HOUR - 10 * MINUTE, "expiring", 20],
  ]);
});

test("what is decided is not mentioned again, and the end is said once", () => {
  const notices = told(HOUR, (now) => (now < 6 * MINUTE ? [ask("a"), ask("b")] : now < 10 * MINUTE ? [ask("b")] : []));
  expect(notices).toEqual([
    [2 * SECOND, "new", 2],
    [2 * SECOND + 5 * MINUTE, "again", 2],
    [10 * MINUTE, "done", 0],
  ]);
});

test("what is decided within the burst is never mentioned, nor its end", () => {
  expect(told(HOUR, (now) => (now < 2 * SECOND ? [ask("a")] : []))).toEqual([]);
});

test("a later proposal is told at once, and reminders that lie close together are one", () => {
  const notices = told(10 * MINUTE, (now) => (now < 30 * SECOND ? [ask("a")] : [ask("a"), ask("b")]));
  expect(notices).toEqual([
    [2 * SECOND, "new", 1],
    [32 * SECOND, "new", 2],
    [2 * SECOND + 5 * MINUTE, "again", 2],
  ]);
});

test("a proposal that lives for less than ten minutes is told once, and not after its end", () => {
  expect(told(HOUR, () => [ask("a", 4 * MINUTE)])).toEqual([[2 * SECOND, "new", 1]]);
});

test("look() gives one reminder for several that a machine slept over", () => {
  const manners = new NoticeManners();
  manners.look(0, [ask("a")]);
  expect(manners.look(2 * SECOND, [ask("a")])?.kind).toBe("new");
  expect(manners.look(2 * HOUR, [ask("a")])?.kind).toBe("again");
  expect(manners.look(2 * HOUR + SECOND, [ask("a")])).toBeUndefined();
});

test("the text of a notice names the newest first, has no control signs and is short", () => {
  const hostile = { ...ask("x"), change: "Edit \u001b]0;gone\u0007\u202e\nrm -rf\t.ts", client: "a".repeat(500) };
  const { title, body } = noticeText({ kind: "new", waiting: [hostile, ask("b"), ask("c"), ask("d"), ask("e")] });
  expect(title).toBe("ringfence: 5 proposals need you");
  expect(body.split("\n")).toHaveLength(4);
  expect(body).toContain("Edit \\x1b]0;gone\\x07\\u202e\\x0arm -rf .ts");
  expect(body).toEndWith("\nand 2 more");
  expect(body).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(Math.max(...body.split("\n").map((line) => line.length))).toBeLessThan(140);
});
