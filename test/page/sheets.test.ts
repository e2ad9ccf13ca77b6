/**
 * What a person can do on the page besides yes and no: see what is stale, allow for longer, apply a group, take back what was
 * applied, look why, see images, and allow a call that changes no file.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ServeProcess } from "../binary/serve-process.ts";
import { edited, edits } from "../cli/screen/review-place.ts";
import { component } from "../components/component.ts";
import { answerOf, decideUntil, isReady, PageReview } from "./page-person.ts";

const chromium = component("chromium-headless-shell");
const pageTest = test.skipIf(chromium.isMissing);

pageTest(`a stale proposal shows old, new and now on the page, and is not applied${chromium.note}`, async () => {
  await using one = await PageReview.open(async (host, place) => {
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
    expect(await answerOf(host, 1)).toContain("Nothing is written yet.");
    place.write("a.txt", place.text().replace("line 3\n", "theirs 3\n"));
  });
  const { page, place } = one;
  await page.waitForSelector("text=It cannot be applied now");
  const part = async (title: string): Promise<string> =>
    await page.locator(`section[aria-label^="${title}"]`).innerText();
  await page.waitForSelector("section[aria-label^='Left to do'] .line");
  expect(await part("Proposed")).toMatch(/line 2\n[^]*new 2\n/);
  expect(await part("Changed meanwhile")).toMatch(/line 3\n[^]*theirs 3\n/);
  expect(await part("Left to do")).toMatch(/theirs 3\n/);
  await page.keyboard.press("t");
  await page.waitForSelector(".bar:focus >> text=it was changed meanwhile");
  await decideUntil(page, "y", "It cannot be applied now");
  expect(place.text()).toContain("line 2\n");
});

pageTest(
  `a proposal whose files are right again is applied, without the page being opened anew${chromium.note}`,
  async () => {
    await using one = await PageReview.open(async (host) => {
      host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
      expect(await answerOf(host, 1)).toContain("Nothing is written yet.");
    });
    const { page, place } = one;
    await page.waitForSelector("text=All parts were shown");
    place.write("a.txt", edited().replace("line 3\n", "theirs 3\n"));
    await decideUntil(page, "y", "Cannot apply");
    await page.waitForSelector(".head .problem");
    await page.waitForSelector(".queue .problem");
    place.write("a.txt", edited());
    await decideUntil(page, "y", "It can be applied again");
    expect(place.text()).toBe(edited());
    await page.waitForSelector(".head .problem", { state: "detached" });
    await page.waitForSelector(".queue .problem", { state: "detached" });
    await decideUntil(page, "y", "Applied:");
    expect(place.text()).toBe(edited(2));
  },
);

pageTest(`a proposal that is shown while its files are put right is shown as it is then${chromium.note}`, async () => {
  await using one = await PageReview.open(async (host, place) => {
    host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
    await answerOf(host, 1);
    place.write("a.txt", edited().replace("line 3\n", "theirs 3\n"));
  });
  const { page, place, review } = one;
  await page.waitForSelector(".head .problem");
  await page.waitForSelector(".queue .problem");
  place.write("a.txt", edited());
  // Another page of this review looks at it; this one is told.
  const id = (await page.locator(".queue li button").getAttribute("id"))?.slice("q-".length) ?? "";
  expect((await review.ask("show", { id, layout: "unified" })).status).toBe(200);
  await page.waitForSelector(".head .problem", { state: "detached" });
});

pageTest(`a rule is granted from its sheet alone, as it was looked up${chromium.note}`, async () => {
  await using one = await PageReview.open();
  const { page, host, place, review } = one;
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  await page.waitForSelector("#l0-0");
  const sheet = page.locator("dialog pre.sheet");
  const sees = async (text: string): Promise<void> =>
    await page.locator("dialog pre.sheet", { hasText: text }).waitFor();
  await page.keyboard.press("g");
  await sees("It allows this very call again, and no other one.");
  expect(await sheet.innerText()).toContain("It lifts no deny");
  expect(await sheet.innerText()).toContain("It holds for: this host, until it ends");
  // Two keys that decide nothing: what is edited has to be looked up first.
  await page.keyboard.press("e");
  await page.locator("#rule").fill("edit_file(**");
  await isReady(page);
  await page.locator("dialog button.apply").click();
  await sees("It cannot be used:");
  await isReady(page);
  await page.locator("dialog button.apply").click();
  await page.locator("#rule").fill("edit_file(**)");
  await page.locator("#rule").press("Enter");
  await sees("Of the last 1 questions on record it would have allowed 1:");
  const { id } = await firstWaiting(host);
  // The server cannot grant what no sheet has shown, nor for longer than it has shown.
  for (const about of [
    { id, rule: "shell(**)", lifetime: "roots" },
    { id, rule: "edit_file(**)", lifetime: "roots" },
  ])
    expect((await review.ask("grant", about)).status).toBe(409);
  await page.locator("dialog pre.sheet").focus();
  await decideUntil(page, "y", "Granted to this host, until it ends: edit_file(**)");
  host.call(2, "edit_file", { path: "a.txt", edits: edits(30) });
  expect(await answerOf(host, 2)).toContain("Applied");
  expect(place.text()).toBe(edited(30));
  // Another host with the same roots is asked all the same.
  await using other = await ServeProcess.start(place);
  other.call(1, "edit_file", { path: "a.txt", edits: edits(40) });
  await page.waitForSelector("text=Review (2)");
  expect(place.text()).toBe(edited(30));
  const record = readRecord(place.stateDir);
  expect(record).toMatch(/"event":"reviewed","by":"page",[^\n]*"decision":"always","rule":"edit_file\(\*\*\)"/);
  await page.getByRole("button", { name: "Policy", exact: true }).click();
  await page.waitForSelector("td >> text=edit_file(**)");
});

pageTest(`what is ordinary and seen is applied together, and the rest waits${chromium.note}`, async () => {
  await using one = await PageReview.open((_host, place) => place.write("package-lock.json", "{}\n"));
  const { page, host, place, review } = one;
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  await page.waitForSelector("#l0-0");
  host.call(2, "write_file", { path: "b.txt", content: "b\n" });
  host.call(3, "delete", { path: "package-lock.json" });
  host.call(4, "write_file", { path: "c.txt", content: "c\n" });
  await page.waitForSelector("text=Review (4)");
  await page.waitForSelector("text=All parts were shown");
  await page.locator(".queue button >> text=b.txt").click();
  await page.waitForSelector("section[aria-label='b.txt'] >> text=· shown");
  await page.keyboard.press("A");
  await page.waitForSelector("dialog >> text=Apply 2 of 4");
  const said = await page.locator("dialog").innerText();
  expect(said).toMatch(/package-lock\.json: its risk is R4/);
  expect(said).toMatch(/c\.txt[^\n]*: not all of it was on the screen/);
  // What was not offered is not applied together, whoever asks.
  expect((await review.ask("together", { labels: ["p_0@x"] })).status).toBe(409);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.keyboard.press("A");
  await page.waitForSelector("dialog >> text=Apply 2 of 4");
  await decideUntil(page, "y", "Applied 2 of 2 proposals.");
  expect(place.text()).toBe(edited(2));
  expect(place.text("b.txt")).toBe("b\n");
  expect(place.has("package-lock.json")).toBe(true);
  expect(place.has("c.txt")).toBe(false);
  expect(await answerOf(host, 1)).toContain("A person approved it.");
});

pageTest(`what was applied is taken back on the page, and the history shows both${chromium.note}`, async () => {
  await using one = await PageReview.open();
  const { page, host, place } = one;
  host.call(1, "edit_file", { path: "a.txt", edits: edits(2) });
  await page.waitForSelector("text=All parts were shown");
  await page.keyboard.press("u");
  await page.waitForSelector("text=Nothing was applied in this review");
  await decideUntil(page, "y", "u takes it back");
  expect(place.text()).toBe(edited(2));
  await page.keyboard.press("u");
  await page.waitForSelector("dialog >> text=+line 2");
  await decideUntil(page, "y", "Undone:");
  expect(place.text()).toBe(edited());
  await page.keyboard.press("H");
  await page.waitForSelector(".entries li >> nth=1");
  const [last = "", first = ""] = await page.locator(".entries li").allInnerTexts();
  expect(last).toMatch(/undoes another change/);
  expect(first).toMatch(/· undone · applied in this review/);
  expect(first).not.toContain("Undo…");
});

pageTest(`a call that changes no file is shown whole in the queue, and allowed once${chromium.note}`, async () => {
  await using one = await PageReview.open((_host, place) => place.write("b.txt", "the password is here\n"));
  const { page, host } = one;
  host.call(1, "grep", { pattern: "password" });
  await page.waitForSelector(".queue >> text=a call of grep");
  await page.waitForSelector(".line >> text=password");
  expect(await page.locator("input[type=checkbox]").count()).toBe(0);
  await page.keyboard.press("A");
  await page.waitForSelector("text=Nothing of this group is ordinary");
  await decideUntil(page, "y", "Approved.");
  expect(await answerOf(host, 1)).toContain("b.txt");
});

pageTest(`the page says why a person is asked, and all that would be done${chromium.note}`, async () => {
  await using one = await PageReview.open();
  const { page, host } = one;
  host.call(1, "edit_file", { path: "a.txt", edits: [{ old_text: "line 2\n", new_text: "new \u202e 2\n" }] });
  await page.waitForSelector("#l0-0");
  await page.keyboard.press("x");
  await page.waitForSelector("dialog pre >> text=changes are proposed before they are made");
  const said = await page.locator("dialog pre").innerText();
  expect(said).toContain("Risk       R2: an ordinary change inside the roots");
  expect(said).toContain("+new \\u202e 2");
});

/** A picture of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

pageTest(`an image is shown before and after, by its bytes and never as SVG${chromium.note}`, async () => {
  await using one = await PageReview.open(async (host, place) => {
    place.write("logo.png", PNG);
    const write = (id: number, path: string, bytes: Uint8Array): void =>
      host.call(id, "write_file", {
        path,
        content: Buffer.from(bytes).toString("base64"),
        encoding: "base64",
        overwrite: true,
      });
    write(1, "logo.png", GIF);
    await answerOf(host, 1);
    write(2, "not.png", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>\0'));
    await answerOf(host, 2);
  });
  const { page, browser } = one;
  await page.waitForSelector("figure >> nth=1");
  expect(await page.locator("figcaption").allInnerTexts()).toEqual([
    `Before: image/png, ${PNG.length} bytes`,
    `After: image/gif, ${GIF.length} bytes`,
  ]);
  const widths = await page.locator("figure img").evaluateAll(naturalWidths);
  expect(widths).toEqual([1, 1]);
  await page.keyboard.press("}");
  await page.waitForSelector("section[aria-label='not.png']");
  await isReady(page);
  expect(await page.locator("img").count()).toBe(0);
  expect(browser.complaints).toEqual([]);
});

function naturalWidths(images: readonly unknown[]): number[] {
  return images.map((image) => (image as { readonly naturalWidth: number }).naturalWidth);
}

async function firstWaiting(host: ServeProcess): Promise<{ readonly id: string }> {
  const { result } = await host.ask(`list-${crypto.randomUUID()}`, "ringfence/proposals/list");
  const [first] = (result as unknown as { readonly proposals: readonly { readonly id: string }[] }).proposals;
  return { id: first?.id ?? "" };
}

function readRecord(stateDir: string): string {
  const folder = join(stateDir, "audit");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}
