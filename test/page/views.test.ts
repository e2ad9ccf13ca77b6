/**
 * The views of the page that are only read: what agents did over time, and which rules hold. And what the page makes of names
 * and texts that are written to be markup: text.
 */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { component } from "../components/component.ts";
import { answerOf, decideUntil, PageReview } from "./page-person.ts";

const chromium = component("chromium-headless-shell");
const pageTest = test.skipIf(chromium.isMissing);

pageTest(`the record is a picture of calls, questions and changes by hour and folder${chromium.note}`, async () => {
  await using one = await PageReview.open((_host, { root }) => {
    mkdirSync(join(root, "notes"));
    writeFileSync(join(root, "notes/a.md"), "one\n");
  });
  const { page, host } = one;
  for (const id of [1, 2, 3]) {
    host.call(id, "read_file", { path: "notes/a.md" });
    await answerOf(host, id);
  }
  host.call(4, "edit_file", { path: "notes/a.md", edits: [{ old_text: "one", new_text: "two" }] });
  await page.waitForSelector("text=All parts were shown");
  await decideUntil(page, "y", "u takes it back");
  await page.getByRole("button", { name: "Record", exact: true }).click();
  const said = (await page.locator("svg.hours").getAttribute("aria-label")) ?? "";
  const [calls = 0, asks = 0, changes = 0] =
    /(\d+) calls, (\d+) asked about, (\d+) changes/.exec(said)?.slice(1).map(Number) ?? [];
  expect(calls).toBeGreaterThanOrEqual(3);
  expect(asks).toBe(1);
  expect(changes).toBe(1);
  const folders = await page.locator(".folders li").allInnerTexts();
  expect(folders).toEqual([expect.stringMatching(/(?:^|\/)notes: 3 calls, 1 asked about, 1 changes$/)]);
  expect(await page.locator("svg.hours rect.changes").evaluateAll(tallest)).toBeGreaterThan(0);
  expect(await page.locator("td", { hasText: "decision apply" }).count()).toBe(1);
  // Nothing here can be pressed but what opens the numbers.
  expect(await page.locator("main button, main input, main a").count()).toBe(0);
});

pageTest(
  `the policy names the rules of the configuration, and nothing of it can be changed${chromium.note}`,
  async () => {
    await using one = await PageReview.open();
    const { page, place, host } = one;
    expect(await answerOfGrant(host)).toBe(true);
    await page.getByRole("button", { name: "Policy", exact: true }).click();
    await page.waitForSelector("dt >> text=State folder");
    expect(await page.locator("dd", { hasText: place.stateDir }).count()).toBe(1);
    expect(await page.locator("td", { hasText: "write_file(notes/**)" }).count()).toBe(1);
    expect(await page.locator("main button, main input, main select").count()).toBe(0);
  },
);

pageTest(`names and texts that are markup are text on the page${chromium.note}`, async () => {
  const name = "<img src=x onerror=document.title='taken'>.md";
  const text = `${name}\n[click](javascript:alert(1)) **bold** <script>document.title="taken"</script>\n\u202egnp.exe\n`;
  await using one = await PageReview.open();
  const { page, host, browser } = one;
  host.call(1, "write_file", { path: name, content: text });
  await page.waitForSelector(".line >> text=javascript:alert");
  await page.keyboard.press("2");
  await page.waitForSelector(".lines.split .line");
  expect(await page.locator("img, main a, main strong, body script").count()).toBe(0);
  expect(await page.title()).toBe("(1) ringfence review");
  const shown = await page.locator(".lines").innerText();
  expect(shown).toContain('<script>document.title="taken"</script>');
  expect(shown).toContain("\\u202egnp.exe");
  expect(await page.locator("body").innerText()).not.toContain("\u202e");
  expect(browser.complaints).toEqual([]);
});

function tallest(bars: readonly unknown[]): number {
  return Math.max(...bars.map((bar) => Number((bar as { getAttribute(name: string): string }).getAttribute("height"))));
}

async function answerOfGrant(host: PageReview["host"]): Promise<boolean> {
  const { result } = await host.ask("grant", "ringfence/grants/add", { rule: "write_file(notes/**)", remember: true });
  return result !== undefined;
}
