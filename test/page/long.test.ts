/**
 * Large reviews: a hundred proposals, and a diff of twenty thousand lines of which the page holds only those near the screen and
 * shows every one. What it costs is counted in elements of the page; times are measured in bench.
 */
import { expect, test } from "bun:test";
import { component } from "../components/component.ts";
import { pageAssets } from "../../src/page/index.ts";
import { until } from "../waits/until.ts";
import { answerOf, PageReview } from "./page-person.ts";

const chromium = component("chromium-headless-shell");

const HALF = 10_000;
/** A line has some elements; so many lines are near the screen. */
const MAX_ELEMENTS = 6000;
/** Less than the screen and what is near it. */
const STEP_PX = 1300;
const NEAR_PX = 300;

function lines(word: string): string {
  return Array.from({ length: HALF }, (_, at) => `${word} ${at}\n`).join("");
}

test.skipIf(chromium.isMissing)(
  `the page holds a part of twenty thousand lines, and reaches all of them${chromium.note}`,
  async () => {
    await using one = await PageReview.open(async (host, place) => {
      place.write("large.txt", lines("before"));
      host.call(1, "write_file", { path: "large.txt", content: lines("after"), overwrite: true });
      await answerOf(host, 1);
    });
    const { page } = one;
    await page.waitForSelector("#l0-20");
    const { reached, most } = await page.evaluate(scrollThrough, { step: STEP_PX, near: NEAR_PX });
    expect(reached).toBe(2 * HALF + 1);
    expect(most).toBeLessThan(MAX_ELEMENTS);
    // A key goes far without what lies between.
    await page.keyboard.press("/");
    await page.locator("#find").fill("after 9999");
    await page.keyboard.press("Enter");
    await page.waitForSelector(`#l0-${2 * HALF}:focus >> text=after 9999`);
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(MAX_ELEMENTS);
  },
  120_000,
);

/** Runs in the page: scrolls to the end, waits for the lines on the screen each time, and counts. */
async function scrollThrough({
  step,
  near,
}: Readonly<Record<"step" | "near", number>>): Promise<{ reached: number; most: number }> {
  // oxlint-disable-next-line typescript/no-explicit-any
  const { document, requestAnimationFrame } = globalThis as any;
  const main = document.getElementById("proposal");
  const reached = new Set<string>();
  let most = 0;
  const isFilled = (): boolean => {
    const { top, bottom } = main.getBoundingClientRect();
    for (const block of document.querySelectorAll(".block")) {
      const at = block.getBoundingClientRect();
      if (at.bottom > top - near && at.top < bottom + near && at.height > 0 && block.childElementCount === 0)
        return false;
    }
    return true;
  };
  for (let isOver = false; !isOver;) {
    isOver = main.scrollTop + main.clientHeight >= main.scrollHeight - 2;
    do await new Promise((resolve) => requestAnimationFrame(resolve));
    while (!isFilled());
    for (const { id } of document.querySelectorAll(".line, .hunk")) reached.add(id);
    most = Math.max(most, document.querySelectorAll("*").length);
    main.scrollTop += step;
  }
  return { reached: reached.size, most };
}

test.skipIf(chromium.isMissing)(
  `a hundred proposals stand in the queue, and keys go through all of them${chromium.note}`,
  async () => {
    const COUNT = 100;
    await using one = await PageReview.open(async (host) => {
      for (let at = 0; at < COUNT; at++) {
        host.call(at + 1, "write_file", { path: `file-${at}.txt`, content: `text ${at}\n` });
        await answerOf(host, at + 1);
      }
    });
    const { page } = one;
    await until("all of them", async () => (await page.locator(".queue li").count()) === COUNT);
    for (let at = 1; at < COUNT; at++) {
      await page.keyboard.press("}");
      await page.waitForSelector(`.queue button[aria-current] >> text=file-${at}.txt`);
    }
    await page.waitForSelector(`.line >> text=text ${COUNT - 1}`);
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(MAX_ELEMENTS);
  },
  120_000,
);

test("the page has no more bytes, compressed, than docs/review.md says", async () => {
  const said = /The page has (\d+) KB, compressed/.exec(
    await Bun.file(new URL("../../docs/review.md", import.meta.url)).text(),
  )?.[1];
  const assets = await pageAssets();
  const sizes = Object.values(assets as unknown as Readonly<Record<string, string>>).map(
    (text) => Bun.gzipSync(text).length,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(Number(said) * 1000);
});
