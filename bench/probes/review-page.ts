/**
 * How fast the page of a review is, in a real browser: from opening it to the first frame with a hundred proposals and a diff of
 * twenty thousand lines, and from a key to the frame that shows what it did.
 *
 *     bun bench/probes/review-page.ts [BINARY]     # half a minute; needs chromium-headless-shell
 *
 * Usual mistake: to take the time in this program, which measures the pipe to the browser. The page's own clock is read.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { median, quantile } from "../quantiles.ts";
import { RawClient } from "../raw-client.ts";

const PROPOSALS = 100;
const LINES = 10_000;
const LOADS = 15;
const KEYS = 200;

/** Runs in the page. A frame is on the screen when a message that was sent in it comes back. */
const WATCH = `
  const shown = (then) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(0);
  });
  window.keyTimes = [];
  window.until = (isDone) => new Promise((resolve) => {
    const look = () => (isDone() ? resolve(true) : setTimeout(look, 2));
    look();
  });
  window.settled = () => new Promise((resolve) => setTimeout(() => shown(resolve), 300));
  const isWhole = () => document.querySelectorAll(".queue li").length >= ${PROPOSALS} && document.getElementById("l0-30");
  const look = () => {
    if (!isWhole()) return requestAnimationFrame(look);
    shown(() => (window.firstFrame = performance.now()));
  };
  requestAnimationFrame(look);
  // What the page does for a key it does in the key's task or for an answer of its server: a change of the page is waited for.
  addEventListener("keydown", (event) => {
    const label = () => document.querySelector(".head code")?.textContent + (document.getElementById("l0-0") ? "" : "?");
    const before = label();
    const isSelecting = event.key === "}";
    const wait = () => {
      if (isSelecting && (label() === before || label().endsWith("?"))) return setTimeout(wait, 1);
      shown(() => window.keyTimes.push(performance.now() - event.timeStamp));
    };
    wait();
  }, true);
`;

const binary = resolve(process.argv[2] ?? join(import.meta.dir, "../../dist/ringfence"));
const folder = mkdtempSync(join(realpathSync(tmpdir()), "ringfence-page-"));
const [root, state] = [join(folder, "root"), join(folder, "state")];
mkdirSync(root);
try {
  await propose();
  const review = Bun.spawn([binary, "review", "--web", "--no-open", "--port", "28765", "--state-dir", state], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const browser = await chromium.launch({
    executablePath: Bun.which("chromium-headless-shell") ?? "",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const address = (await firstLine(review.stdout)).trim();
    const paints: number[] = [];
    for (let load = 0; load < LOADS; load++) paints.push(await firstPaint(browser, address));
    report(`first frame with ${PROPOSALS} proposals and ${2 * LINES} lines`, paints.slice(1), 150);
    const page = await open(browser, address);
    for (const [what, key, set] of [
      ["j, a line", "j", ""],
      ["], a hunk", "]", ""],
      ["space, a hunk in or out", "Space", ""],
      ["j, side by side", "j", "2"],
    ] as const)
      report(`key to screen: ${what}`, await keysToScreen(page, key, set), 50);
    report("key to screen: }, another proposal", await keysToScreen(page, "}", "1", PROPOSALS - 2), 50);
  } finally {
    await browser.close();
    review.kill("SIGINT");
    await review.exited;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A rewritten file of many lines, and many small changes. */
async function propose(): Promise<void> {
  writeFileSync(join(root, "large.ts"), linesOf("before"));
  const command = [binary, "serve", "--root", root, "--state-dir", state, "--baseline=if_known"];
  await using client = await RawClient.open({ name: "ringfence", command, readTool: "read_file" });
  const write = async (path: string, content: string): Promise<unknown> =>
    await client.request("tools/call", { name: "write_file", arguments: { path, content, overwrite: true } });
  await write("large.ts", linesOf("after"));
  for (let at = 1; at < PROPOSALS; at++)
    await write(`small-${at}.ts`, `export const small = ${at};\nexport const name = "small ${at}";\n`);
}

function linesOf(word: string): string {
  const line = (at: number): string => `const ${word}${at} = compute(${at}, "${word}"); // of line ${at}\n`;
  return Array.from({ length: LINES }, (_, at) => line(at)).join("");
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString();
    if (text.includes("\n")) break;
  }
  return text.slice(0, text.indexOf("\n"));
}

async function open(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  await page.goto(address);
  await page.evaluate("window.until(() => window.firstFrame !== undefined)");
  return page;
}

async function firstPaint(browser: Browser, address: string): Promise<number> {
  const page = await open(browser, address);
  const ms = await page.evaluate("window.firstFrame");
  await page.context().close();
  return Number(ms);
}

/** @param set a key that is pressed before */
async function keysToScreen(page: Page, key: string, set: string, count = KEYS): Promise<number[]> {
  if (set !== "") await page.keyboard.press(set);
  await page.evaluate("window.settled()");
  await page.evaluate("window.keyTimes.length = 0");
  for (let at = 0; at < count; at++) {
    await page.keyboard.press(key);
    await page.evaluate(`window.until(() => window.keyTimes.length > ${at})`);
  }
  return await page.evaluate<number[]>("window.keyTimes");
}

function report(what: string, samples: readonly number[], target: number): void {
  const [middle, late] = [median(samples), quantile(samples, 0.95)];
  console.log(
    `${what}: median ${middle.toFixed(1)} ms, p95 ${late.toFixed(1)} ms (target ${target}: ${late <= target ? "yes" : "no"})`,
  );
}
