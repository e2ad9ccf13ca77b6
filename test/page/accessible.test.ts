/**
 * Whether everybody can use the page: axe looks at every view and every question, in light, dark, forced colours and a narrow
 * window, and finds nothing.
 */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { edits } from "../cli/screen/review-place.ts";
import { component } from "../components/component.ts";
import { answerOf, decide, PageReview } from "./page-person.ts";

const chromium = component("chromium-headless-shell");

const THEMES: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["light colours", { colorScheme: "light" }],
  ["dark colours", { colorScheme: "dark" }],
  ["forced colours", { forcedColors: "active" }],
  ["a narrow window", { viewport: { width: 380, height: 640 } }],
];

async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Opens a question with a key, looks, and leaves it. */
async function inQuestion(page: Page, key: string): Promise<string[]> {
  await decide(page, key, async () => (await page.locator("dialog[open]").count()) > 0);
  const found = await violations(page);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  return found;
}

test.skipIf(chromium.isMissing).each(THEMES)(
  `axe finds nothing on the page in %s${chromium.note}`,
  async (_, options) => {
    await using one = await PageReview.open(
      async (host, place) => {
        place.write(
          "a.ts",
          'const name = "x"; // a comment\nexport function add(a: number): number {\n  return a + 1;\n}\n',
        );
        host.call(1, "edit_file", { path: "a.txt", edits: edits(2, 20, 40) });
        await answerOf(host, 1);
        host.call(2, "edit_file", {
          path: "a.ts",
          edits: [{ old_text: "return a + 1;", new_text: 'return a + 2; // "two"' }],
        });
        await answerOf(host, 2);
        place.write("a.txt", place.text().replace("line 3\n", "theirs 3\n"));
      },
      { page: options },
    );
    const { page, browser } = one;
    const found: Record<string, string[]> = {};
    await page.waitForSelector("text=Left to do");
    found["stale"] = await violations(page);
    await page.keyboard.press("}");
    await page.waitForSelector("code .string");
    for (const key of ["]", "Space"]) await page.keyboard.press(key);
    await page.waitForSelector("text=left out");
    found["left out"] = await violations(page);
    await page.keyboard.press("Space");
    await page.keyboard.press("c");
    await page.locator("#comment").fill("Say why.");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".said");
    await page.keyboard.press("2");
    await page.waitForSelector(".lines.split .line");
    found["side by side"] = await violations(page);
    for (const key of ["?", "n", "x", "g", "/", "c"]) found[key] = await inQuestion(page, key);
    for (const view of ["History", "Record", "Policy"]) {
      await page.getByRole("button", { name: view, exact: true }).click();
      await page.waitForSelector(view === "Record" ? "svg.hours" : "main.other h2");
      found[view] = await violations(page);
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    expect(browser.complaints).toEqual([]);
  },
);
