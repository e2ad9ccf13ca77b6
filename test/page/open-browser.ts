/**
 * A real browser without a window, driven by playwright. One for a test file; each test has a context of its own, so that
 * nothing of one page is known to another.
 */
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

export class TestBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  /** What pages have complained of: refused loads, errors of the script. */
  readonly complaints: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(args: readonly string[] = []): Promise<TestBrowser> {
    const browser = await chromium.launch({
      executablePath: Bun.which("chromium-headless-shell") ?? "",
      args: ["--no-sandbox", "--disable-gpu", ...args],
    });
    return new TestBrowser(browser);
  }

  async page(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && this.complaints.push(message.text()));
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    await page.goto(address);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}
