/**
 * A person at the page: opens it, presses keys that decide when they would count, and sees what it says. Tests wait for the mark
 * that the page sets when its guard has ended, and never for a time.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { ReviewPlace } from "../cli/screen/review-place.ts";
import { ServeProcess, type ServeOptions } from "../binary/serve-process.ts";
import { until } from "../waits/until.ts";
import { TestBrowser } from "./open-browser.ts";
import { WebReview } from "./web-review.ts";

/** Ends when a key that decides would count. */
export async function isReady(page: Page): Promise<void> {
  await page.waitForSelector("html[data-ready]", { state: "attached" });
}

/** Presses a key that decides, and once more when the page has ignored it. */
export async function decide(page: Page, key: string, isDone: () => Promise<boolean>): Promise<void> {
  await until(`the key ${key} to count`, async () => {
    if (await isDone()) return true;
    await isReady(page);
    // What came meanwhile has begun the wait anew, so this key cannot decide about something else.
    if (await isDone()) return true;
    await page.keyboard.press(key);
    return await isDone();
  });
}

/** Whether the page has said so. */
export async function says(page: Page, text: string): Promise<boolean> {
  return (await page.locator(".said-last").innerText()).includes(text);
}

/** Presses a key that decides until the page says so. */
export async function decideUntil(page: Page, key: string, text: string): Promise<void> {
  await decide(page, key, async () => await says(page, text));
}

/** A call waits only while a page is open. */
export async function isAttached({ stateDir }: { readonly stateDir: string }): Promise<void> {
  const folder = join(stateDir, "review");
  await until(
    "the reviewer is attached",
    () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".reviewer")),
  );
}

/** A host, a review and a page of it, with a browser of their own. */
export class PageReview implements AsyncDisposable {
  readonly place: ReviewPlace = new ReviewPlace();
  readonly #stack: AsyncDisposableStack = new AsyncDisposableStack();
  host!: ServeProcess;
  review!: WebReview;
  browser!: TestBrowser;
  page!: Page;

  /** @param plant what is there before the page is opened */
  static async open(
    plant: (host: ServeProcess, place: ReviewPlace) => Promise<void> | void = () => undefined,
    options: { readonly serve?: ServeOptions; readonly page?: BrowserContextOptions } = {},
  ): Promise<PageReview> {
    const one = new PageReview();
    const stack = one.#stack;
    stack.use(one.place);
    one.host = stack.use(await ServeProcess.start(one.place, options.serve));
    await plant(one.host, one.place);
    one.review = stack.use(await WebReview.start(one.place));
    one.browser = stack.use(await TestBrowser.open());
    one.page = await one.browser.page(one.review.address, options.page);
    await isAttached(one.place);
    await one.page.waitForSelector(".queue");
    return one;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** The text of what a call was answered with. */
export async function answerOf(host: ServeProcess, id: number): Promise<string> {
  const { result } = await host.answer(id);
  return result?.content?.at(-1)?.text ?? "";
}
