/**
 * How fast the page of a review is, in a real browser: from opening it to the first frame that shows a hundred proposals and the
 * diff of the first, which is small or of twenty thousand lines; and from a key to the frame that shows what it did, in the large one.
 *
 *     bun bench/probes/review-page.ts [BINARY]     # half a minute; needs chromium-headless-shell
 *
 * Usual mistake: to take the time in this program, which measures the pipe to the browser. The page's own clock is read.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium, type Page } from "playwright-core";
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
  const isWhole = () => document.querySelectorAll(".queue li").length >= ${PROPOSALS} && document.getElementById("l0-1");
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
const browser = await chromium.launch({
  executablePath: Bun.which("chromium-headless-shell") ?? "",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  await review("small", async (address) => {
    report(`first frame with ${PROPOSALS} proposals`, await firstFrames(address), 150);
  });
  await review("large", async (address) => {
    report(`first frame with ${PROPOSALS} proposals, the first of ${2 * LINES} lines`, await firstFrames(address));
    const page = await open(address);
    for (const [what, key, set] of [
      ["j, a line", "j", ""],
      ["], a hunk", "]", ""],
      ["space, a hunk in or out", "Space", ""],
      ["j, side by side", "j", "2"],
    ] as const)
      report(`key to screen: ${what}`, await keysToScreen(page, key, set), 50);
    report("key to screen: }, another proposal", await keysToScreen(page, "}", "1", PROPOSALS - 2), 50);
  });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** @param first what the first proposal is */
async function review(first: "small" | "large", measure: (address: string) => Promise<void>): Promise<void> {
  const [root, state] = [join(folder, first, "root"), join(folder, first, "state")];
  mkdirSync(root, { recursive: true });
  await propose(first, root, state);
  const running = Bun.spawn([binary, "review", "--web", "--no-open", "--port", "28765", "--state-dir", state], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    await measure((await firstLine(running.stdout)).trim());
  } finally {
    running.kill("SIGINT");
    await running.exited;
  }
}

/** Many small changes, and before them perhaps a rewritten file of many lines. */
async function propose(first: "small" | "large", root: string, state: string): Promise<void> {
  writeFileSync(join(root, "large.ts"), linesOf("before"));
  const command = [binary, "serve", "--root", root, "--state-dir", state, "--baseline=if_known"];
  await using client = await RawClient.open({ name: "ringfence", command, readTool: "read_file" });
  const write = async (path: string, content: string): Promise<unknown> =>
    await client.request("tools/call", { name: "write_file", arguments: { path, content, overwrite: true } });
  if (first === "large") await write("large.ts", linesOf("after"));
  for (let at = first === "large" ? 1 : 0; at < PROPOSALS; at++)
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

async function open(address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  await page.goto(address);
  await page.evaluate("window.until(() => window.firstFrame !== undefined)");
  return page;
}

/** The first load warms the browser and is left out. */
async function firstFrames(address: string): Promise<number[]> {
  const frames: number[] = [];
  for (let load = 0; load <= LOADS; load++) {
    const page = await open(address);
    frames.push(Number(await page.evaluate("window.firstFrame")));
    await page.context().close();
  }
  return frames.slice(1);
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

function report(what: string, samples: readonly number[], target = Infinity): void {
  const [middle, late] = [median(samples), quantile(samples, 0.95)];
  const verdict = target === Infinity ? "" : ` (target ${target}: ${late <= target ? "yes" : "no"})`;
  console.log(`${what}: median ${middle.toFixed(1)} ms, p95 ${late.toFixed(1)} ms${verdict}`);
}
