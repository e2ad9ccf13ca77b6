/**
 * Going to an address: until the page is loaded and its scripts ask for nothing more, or until the time is over. A page that never
 * ends is stopped then, and what it has is its answer.
 */
import { CLOCK, Failure, monotonicMs } from "../../base/index.ts";
import { textOf } from "./cdp.ts";
import type { OpenPage } from "./open-page.ts";

/** Scripts of a page that is loaded may go on asking for ever. */
const MAX_QUIET_MS = 5000;

/** @throws Failure `denied` for where the address leads, `timed_out`, `command_failed` for one that cannot be opened */
export async function visitPage(page: OpenPage, url: string, ms: number): Promise<void> {
  const { facts } = page;
  const [error] = await Promise.all([navigate(page, url, ms), waitFor(page, monotonicMs() + ms)]);
  if (facts.hasCrashed)
    throw new Failure("command_failed", `Cannot open "${url}": the page has crashed, or took too much memory`, {
      hint: "Whoever runs this host can raise packs.browser.memory_mb.",
    });
  if (error !== "") throw failureOf(page, url, error);
}

/** The page is stopped when the time is over, and then this has an end too. */
const END_MS = 5000;

/** @returns what the browser says went wrong, "" when nothing did */
async function navigate(page: OpenPage, url: string, ms: number): Promise<string> {
  const { facts } = page;
  try {
    const { errorText, isDownload } = await page.send("Page.navigate", { url }, ms + END_MS);
    if (isDownload === true) facts.download("");
    const error = textOf(errorText, 100);
    // What was stopped after its beginning has come.
    if (facts.stopped !== undefined && error !== "") return facts.url.startsWith("http") ? "" : LATE;
    // Nobody waits for a page that does not come.
    if (error !== "") facts.stop(error);
    return error;
  } catch (thrown) {
    facts.stop("it does not come");
    throw thrown;
  }
}

const LATE = "late";

async function waitFor(page: OpenPage, until: number): Promise<void> {
  const { facts } = page;
  let quietUntil = Infinity;
  for (;;) {
    if (facts.isOver || facts.isSettled || facts.downloaded !== undefined) return;
    if (facts.isLoaded && quietUntil === Infinity) quietUntil = monotonicMs() + MAX_QUIET_MS;
    else if (!facts.isLoaded) quietUntil = Infinity;
    const left = Math.min(until, quietUntil) - monotonicMs();
    if (left <= 0) break;
    const late = Promise.withResolvers<void>();
    using _ = CLOCK.after(left, () => late.resolve());
    await Promise.race([facts.changed, late.promise]);
  }
  if (!facts.isLoaded) await page.stop("it did not finish loading in time");
}

/** In the words of the browser where they help a reader. */
function failureOf(page: OpenPage, url: string, error: string): Failure {
  const { mainRefused, downloaded } = page.facts;
  const what = `Cannot open "${url}"`;
  if (error === LATE)
    return new Failure("timed_out", `${what}: no answer in time`, {
      hint: "Ask with a longer timeout_ms.",
      retry: "later",
    });
  if (mainRefused)
    return new Failure("denied", `${what}: it leads to ${mainRefused.to}, and ${mainRefused.why}`, {
      hint: "Only what packs.browser.network.reach of the configuration names can be opened, as far as rules allow it.",
    });
  if (downloaded !== undefined)
    return new Failure("unsupported", `${what}: it is a download, and no page`, {
      hint: "Where the pack web is on, web_fetch reads documents, and writes what it fetches to a file with save_to.",
    });
  // A browser that is started anew has the broker started with it.
  if (error.includes("PROXY_CONNECTION")) page.endBrowser();
  if (/TUNNEL|PROXY|EMPTY_RESPONSE|CONNECTION|ADDRESS|TIMED_OUT|NAME_NOT/.test(error))
    return new Failure("command_failed", `${what}: the connection failed (${error})`, {
      hint: "The record says why: its lines `connected` have each connection of the program browser.",
      retry: "later",
    });
  return new Failure("command_failed", `${what}: ${error}`, {
    hint: error.includes("CERT")
      ? "The browser believes the certificates of its own store alone."
      : "Try another address.",
  });
}
