/**
 * The pictures of the page of a review in docs/review.md, in light and dark: `bun scripts/screenshots/page.ts`. It runs the
 * executable on files of its own, opens the page in a browser without a window, and writes docs/images/review-page-*.png.
 *
 * Needs chromium-headless-shell. Nothing of this machine is in the pictures but the age of the proposals.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions } from "playwright-core";
import { connect } from "../../src/client/index.ts";

const ROOT = dirname(dirname(import.meta.dir));
const IMAGES = join(ROOT, "docs/images");
const MAX_BYTES: number = 150 * 1024;
const PORT = 28_766;

const PARSER = `import { readFileSync } from "node:fs";

export interface Options {
  readonly strict: boolean;
}

/** Reads the settings of the workspace. */
export function readSettings(path: string, { strict }: Options): Settings {
  const text = readFileSync(path, "utf8");
  const settings = JSON.parse(text) as Settings;
  if (strict && settings.version === undefined) throw new Error("no version");
  return settings;
}

export function writeSettings(settings: Settings): string {
  return JSON.stringify(settings);
}
`;

const binary = join(ROOT, "dist/ringfence");
const built = spawnSync(process.execPath, [join(ROOT, "scripts/build.ts")], { stdio: "inherit" });
if (built.status !== 0) throw new Error("Cannot take the pictures: the build failed");
const folder = mkdtempSync(join(tmpdir(), "ringfence-pictures-"));
try {
  await takeAll();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function takeAll(): Promise<void> {
  const [root, state] = [join(folder, "workspace"), join(folder, "state")];
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "src/settings.ts"), PARSER);
  writeFileSync(join(root, "package-lock.json"), "{}\n");
  await using host = await connect({
    binary,
    roots: [root],
    stateDir: state,
    baseline: "if_known",
    client: { name: "an-agent" },
  });
  await host.callTool("edit_file", {
    path: "src/settings.ts",
    edits: [
      {
        old_text: 'throw new Error("no version");',
        new_text: 'throw new Error(`Cannot read "${path}": it has no version`);',
      },
      { old_text: "return JSON.stringify(settings);", new_text: "return `${JSON.stringify(settings, null, 2)}\\n`;" },
    ],
  });
  await host.callTool("write_file", { path: "docs/settings.md", content: "# Settings\n\nOne file, read at start.\n" });
  await host.callTool("delete", { path: "package-lock.json" });
  const review = Bun.spawn([binary, "review", "--web", "--no-open", "--port", String(PORT), "--state-dir", state], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const browser = await chromium.launch({
    executablePath: Bun.which("chromium-headless-shell") ?? "",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const { value } = await review.stdout.getReader().read();
    const address = Buffer.from(value ?? [])
      .toString()
      .trim();
    mkdirSync(IMAGES, { recursive: true });
    for (const colorScheme of ["light", "dark"] as const)
      await take(browser, address, join(IMAGES, `review-page-${colorScheme}.png`), { colorScheme });
  } finally {
    await browser.close();
    review.kill("SIGINT");
    await review.exited;
  }
}

async function take(browser: Browser, address: string, to: string, theme: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 620 }, ...theme });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector("code .string");
  if (theme.colorScheme === "light") {
    for (const key of ["]", "j", "j", "j", "j", "c"]) await page.keyboard.press(key);
    await page.locator("#comment").fill("Say in the hint how to add one.");
    await page.keyboard.press("Control+Enter");
  }
  await page.waitForSelector(".said");
  await page.waitForSelector("text=/\\+\\d+ −\\d+ ·/");
  await page.screenshot({ path: to });
  const { size } = statSync(to);
  console.log(`${to}: ${size} bytes`);
  if (size > MAX_BYTES) throw new Error(`Cannot keep ${to}: it has ${size} bytes`);
  await context.close();
}
