/**
 * The programs that show notices, by their arguments: the text is never a script, markup or a flag.
 */
import { expect, test } from "bun:test";
import { noticeArguments, openDesktopNotifier } from "../../src/proc/desktop-notice.ts";

const notice = { title: "--title", body: 'Edit <a href="x">&.ts', urgency: "normal" } as const;

test("notify-send gets text behind its flags, the body without markup, and the notice that it replaces", () => {
  const action = { label: "Review", run: () => undefined };
  expect(noticeArguments("notify-send", { ...notice, action }, "7")).toEqual([
    "--app-name=ringfence",
    "--urgency=normal",
    "--print-id",
    "--replace-id=7",
    "--action=open=Review",
    "--",
    "--title",
    'Edit &lt;a href="x"&gt;&amp;.ts',
  ]);
  expect(noticeArguments("notify-send", { ...notice, urgency: "low" })).toContain("--expire-time=5000");
});

test("osascript gets the text as arguments of a script that never changes", () => {
  expect(noticeArguments("osascript", notice)).toEqual([
    "-e",
    "on run argv",
    "-e",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "-e",
    "end run",
    notice.title,
    notice.body,
  ]);
});

test("a system without notices, and a session without a bus, have no notifier", () => {
  expect(openDesktopNotifier({ PATH: "/usr/bin" }, "win32")).toBeUndefined();
  expect(
    openDesktopNotifier({ PATH: "/usr/bin", DISPLAY: ":0", XDG_RUNTIME_DIR: "/nonexistent" }, "linux"),
  ).toBeUndefined();
});
