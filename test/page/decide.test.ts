/**
 * Deciding on the page: by keyboard alone, with parts left out and comments that the waiting call reads; never by keys that
 * were typed ahead; never about something else than what was shown; and with one winner where two decide.
 */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binaryPath } from "../binary/build-binary.ts";
import { Place, proposalOf, ServeProcess } from "../binary/serve-process.ts";
import { component } from "../components/component.ts";
import { until } from "../waits/until.ts";
import { TestBrowser } from "./open-browser.ts";
import { answerOf, decide, decideUntil, isAttached, isReady } from "./page-person.ts";
import { WebReview } from "./web-review.ts";

const chromium = component("chromium-headless-shell");
const strace = component("chromium-headless-shell", "strace");

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);
const CHANGES = [2, 6, 29].map((at) => ({ old_text: `line ${at}\n`, new_text: `new ${at}\n` }));

function plant(): Place & { readonly text: () => string } {
  const place = new Place();
  writeFileSync(join(place.root, "a.txt"), LINES.join(""));
  return Object.assign(place, { text: () => readFileSync(join(place.root, "a.txt"), "utf8") });
}

test.skipIf(chromium.isMissing)(
  `a person decides by keyboard alone, and the waiting call reads it${chromium.note}`,
  async () => {
    using place = plant();
    await using host = await ServeProcess.start(place);
    await using review = await WebReview.start(place);
    await using browser = await TestBrowser.open();
    const page = await browser.page(review.address);
    await page.waitForSelector("text=Nothing waits");
    await isAttached(place);
    host.call(1, "edit_file", { path: "a.txt", edits: CHANGES });
    await page.waitForSelector("#l0-0");
    // Down to the first removed line: the bar, the head of the hunk, a line of context, line 2.
    for (const key of ["j", "j", "j"]) await page.keyboard.press(key);
    await page.keyboard.press("s");
    await page.waitForSelector("text=each by itself");
    for (let lines = 0; lines < 5; lines++) await page.keyboard.press("j");
    await page.keyboard.press("Space");
    await page.waitForSelector("text=1 left out");
    await page.keyboard.press("]");
    for (let lines = 0; lines < 5; lines++) await page.keyboard.press("j");
    await page.keyboard.press("c");
    await page.waitForSelector("#comment");
    await page.keyboard.type("Keep the numbers.");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".said");
    expect(place.text()).toBe(LINES.join(""));
    await decideUntil(page, "y", "Applied:");
    const text = await answerOf(host, 1);
    expect(text).toContain("A person approved it, and left out parts of it.\nLeft out: a.txt, hunk 1.2.\n");
    expect(text).toContain('The person says:\na.txt:29 "new 29": Keep the numbers.\n');
    expect(place.text()).toBe(
      LINES.map((line, index) => (index === 1 || index === 28 ? `new ${index + 1}\n` : line)).join(""),
    );
    expect(browser.complaints).toEqual([]);
    const record = readdirSync(join(place.stateDir, "audit"))
      .map((name) => readFileSync(join(place.stateDir, "audit", name), "utf8"))
      .join("");
    for (const event of ["review_started", "review_opened", "reviewed"])
      expect(record).toMatch(new RegExp(`"event":"${event}","by":"page"`));
  },
);

test.skipIf(chromium.isMissing)(
  `a person rejects with a reason, and Enter and Escape decide nothing${chromium.note}`,
  async () => {
    using place = plant();
    await using host = await ServeProcess.start(place);
    await using review = await WebReview.start(place);
    await using browser = await TestBrowser.open();
    const page = await browser.page(review.address);
    await isAttached(place);
    host.call(1, "edit_file", { path: "a.txt", edits: CHANGES });
    await page.waitForSelector("#l0-0");
    const isAsked = async (): Promise<boolean> => (await page.locator("dialog").count()) > 0;
    await decide(page, "n", isAsked);
    await page.keyboard.press("Escape");
    await until("the question is gone", async () => !(await isAsked()));
    await page.locator("button.apply").focus();
    await isReady(page);
    await page.keyboard.press("Enter");
    await decide(page, "n", isAsked);
    await page.locator("#reason").fill("Not now.");
    await page.locator("#reason").press("Enter");
    await page.locator("button.reject").focus();
    await isReady(page);
    await page.keyboard.press("Enter");
    expect(await isAsked()).toBe(true);
    await decide(page, "Space", async () => !(await isAsked()));
    expect(await answerOf(host, 1)).toContain("a person rejected it: Not now.");
    expect(place.text()).toBe(LINES.join(""));
  },
);

test.skipIf(chromium.isMissing)(
  `keys that were typed ahead, held or repeated decide nothing${chromium.note}`,
  async () => {
    using place = plant();
    await using host = await ServeProcess.start(place);
    await using review = await WebReview.start(place);
    await using browser = await TestBrowser.open();
    const page = await browser.page(review.address);
    await page.waitForSelector("text=Nothing waits");
    // All along: before the proposal comes, as it comes, and for a while after; each refused key begins the wait anew.
    const session = await page.context().newCDPSession(page);
    const press = async (autoRepeat: boolean): Promise<void> => {
      await session.send("Input.dispatchKeyEvent", { type: "keyDown", key: "y", text: "y", autoRepeat });
      if (!autoRepeat) await session.send("Input.dispatchKeyEvent", { type: "keyUp", key: "y" });
    };
    for (let keys = 0; keys < 6; keys++) await press(false);
    host.call(1, "edit_file", { path: "a.txt", edits: CHANGES.slice(0, 1) });
    for (let isShown = false, after = 0; after < 30; after += isShown ? 1 : 0) {
      await press(false);
      isShown ||= (await page.locator("#l0-0").count()) > 0;
    }
    await isReady(page);
    for (let keys = 0; keys < 10; keys++) await press(true);
    // A script of somebody, if there were one, could press no key either.
    await page.evaluate('document.dispatchEvent(new KeyboardEvent("keydown", { key: "y", bubbles: true }))');
    await isReady(page);
    await page.evaluate('document.querySelector("button.apply").click()');
    expect(place.text()).toBe(LINES.join(""));
    await decideUntil(page, "y", "Applied:");
    expect(place.text()).not.toBe(LINES.join(""));
  },
);

test.skipIf(chromium.isMissing)(
  `a proposal that became another one between show and apply is refused${chromium.note}`,
  async () => {
    using place = plant();
    await using host = await ServeProcess.start(place);
    host.call(1, "write_file", { path: "b.txt", content: "what was shown\n" });
    const { id } = proposalOf(await host.answer(1));
    await using review = await WebReview.start(place);
    await using browser = await TestBrowser.open();
    const page = await browser.page(review.address);
    await page.waitForSelector("text=what was shown");
    const folder = join(place.stateDir, "proposals");
    const stored = readdirSync(folder).filter((name) => name.startsWith(id) && name.endsWith(".bin"));
    for (const name of stored) writeFileSync(join(folder, name), "something else\n");
    await decideUntil(page, "y", "Cannot");
    expect(existsSync(join(place.root, "b.txt"))).toBe(false);
  },
);

test.skipIf(chromium.isMissing)(`exactly one of two pages that decide at once wins${chromium.note}`, async () => {
  using place = plant();
  await using host = await ServeProcess.start(place);
  host.call(1, "edit_file", { path: "a.txt", edits: CHANGES });
  const { id } = proposalOf(await host.answer(1));
  await using first = await WebReview.start(place);
  await using second = await WebReview.start(place);
  const labels = await Promise.all(
    [first, second].map(async (review) => {
      const shown = (await (await review.ask("show", { id, layout: "unified" })).json()) as {
        outline: { label: string };
      };
      return shown.outline.label;
    }),
  );
  const decided = await Promise.all(
    [first, second].map(async (review, at) => {
      const label = labels[at] ?? "";
      const choices = { label, out: {}, comments: [], seen: {} };
      return (await review.ask("apply", { label, choices, unseen: true })).status;
    }),
  );
  expect(decided.toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(place.text()).toContain("new 2\n");
});

test.skipIf(strace.isMissing)(
  `neither the host nor the reviewer opens a socket while a page reviews${strace.note}`,
  async () => {
    using place = plant();
    const [ofHost, ofReview] = [join(place.path, "host.strace"), join(place.path, "review.strace")];
    const serve = ["serve", "--root", place.root, "--state-dir", place.stateDir, "--baseline=if_known"];
    const [program = "", ...args] = traced(ofHost);
    await using host = await ServeProcess.start(place, {
      binary: program,
      command: [...args, await binaryPath(), ...serve],
    });
    host.call(1, "edit_file", { path: "a.txt", edits: CHANGES });
    await answerOf(host, 1);
    // At its start a host proves its fence by a bind that is refused; nothing may come after that.
    const before = readFileSync(ofHost, "utf8").length;
    await using review = await WebReview.start(place, { wrap: traced(ofReview), once: true });
    const reviewer = readFileSync(`/proc/${review.pid}/task/${review.pid}/children`, "utf8").trim();
    await using browser = await TestBrowser.open();
    const page = await browser.page(review.address);
    await page.waitForSelector("#l0-0");
    await decide(page, "y", async () => place.text() !== LINES.join(""));
    expect(await review.end()).toBe(0);
    expect(readFileSync(ofHost, "utf8").slice(before)).toBe("");
    const calls = readFileSync(ofReview, "utf8")
      .split("\n")
      .filter((line) => /\b(?:socket|bind|connect|listen)\(/.test(line));
    expect(calls.filter((line) => line.includes("connect("))).toEqual([]);
    // One process has all of them, and it is not the reviewer.
    const processes = new Set(calls.map((line) => line.split(" ")[0]));
    expect(processes.size).toBe(1);
    expect(processes.has(reviewer)).toBe(false);
    const bound = calls.filter((line) => line.includes("bind(")).map((line) => /\{.*\}/.exec(line)?.[0]);
    expect(bound).toEqual([`{sa_family=AF_INET, sin_port=htons(${review.port}), sin_addr=inet_addr("127.0.0.1")}`]);
  },
);

function traced(to: string): string[] {
  return ["strace", "-f", "-qq", "-e", "trace=socket,bind,connect,listen", "-o", to];
}
