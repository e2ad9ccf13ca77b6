/**
 * Answers that come late or never: a person has gone on by then, and the page shows, keeps and decides what they mean now. The
 * answers are held back on their way to the page.
 */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { edited, edits } from "../cli/screen/review-place.ts";
import { component } from "../components/component.ts";
import { until } from "../waits/until.ts";
import { answerOf, decide, decideUntil, isReady, PageReview, says } from "./page-person.ts";

const chromium = component("chromium-headless-shell");
const pageTest = test.skipIf(chromium.isMissing);

/** Holds the answers to one ask of the page back. @returns what lets them come, and ends when the page has them */
async function hold(page: Page, name: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const pattern = `**/api/${name}`;
  await page.route(pattern, async (route) => {
    const response = await route.fetch();
    await held.promise;
    await route.fulfill({ response });
  });
  return async () => {
    const answered = page.waitForResponse(pattern);
    held.resolve();
    await (await answered).finished();
    await page.unrouteAll({ behavior: "wait" });
    // What the page makes of it is drawn before the second frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  };
}

/** Proposals of a file each, all of them in the queue. */
async function openSome(...names: readonly string[]): Promise<PageReview> {
  const one = await PageReview.open(async (host) => {
    for (const [at, name] of names.entries()) {
      host.call(at + 1, "write_file", { path: name, content: `text of ${name}\n` });
      await answerOf(host, at + 1);
    }
  });
  // On a busy machine they come one by one, and there is no next one yet.
  for (const name of names) await one.page.waitForSelector(`.queue button >> text=${name}`);
  return one;
}

/** Looks at each proposal, from the first to the last. */
async function seeAll(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page.locator(".queue button", { hasText: name }).click();
    await page.waitForSelector(`section[aria-label='${name}'] >> text=· shown`);
  }
}

function thirty(word: string): string {
  return Array.from({ length: 30 }, (_, at) => `${word} ${at}\n`).join("");
}

async function isAt(page: Page, name: string): Promise<void> {
  await page.waitForSelector(`.queue button[aria-current] >> text=${name}`);
}

test.skipIf(chromium.isMissing).each(["lifetime", "candidate"])(
  `a rule is not granted while the field %s shows something else than the sheet${chromium.note}`,
  async (field) => {
    await using one = await openSome("a.txt", "b.txt");
    const { page } = one;
    await page.waitForSelector("#l0-0");
    await page.keyboard.press("g");
    await page.waitForSelector("dialog pre.sheet >> text=this host, until it ends");
    const release = await hold(page, "rule");
    await page.locator(`#${field}`).selectOption({ index: 1 });
    // The page is drawn anew, and what was chosen stays chosen.
    one.host.call(3, "write_file", { path: "c.txt", content: "c\n" });
    await page.waitForSelector(".queue >> text=c.txt");
    await isReady(page);
    await page.locator("dialog button.apply").click();
    await until("the page answers", async () => (await page.locator(".said-last").innerText()) !== "");
    expect(await page.locator(".said-last").innerText()).toBe("Look the rule up first.");
    await release();
    await page.locator("dialog pre.sheet").focus();
    await decideUntil(page, "y", "Granted");
  },
);

pageTest(`nothing is applied together without what was left out${chromium.note}`, async () => {
  await using one = await PageReview.open(async (host) => {
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2, 40) });
    await answerOf(host, 1);
  });
  const { page, place } = one;
  await page.waitForSelector("text=All parts were shown");
  await until("what was seen is kept", () => place.drafts().length === 1);
  await page.route("**/api/keep", async (route) => await route.abort());
  await page.keyboard.press("j");
  await page.keyboard.press("Space");
  await page.waitForSelector("text=left out");
  await page.keyboard.press("A");
  await until("the page refuses", async () => await says(page, "Your choices could not be kept"));
  // What could not be kept is not lost when the proposal is looked at once more.
  const shown = page.waitForResponse("**/api/show");
  await page.locator(".queue li button").click();
  await shown;
  await page.unrouteAll({ behavior: "wait" });
  await page.locator("#proposal").focus();
  await page.keyboard.press("A");
  await page.waitForSelector("dialog >> text=Apply 1 of 1");
  await decideUntil(page, "y", "Applied 1 of 1");
  expect(place.text()).toBe(edited(40));
});

pageTest(`what is chosen while the proposal is loaded again stays chosen${chromium.note}`, async () => {
  await using one = await PageReview.open(async (host) => {
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2, 40) });
    await answerOf(host, 1);
  });
  const { page, place } = one;
  await page.waitForSelector("text=All parts were shown");
  await page.keyboard.press("j");
  const release = await hold(page, "show");
  const asked = page.waitForRequest("**/api/show");
  await page.locator(".queue li button").click();
  await asked;
  await page.locator("#l0-0").focus();
  await page.keyboard.press("Space");
  await page.waitForSelector("text=left out");
  await release();
  expect(await page.locator("text=left out").count()).toBeGreaterThan(0);
  await decideUntil(page, "y", "Applied:");
  expect(place.text()).toBe(edited(40));
});

pageTest(`a proposal that comes after the layout was changed is laid out as it is wanted${chromium.note}`, async () => {
  await using one = await PageReview.open(async (host, place) => {
    host.call(1, "write_file", { path: "first.txt", content: "first\n" });
    await answerOf(host, 1);
    place.write("b.txt", thirty("before"));
    host.call(2, "write_file", { path: "b.txt", content: thirty("after"), overwrite: true });
    await answerOf(host, 2);
  });
  const { page } = one;
  await page.waitForSelector("#l0-1");
  const release = await hold(page, "show");
  const asked = page.waitForRequest("**/api/show");
  await page.keyboard.press("}");
  await asked;
  await page.keyboard.press("2");
  await release();
  await page.waitForSelector("section[aria-label='b.txt'] .lines.split");
  // Sixty lines one under the other are three blocks, and side by side two.
  await until("the blocks of two sides", async () => (await page.locator(".block").count()) === 2);
  await page.waitForSelector("#l0-30");
  expect(await page.locator("#l0-31").count()).toBe(0);
});

pageTest(`an answer opens nothing over another proposal or another question${chromium.note}`, async () => {
  await using one = await openSome("a.txt", "b.txt");
  const { page } = one;
  await page.waitForSelector("#l0-1");
  for (const [key, name] of [
    ["x", "explain"],
    ["g", "rule"],
    ["A", "batch"],
  ] as const) {
    const release = await hold(page, name);
    const asked = page.waitForRequest(`**/api/${name}`);
    await page.keyboard.press(key);
    await asked;
    await page.keyboard.press("c");
    await page.locator("#comment").fill("half of it");
    await release();
    expect(await page.locator("#comment").inputValue()).toBe("half of it");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
  }
  const release = await hold(page, "explain");
  const asked = page.waitForRequest("**/api/explain");
  await page.keyboard.press("x");
  await asked;
  await page.keyboard.press("}");
  await page.waitForSelector("section[aria-label='b.txt']");
  await release();
  expect(await page.locator("dialog").count()).toBe(0);
});

pageTest(`the page goes on behind those that were applied together${chromium.note}`, async () => {
  await using one = await PageReview.open(async (host) => {
    host.call(1, "delete", { path: "a.txt" });
    await answerOf(host, 1);
    for (const [at, name] of ["b.txt", "c.txt", "d.txt"].entries()) {
      host.call(at + 2, "write_file", { path: name, content: `text of ${name}\n` });
      await answerOf(host, at + 2);
    }
  });
  const { page } = one;
  await seeAll(page, ["c.txt", "b.txt"]);
  await page.keyboard.press("A");
  await page.waitForSelector("dialog >> text=Apply 2 of 4");
  // The queue tells of it before the answer comes.
  const release = await hold(page, "together");
  await decide(page, "y", async () => (await page.locator(".queue li").count()) === 2);
  await release();
  await until("the page says so", async () => await says(page, "Applied 2 of 2 proposals."));
  await isAt(page, "d.txt");
});

pageTest(
  `the page says that another one decided, also of what could not be applied here before${chromium.note}`,
  async () => {
    await using one = await openSome("b.txt", "c.txt");
    const { page, place, review } = one;
    await seeAll(page, ["b.txt", "c.txt"]);
    await page.keyboard.press("A");
    await page.waitForSelector("dialog >> text=Apply 2 of 2");
    place.write("c.txt", "somebody else's\n");
    await decideUntil(page, "y", "Applied 1 of 2 proposals.");
    await until("the other one waits", async () => (await page.locator(".queue li").count()) === 1);
    await page.waitForSelector("section[aria-label='c.txt']");
    const label = await page.locator(".head code").innerText();
    expect((await review.ask("reject", { label, reason: "", comments: [] })).status).toBe(200);
    await until("the page tells", async () => await says(page, "was decided elsewhere"));
  },
);

pageTest(
  `a key that is pressed as an answer comes does not decide about what is still shown${chromium.note}`,
  async () => {
    await using one = await openSome("b.txt", "c.txt");
    const { page, place } = one;
    await seeAll(page, ["b.txt", "c.txt"]);
    await page.keyboard.press("A");
    await page.waitForSelector("dialog >> text=Apply 2 of 2");
    place.write("c.txt", "somebody else's\n");
    const release = await hold(page, "together");
    const asked = page.waitForRequest("**/api/together");
    await decide(page, "y", async () => (await page.locator("dialog").count()) === 0);
    await asked;
    await isReady(page);
    const wouldDecide = page.evaluate(`new Promise((done) =>
    new MutationObserver(() => done("ready" in document.documentElement.dataset))
      .observe(document.querySelector(".said-last"), { childList: true, characterData: true, subtree: true }))`);
    await release();
    expect(await wouldDecide).toBe(false);
    expect(await says(page, "Applied 1 of 2 proposals.")).toBe(true);
  },
);

pageTest(`what is applied while another one is loaded is the one that is over${chromium.note}`, async () => {
  await using one = await openSome("a1.txt", "b.txt", "c.txt");
  const { page, place } = one;
  await page.waitForSelector("section[aria-label='a1.txt'] >> text=· shown");
  const release = await hold(page, "show");
  const asked = page.waitForRequest("**/api/show");
  await page.keyboard.press("}");
  await asked;
  await decideUntil(page, "y", "Applied:");
  expect(place.has("a1.txt")).toBe(true);
  await release();
  await isAt(page, "b.txt");
  await page.waitForSelector("section[aria-label='b.txt'] >> text=· shown");
});
